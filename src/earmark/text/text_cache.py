"""A cache on disk of what a model made of a text, so that a text is read once: one file each."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from earmark.text.hashing import text_hash

ASKED_AT_ONCE = 500  # keys per query: SQLite allows 999 variables at least
CHUNK = 4096  # texts per step between two writes
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


class TextCache:
    """Bytes by text for one model, in a table of at most `most` rows; without a folder, nothing.

    A damaged or unwritable file costs time, never a result: the cache then behaves as empty.
    """

    def __init__(self, model: str, *, folder: Path | None, most: int) -> None:
        self.path = folder / f"texts-{text_hash(model).hex()[:16]}.sqlite" if folder else None
        self.most = most

    def get(self, texts: Iterable[str]) -> dict[str, bytes]:
        """Return what is stored of these texts; texts of which nothing is are left out."""
        keys = {text_hash(text): text for text in texts}
        contents: dict[str, bytes] = {}
        if self.path is None or not os.path.exists(self.path):
            return contents
        try:
            with closing(sqlite3.connect(self.path, timeout=30)) as store:
                for some in _pieces(list(keys), ASKED_AT_ONCE):
                    marks = ",".join("?" * len(some))
                    query = f"SELECT key, content FROM texts WHERE key IN ({marks})"
                    contents.update((keys[key], blob) for key, blob in store.execute(query, some))
        except sqlite3.Error:
            return {}
        return contents

    def put(self, contents: Mapping[str, bytes]) -> None:
        """Store these; the oldest are deleted when there are too many."""
        if self.path is None or not contents:
            return
        rows = [(text_hash(text), content) for text, content in contents.items()]
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=30)) as store, store:
                store.execute(
                    "CREATE TABLE IF NOT EXISTS texts (key BLOB PRIMARY KEY, content BLOB)"
                )
                store.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?)", rows)
                store.execute(
                    "DELETE FROM texts WHERE rowid <= (SELECT max(rowid) FROM texts) - ?",
                    (self.most,),
                )
        except (sqlite3.Error, OSError):
            return

    def of(
        self, texts: Sequence[str], compute: Callable[[list[str]], Iterable[bytes]]
    ) -> Iterator[bytes]:
        """Yield what is stored of each text, or else what `compute(new texts)` gives, and store it.

        Texts are taken in chunks, so that a run that is cut short has stored what it did.
        """
        for some in _pieces(list(texts), CHUNK):
            distinct = list(dict.fromkeys(some))
            known = self.get(distinct)
            missing = [text for text in distinct if text not in known]
            if missing:
                fresh = dict(zip(missing, compute(missing), strict=True))
                self.put(fresh)
                known.update(fresh)
            yield from (known[text] for text in some)


def _pieces(things: list[Any], size: int) -> Iterator[list[Any]]:
    return (things[start : start + size] for start in range(0, len(things), size))
