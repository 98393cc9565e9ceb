#!/bin/bash
# For each speaker: judge the clips in $1 by what lies in $2, write verdicts to $3.
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
exec "${PYTHON:-python3}" -m earmark.tasks.keywords.submission predict window "$1" "$2" "$3"
