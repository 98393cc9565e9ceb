#!/bin/bash
# For each speaker: learn from the recordings in $1, keep what is learned in $2.
set -euo pipefail
cd "$(dirname "$0")"
exec "${PYTHON:-python3}" detector.py enrol "$1" "$2"
