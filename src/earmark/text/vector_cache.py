"""A cache of vectors on disk, so that a text is embedded once: one SQLite file per model."""

import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np

from earmark.arrays import Floats32
from earmark.text.hashing import text_hash

ASKED_AT_ONCE = 500  # keys per query: SQLite allows 999 variables at least
MOST_ROWS = 1_000_000  # about 1.6 GB of MiniLM's vectors
OFF = "off"


def cache_folder() -> Path | None:
    """Return $EARMARK_CACHE, or else ~/.cache/earmark; None for `off`, or without a home folder."""
    named = os.environ.get("EARMARK_CACHE", "")
    if named == OFF:
        return None
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(home) if home else Path.home() / ".cache") / "earmark"
    except RuntimeError:  # a user who is not in the system's list
        return None


class VectorCache:
    """Vectors of texts for one model; without a folder it stores nothing.

    A damaged or unwritable file costs time, never a result: the cache then behaves as empty.
    """

    def __init__(self, model: str, *, folder: Path | None) -> None:
        self.path = folder / f"vectors-{text_hash(model).hex()[:16]}.sqlite" if folder else None

    def get(self, texts: Iterable[str]) -> dict[str, Floats32]:
        """Return the stored vectors of these texts; texts without one are left out."""
        keys = {text_hash(text): text for text in texts}
        vectors: dict[str, Floats32] = {}
        if self.path is None or not os.path.exists(self.path):
            return vectors
        try:
            with closing(sqlite3.connect(self.path, timeout=30)) as store:
                for some in _pieces(list(keys), ASKED_AT_ONCE):
                    marks = ",".join("?" * len(some))
                    query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"
                    for key, blob in store.execute(query, some):
                        vectors[keys[key]] = np.frombuffer(blob, dtype=np.float32)
        except sqlite3.Error:
            return {}
        return vectors

    def put(self, vectors: Mapping[str, Floats32]) -> None:
        """Store these; the oldest are deleted when there are more than a million."""
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
                    (MOST_ROWS,),
                )
        except (sqlite3.Error, OSError):
            return


def _pieces(things: list[bytes], size: int) -> Iterable[list[bytes]]:
    return (things[start : start + size] for start in range(0, len(things), size))
