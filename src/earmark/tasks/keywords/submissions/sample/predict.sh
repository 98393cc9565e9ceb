#!/bin/bash
# For each speaker: judge the clips in $1 by what lies in $2, write a line per clip to $3.
set -euo pipefail
cd "$(dirname "$0")"
exec "${PYTHON:-python3}" detector.py predict "$1" "$2" "$3"
