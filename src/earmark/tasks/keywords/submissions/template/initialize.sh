#!/bin/bash
# Once, before all speakers: see that packages and weights are there.
set -euo pipefail
exec "${PYTHON:-python3}" -m earmark.tasks.keywords.submission initialize template
