"""Texts by name, more of them than memory should hold."""

import mmap
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from typing import Generic, Self, TypeVar

import numpy as np

from earmark.files.digest import Column, record_text
from earmark.tables.columns import Coder

T = TypeVar("T")


class TextTable(Mapping[str, T], Generic[T]):
    """Names in the order in which they first appear, each with a value made of its texts.

    The texts are bytes in an unnamed temporary file, mapped into memory: the system keeps as much
    of it as there is room for. Held are the names, and two numbers per text.

    Examples
    --------
    >>> table = TextTable([("b", "one"), ("a", "two"), ("b", "three")], tuple)
    >>> list(table), table["b"]
    (['b', 'a'], ('one', 'three'))
    """

    def __init__(
        self, rows: Iterable[tuple[str, str]], make: Callable[[tuple[str, ...]], T]
    ) -> None:
        coder, ends = Coder(), array("q", [0])
        with tempfile.TemporaryFile() as file:
            for name, text in rows:
                coder.add(name)
                ends.append(ends[-1] + file.write(_encode(text)))
            file.flush()
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if ends[-1] else b""
        codes = np.array(coder.codes, dtype=np.int32)
        counted = np.bincount(codes, minlength=len(coder.numbers))
        self._make, self._numbers = make, coder.numbers
        self._ends = np.array(ends, dtype=np.int64)  # (texts + 1,)
        self._rows = np.argsort(codes, kind="stable").astype(np.int32)  # (texts,), by name
        self._starts = np.concatenate([[0], np.cumsum(counted)])  # (names + 1,), into `_rows`

    def __getitem__(self, name: str) -> T:
        return self._make(tuple(_decode(data) for data in self._texts(self._numbers[name])))

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same texts under other names; those that are not mentioned stay."""
        if all(name == names.get(name, name) for name in self._numbers):
            return self
        table = copy(self)
        table._numbers = {names.get(name, name): row for name, row in self._numbers.items()}
        return table

    def columns(self, kind: str, field: str) -> dict[str, Column]:
        """Return what `files.digest` would make of the values, of that class with that field."""
        names = sorted(self._numbers)
        places = np.array([self._numbers[name] for name in names], dtype=np.int64)
        lengths = np.diff(self._starts)[places]
        firsts = np.repeat(self._starts[places] - np.cumsum(lengths) + lengths, lengths)
        rows = self._rows[firsts + np.arange(len(firsts))]
        record = record_text(kind, [field]).encode()
        encoded = [_encode(name) for name in names]
        sizes = np.array([len(name) for name in encoded], dtype=np.int64)
        whole = np.full(len(names), len(record), dtype=np.int64)
        return {
            "item": Column(b"t" * len(names), sizes=sizes.tobytes(), texts=encoded),
            "value": Column(b"r" * len(names), sizes=whole.tobytes(), texts=[record * len(names)]),
            f"value.{field}": Column(b"l" * len(names), sizes=lengths.astype(np.int64).tobytes()),
            f"value.{field}[]": Column(
                b"t" * len(rows),
                sizes=np.diff(self._ends)[rows].tobytes(),
                texts=(data for place in places.tolist() for data in self._texts(place)),
            ),
        }

    def _texts(self, place: int) -> Iterator[bytes]:
        for row in self._rows[self._starts[place] : self._starts[place + 1]].tolist():
            yield self._data[self._ends[row] : self._ends[row + 1]]


def _encode(text: str) -> bytes:
    """Return a text as bytes; half of a surrogate pair, which JSON may hold, is kept as it is."""
    return text.encode("utf-8", "surrogatepass")


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
