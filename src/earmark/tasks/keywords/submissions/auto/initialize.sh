#!/bin/bash
# Once, before all speakers: see that packages and weights are there.
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
exec "${PYTHON:-python3}" -m earmark.tasks.keywords.submission initialize auto
