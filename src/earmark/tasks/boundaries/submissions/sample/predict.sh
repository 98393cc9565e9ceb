#!/bin/bash
# Read the items in $1, write the outputs to $2. There is no network.
set -euo pipefail
cd "$(dirname "$0")"
exec "${PYTHON:-python3}" predict.py "$1" "$2"
