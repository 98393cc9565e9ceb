"""Vectors kept on disk, so that a text is embedded once: one small database for each model."""

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.text.hashing import text_hash

Vector = NDArray[np.float32]
ASKED_AT_ONCE = 500
KEPT_ROWS = 1_000_000
OFF = "off"


def cache_folder() -> Path | None:
    """Where vectors are kept: $EARMARK_CACHE, or ~/.cache/earmark; None when that says `off`."""
    named = os.environ.get("EARMARK_CACHE", "")
    if named == OFF:
        return None
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "earmark"


class VectorStore:
    """Text to vector for one model. A store without a folder keeps nothing.

    A damaged or unwritable file costs time, never a result: the store then behaves as empty.
    """

    def __init__(self, model: str, *, folder: Path | None) -> None:
        self.path = folder / f"vectors-{text_hash(model).hex()[:16]}.sqlite" if folder else None

    def get(self, texts: Iterable[str]) -> dict[str, Vector]:
        """The vectors that are known of these texts."""
        keys = {text_hash(text): text for text in texts}
        found: dict[str, Vector] = {}
        if self.path is None or not self.path.exists():
            return found
        try:
            with closing(sqlite3.connect(self.path, timeout=30)) as store:
                for some in _pieces(list(keys), ASKED_AT_ONCE):
                    marks = ",".join("?" * len(some))
                    query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"
                    for key, blob in store.execute(query, some):
                        found[keys[key]] = np.frombuffer(blob, dtype=np.float32)
        except sqlite3.Error:
            return {}
        return found

    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Keep these; when the file has grown beyond its limit, the oldest go."""
        if self.path is None or not vectors:
            return
        rows = [
            (text_hash(text), row.astype(np.float32).tobytes()) for text, row in vectors.items()
        ]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=30)) as store, store:
                store.execute(
                    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)"
                )
                store.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
                store.execute(
                    "DELETE FROM vectors WHERE rowid <= (SELECT max(rowid) FROM vectors) - ?",
                    (KEPT_ROWS,),
                )
        except (sqlite3.Error, OSError):
            return


def _pieces(things: list[bytes], size: int) -> Iterable[list[bytes]]:
    return (things[start : start + size] for start in range(0, len(things), size))
