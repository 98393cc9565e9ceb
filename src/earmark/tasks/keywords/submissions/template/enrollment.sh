#!/bin/bash
# For each speaker: learn from the recordings in $1, keep what is learned in $2.
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
exec "${PYTHON:-python3}" -m earmark.tasks.keywords.submission enrol template "$1" "$2"
