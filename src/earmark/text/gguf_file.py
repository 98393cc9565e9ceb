"""GGUF, the file format of llama.cpp: settings and tensors, read as data.

A file begins with its settings (typed values by name), then a table of tensors, then their bytes.
Quantised tensors hold blocks of 32 weights that share a scale. Only plain numpy is needed, nothing
in a file is executed, and every length is checked against the file before it is used.
"""

import mmap
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats32
from earmark.values.errors import InputError

MAGIC = b"GGUF"
VERSIONS = (2, 3)
# Numbers of settings' types to the codes of `struct`; 8 is text, 9 an array.
SCALARS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
TEXT, ARRAY = 8, 9
# More than any model has; a damaged file may claim anything.
MOST_ENTRIES = 10_000_000
MOST_DIMENSIONS = 4
BLOCK = 32  # weights that share a scale

Blocks = NDArray[np.uint8]


class TensorEntry(NamedTuple):
    """Where a tensor lies: the number of its type, its shape (rows first), its first byte."""

    kind: int
    shape: tuple[int, ...]
    start: int


class Encoding(NamedTuple):
    """How a kind of tensor is stored: bytes and weights of a block, and what turns it to floats."""

    size: int
    weights: int
    decode: Callable[[Blocks], Floats32]


def _halves(blocks: Blocks, first: int) -> Floats32:
    """Return the half-precision numbers in two bytes of each block; (blocks, 1)."""
    halves = np.ascontiguousarray(blocks[:, first : first + 2]).view(np.float16)
    return halves.astype(np.float32)


def _nibbles(packed: Blocks) -> Floats32:
    """Return 32 numbers of four bits from 16 bytes: the low halves first; (blocks, 32)."""
    return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32)


def _fifth_bits(blocks: Blocks, first: int) -> Floats32:
    """Return the highest of five bits of 32 numbers, times 16; (blocks, 32)."""
    bits = np.unpackbits(blocks[:, first : first + 4], axis=1, bitorder="little")
    return bits.astype(np.float32) * 16


def _q4_0(blocks: Blocks) -> Floats32:
    return _halves(blocks, 0) * (_nibbles(blocks[:, 2:]) - 8)


def _q4_1(blocks: Blocks) -> Floats32:
    return _halves(blocks, 0) * _nibbles(blocks[:, 4:]) + _halves(blocks, 2)


def _q5_0(blocks: Blocks) -> Floats32:
    return _halves(blocks, 0) * (_nibbles(blocks[:, 6:]) + _fifth_bits(blocks, 2) - 16)


def _q5_1(blocks: Blocks) -> Floats32:
    whole = _nibbles(blocks[:, 8:]) + _fifth_bits(blocks, 4)
    return _halves(blocks, 0) * whole + _halves(blocks, 2)


def _q8_0(blocks: Blocks) -> Floats32:
    signed = np.ascontiguousarray(blocks[:, 2:]).view(np.int8)
    return _halves(blocks, 0) * signed.astype(np.float32)


def _floats(blocks: Blocks) -> Floats32:
    return np.ascontiguousarray(blocks).view(np.float32)


def _half_floats(blocks: Blocks) -> Floats32:
    return np.ascontiguousarray(blocks).view(np.float16).astype(np.float32)


def _brain_floats(blocks: Blocks) -> Floats32:
    upper = np.ascontiguousarray(blocks).view(np.uint16).astype(np.uint32) << 16
    return upper.view(np.float32)


ENCODINGS: Mapping[int, Encoding] = {
    0: Encoding(4, 1, _floats),
    1: Encoding(2, 1, _half_floats),
    2: Encoding(18, BLOCK, _q4_0),
    3: Encoding(20, BLOCK, _q4_1),
    6: Encoding(22, BLOCK, _q5_0),
    7: Encoding(24, BLOCK, _q5_1),
    8: Encoding(34, BLOCK, _q8_0),
    30: Encoding(2, 1, _brain_floats),
}
KNOWN_KINDS = "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0"


