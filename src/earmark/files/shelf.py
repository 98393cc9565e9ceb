"""Texts by name, more of them than memory should hold."""

import sqlite3
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Shelf(Mapping[str, T], Generic[T]):
    """Names in the order they first came, each with a value made of its texts.

    The texts lie in a nameless database, which keeps a few megabytes in memory, puts the rest into
    a file that nobody else sees, and is gone when the shelf is.

    Examples
    --------
    >>> shelf = Shelf([("b", "one"), ("a", "two"), ("b", "three")], tuple)
    >>> list(shelf), shelf["b"]
    (['b', 'a'], ('one', 'three'))
    """

    def __init__(
        self, rows: Iterable[tuple[str, str]], make: Callable[[tuple[str, ...]], T]
    ) -> None:
        self._make = make
        self._base = sqlite3.connect("")
        weakref.finalize(self, self._base.close)
        with self._base:
            self._base.execute("CREATE TABLE texts (name BLOB, text BLOB)")
            pairs = ((_bytes(name), _bytes(text)) for name, text in rows)
            self._base.executemany("INSERT INTO texts VALUES (?, ?)", pairs)
            self._base.execute("CREATE INDEX by_name ON texts (name)")
        counted = self._base.execute("SELECT count(DISTINCT name) FROM texts").fetchone()
        self._size = int(counted[0])

    def __getitem__(self, name: str) -> T:
        found = self._base.execute(
            "SELECT text FROM texts WHERE name = ? ORDER BY rowid", (_bytes(name),)
        ).fetchall()
        if not found:
            raise KeyError(name)
        return self._make(tuple(_text(row[0]) for row in found))

    def __iter__(self) -> Iterator[str]:
        names = "SELECT name FROM texts GROUP BY name ORDER BY min(rowid)"
        return (_text(row[0]) for row in self._base.execute(names))

    def __len__(self) -> int:
        return self._size


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
