"""Short content hashes, so that different data do not share a signature. The one home of hashing.

What is hashed is columns. A mapping of items to records is laid out as one column per field: the
items sorted, then for each field its values in that order, lists flattened with their lengths. So a
table that is kept as columns hands over its bytes (`digest_columns`), a mapping of Python records
is laid out here, and both have the same digest if they hold the same values, in whatever order.
"""

import hashlib
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

from earmark.files.text import explained
from earmark.values.pack import pack

# 64 bits: among a million sets of data, two share a digest with probability 3e-8; a signature stays
# readable.
DIGITS = 16
Bytes = bytes | bytearray | memoryview


@dataclass(frozen=True, slots=True)
class Column:
    """The values of one field: a letter for the kind of each, then numbers, sizes and texts.

    Kinds: `f` a float (in `numbers`), `l` a list (its length in `sizes`), `t` a text, `r` the
    fields of a record, `i` a whole number, `w` true, false or none (each a text with its size in
    bytes in `sizes`).
    """

    kinds: Bytes = b""
    numbers: Bytes = b""
    sizes: Bytes = b""
    texts: Iterable[Bytes] = ()


@dataclass(frozen=True, slots=True)
class _Builder:
    """A column to which values are added one by one."""

    kinds: bytearray = field(default_factory=bytearray)
    numbers: "array[float]" = field(default_factory=lambda: array("d"))
    sizes: "array[int]" = field(default_factory=lambda: array("q"))
    texts: list[bytes] = field(default_factory=list)

    def add_text(self, kind: bytes, text: str) -> None:
        """Add a value that is written as a text."""
        data = text.encode("utf-8", "surrogatepass")
        self.kinds.extend(kind)
        self.sizes.append(len(data))
        self.texts.append(data)

    def column(self) -> Column:
        """Return what was added."""
        return Column(self.kinds, self.numbers.tobytes(), self.sizes.tobytes(), self.texts)


@runtime_checkable
class HasColumns(Protocol):
    """A mapping of items to records that is kept as columns."""

    def digest_columns(self) -> Mapping[str, Column] | None:
        """Return the columns that `columns_of` would give, or None to let it make them."""
        ...


def digest(values: Mapping[str, object]) -> str:
    """Return the first 16 hex digits of the SHA-256 of the values, whatever the items' order.

    Raises TypeError for values that no file could hold.
    """
    columns = values.digest_columns() if isinstance(values, HasColumns) else None
    columns = columns_of(values) if columns is None else columns
    sha = hashlib.sha256()
    for name in sorted(columns):
        column = columns[name]
        if not column.kinds:
            continue
        sha.update(
            f"{name}\n{len(column.kinds)} {len(column.sizes)}\n".encode("utf-8", "surrogatepass")
        )
        for part in chain((column.kinds, column.numbers, column.sizes), column.texts):
            sha.update(part)
    return sha.hexdigest()[:DIGITS]


def columns_of(values: Mapping[str, object]) -> dict[str, Column]:
    """Lay a mapping of items to records out as columns.

    A record whose parts may come in any order has a method `in_one_order`, which sorts them.
    """
    builders: dict[str, _Builder] = {}
    for item in sorted(values):
        _add(builders, "item", item)
        value = values[item]
        in_one_order = getattr(value, "in_one_order", None)
        _add(builders, "value", pack(in_one_order() if in_one_order else value))
    return {name: builder.column() for name, builder in builders.items()}


def _add_parts(builders: dict[str, _Builder], name: str, parts: list[object]) -> None:
    """Add the parts of a list, numbers all at once."""
    if parts and all(type(part) is float for part in parts):
        column = builders.get(name) or builders.setdefault(name, _Builder())
        column.kinds.extend(b"f" * len(parts))
        column.numbers.extend(cast("list[float]", parts))
        return
    for part in parts:
        _add(builders, name, part)


def _add(builders: dict[str, _Builder], name: str, value: object) -> None:
    column = builders.get(name) or builders.setdefault(name, _Builder())
    if isinstance(value, dict):
        fields = sorted(key for key in value if key != "is")
        column.add_text(b"r", record_text(str(value.get("is", "")), fields))
        for key in fields:
            _add(builders, f"{name}.{key}", value[key])
    elif isinstance(value, list):
        column.kinds.extend(b"l")
        column.sizes.append(len(value))
        _add_parts(builders, f"{name}[]", value)
    elif isinstance(value, float):
        column.kinds.extend(b"f")
        column.numbers.append(value)
    elif isinstance(value, str):
        column.add_text(b"t", value)
    elif value is None or isinstance(value, bool | int):
        column.add_text(b"w" if value is None or isinstance(value, bool) else b"i", str(value))
    else:
        raise TypeError(f"{type(value).__name__} cannot be written to a file")


def record_text(kind: str, fields: Iterable[str]) -> str:
    """Return how a record's class and fields are written in a column."""
    return f"{kind}({','.join(fields)})"


def content_digest(content: str | bytes) -> str:
    """Return the SHA-256 of a text or of bytes as 64 hex digits; lone surrogates are allowed."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()


def file_digest(path: Path) -> str:
    """Return the first 16 hex digits of the SHA-256 of a file."""
    sha = hashlib.sha256()
    with explained(path), path.open("rb") as file:
        while block := file.read(1 << 20):
            sha.update(block)
    return sha.hexdigest()[:DIGITS]