@dataclass(frozen=True, slots=True)
class GgufFile:
    """A model file: `settings` by name, and `tensors` that are decoded when asked for."""

    path: Path
    settings: Mapping[str, Any]
    tensors: Mapping[str, TensorEntry]

    def tensor(self, name: str) -> Floats32:
        """Return a tensor as single-precision numbers.

        Raises
        ------
        InputError
            If there is none of that name, its encoding is not known, or the file is too short.
        """
        if name not in self.tensors:
            raise _damaged(self.path, f"no tensor {name}")
        kind, shape, start = self.tensors[name]
        encoding = ENCODINGS.get(kind)
        if encoding is None:
            raise InputError(
                "weights in this encoding cannot be read",
                at=f"{self.path}, {name}",
                got=f"type {kind}",
                want=KNOWN_KINDS,
                fix="quantise the model anew as Q8_0 or Q4_1",
            )
        blocks, rest = divmod(prod(shape), encoding.weights)
        if rest or start + blocks * encoding.size > self.path.stat().st_size:
            raise _damaged(self.path, f"{name} of shape {shape} ends beyond the file")
        raw = np.fromfile(self.path, np.uint8, blocks * encoding.size, offset=start)
        return encoding.decode(raw.reshape(blocks, encoding.size)).reshape(shape)


class _Cursor:
    """Reads values one after another, never beyond the end."""

    def __init__(self, path: Path, content: mmap.mmap) -> None:
        self.path = path
        self.content = content
        self.place = 0

    def take(self, count: int) -> bytes:
        if count < 0 or self.place + count > len(self.content):
            raise _damaged(self.path, "it ends too early")
        self.place += count
        return self.content[self.place - count : self.place]

    def scalar(self, code: str) -> Any:
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def count(self) -> int:
        number = int(self.scalar("Q"))
        if number > MOST_ENTRIES:
            raise _damaged(self.path, f"{number} entries")
        return number

    def text(self) -> str:
        return self.take(self.count()).decode("utf-8", errors="replace")

    def value(self, kind: int) -> Any:
        if kind == TEXT:
            return self.text()
        if kind == ARRAY:
            inner = self.scalar("I")
            if inner == ARRAY:
                raise _damaged(self.path, "an array of arrays")
            return [self.value(inner) for _ in range(self.count())]
        if kind not in SCALARS:
            raise _damaged(self.path, f"a setting of type {kind}")
        return self.scalar(SCALARS[kind])


def read_gguf(path: Path) -> GgufFile:
    """Return the settings and the table of tensors of a file.

    Raises
    ------
    InputError
        If there is no such file, or it is not GGUF, or damaged.
    """
    if not path.is_file() or path.stat().st_size < len(MAGIC):
        raise InputError("there is no model here", at=path, want="a GGUF file")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return _read(_Cursor(path, content))


def _read(cursor: _Cursor) -> GgufFile:
    if cursor.take(len(MAGIC)) != MAGIC:
        raise InputError("the file is no GGUF model", at=cursor.path, want="a file of llama.cpp")
    version = cursor.scalar("I")
    if version not in VERSIONS:
        raise _damaged(cursor.path, f"version {version}")
    tensor_count, setting_count = cursor.count(), cursor.count()
    settings = {cursor.text(): cursor.value(cursor.scalar("I")) for _ in range(setting_count)}
    entries = dict(_entry(cursor) for _ in range(tensor_count))
    aligned = int(settings.get("general.alignment", 32))
    data = -(-cursor.place // aligned) * aligned
    tensors = {n: TensorEntry(e.kind, e.shape, data + e.start) for n, e in entries.items()}
    return GgufFile(cursor.path, settings, tensors)


def _entry(cursor: _Cursor) -> tuple[str, TensorEntry]:
    name, dimensions = cursor.text(), cursor.scalar("I")
    if not 0 < dimensions <= MOST_DIMENSIONS:
        raise _damaged(cursor.path, f"{name} of {dimensions} dimensions")
    # the file names the fastest dimension first
    shape = tuple(cursor.count() for _ in range(dimensions))[::-1]
    return name, TensorEntry(cursor.scalar("I"), shape, int(cursor.scalar("Q")))


def _damaged(path: Path, got: str) -> InputError:
    return InputError("the model file cannot be read", at=path, got=got, fix="fetch the file again")
