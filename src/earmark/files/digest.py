"""Short content hashes, so that different data cannot share a signature."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from earmark.values.pack import pack

DIGITS = 8


def digest(values: Mapping[str, object]) -> str:
    """The first 8 hex digits of the SHA-256 of the values; the order of items does not matter."""
    sha = hashlib.sha256()
    for item in sorted(values):
        line = json.dumps([item, pack(values[item])], sort_keys=True, ensure_ascii=False)
        sha.update(line.encode() + b"\n")
    return sha.hexdigest()[:DIGITS]


def file_digest(path: Path) -> str:
    """The first 8 hex digits of the SHA-256 of a file."""
    sha = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sha.update(block)
    return sha.hexdigest()[:DIGITS]
