#!/bin/bash
# Once, before all speakers. There is no network: what you need must be in this folder.
set -euo pipefail
"${PYTHON:-python3}" -c "import wave"
