"""Damage of many kinds, drawn by a seed: what editors, transfers and adversaries do to a file.

A file that is packed is also unpacked, damaged inside and packed again: its own checksums would
otherwise refuse nearly everything before a reader sees it.
"""

import gzip
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from typing import Any

NUMBERS = (b"-1", b"0", b"1e308", b"-1e999", b"nan", b"inf", b"99999999999999999999999", b"0x1F")
TEXTS = (b"\xff\xfe", b"\x00", b'"', b"'", b",", b"\t", b"\n", b"\r", b"{", b"]", b"<x>", b"&x;")
ODD: tuple[Any, ...] = (None, True, 5, -1, 1e308, "", "x", [], {}, [[]], {"is": "Event"}, "\x1b[2J")
NUMBER = re.compile(rb"-?\d+(\.\d+)?")


def mutate(data: bytes, draw: random.Random) -> bytes:
    """Return the data with one to three damages; half of those of packed files are inside."""
    for magic, inside in PACKED.items():
        if data.startswith(magic, 8 if magic == b"{" else 0) and draw.random() < 0.6:
            return inside(data, draw)
    for _ in range(draw.randint(1, 3)):
        data = draw.choice(DAMAGES)(data, draw)
    return data


def _in_gzip(data: bytes, draw: random.Random) -> bytes:
    return gzip.compress(mutate(gzip.decompress(data), draw), mtime=0)


def _in_zip(data: bytes, draw: random.Random) -> bytes:
    """Damage an entry of a zip, such as an array of an .npz, leave one out, or rename one."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {info: archive.read(info) for info in archive.infolist()}
    chosen = draw.choice(list(entries))
    kind = draw.random()
    if kind < 0.1:
        del entries[chosen]
    elif kind < 0.2:
        chosen.filename = draw.choice(("x", "../x", "/x", "a/../../x", "con", "\x1b[2J", "x" * 999))
    elif entries[chosen].startswith(b"\x93NUMPY"):
        entries[chosen] = _in_array(entries[chosen], draw)
    else:
        entries[chosen] = mutate(entries[chosen], draw)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for info, content in entries.items():
            archive.writestr(info, content)
    return out.getvalue()


def _in_array(data: bytes, draw: random.Random) -> bytes:
    """Change an array's kind, shape or values, or its bytes."""
    import numpy as np

    array = np.load(io.BytesIO(data), allow_pickle=False)
    if draw.random() < 0.3:
        return mutate(data, draw)
    if draw.random() < 0.3 and array.dtype.kind == "U" and array.size == 1:
        text = mutate(str(array.reshape(-1)[0]).encode(), draw).decode("utf-8", "replace")
        array = np.array(text).reshape(array.shape)
    else:
        change = draw.choice(ARRAYS)
        array = change(array, draw)
    out = io.BytesIO()
    np.save(out, array, allow_pickle=False)
    return out.getvalue()


def _shorter(array: Any, draw: random.Random) -> Any:
    return array[: draw.randrange(len(array))] if array.ndim and len(array) else array.reshape(-1)


def _flat(array: Any, draw: random.Random) -> Any:
    return array.reshape(-1) if array.ndim != 1 else array.reshape(1, -1)


def _other_kind(array: Any, draw: random.Random) -> Any:
    kind = draw.choice(("float64", "int8", "int64", "bool", "complex64", "U3"))
    try:
        return array.astype(kind)
    except (TypeError, ValueError):
        return array.astype("U3")


def _values(array: Any, draw: random.Random) -> Any:
    """Change some of the values to what no index, count or weight should be."""
    changed = array.copy().reshape(-1)
    if not changed.size:
        return array
    place = draw.randrange(changed.size)
    if changed.dtype.kind == "f":
        changed[place:] = draw.choice((float("nan"), float("inf"), -1e4))
    elif changed.dtype.kind in "iu":
        import numpy as np

        limits = np.iinfo(changed.dtype)
        changed[place:] = draw.choice((limits.min, limits.max, 1000 % limits.max))
    elif changed.dtype.kind == "U":
        changed[place] = ""
    return changed.reshape(array.shape)


ARRAYS: tuple[Callable[[Any, random.Random], Any], ...] = (
    _shorter, _flat, _other_kind, _values, _values,
)  # fmt: skip


def _in_safetensors(data: bytes, draw: random.Random) -> bytes:
    """Damage the header of safetensors, which is JSON after its length."""
    size = int.from_bytes(data[:8], "little")
    header = data[8 : 8 + size]
    if draw.random() < 0.5:
        table = json.loads(header)
        name = draw.choice(list(table))
        if name == "__metadata__":
            key = draw.choice(list(table[name]))
            table[name][key] = _kind(str(table[name][key]).encode(), draw).decode(
                "utf-8", "replace"
            )
        else:
            table[name] = _other(table[name], draw)
        header = json.dumps(table).encode()
    else:
        header = mutate(header, draw)
    return len(header).to_bytes(8, "little") + header + data[8 + size :]


def _in_front(data: bytes, draw: random.Random) -> bytes:
    """Damage the first bytes, where formats of sounds and models say what follows."""
    front = draw.choice((64, 512, 2048))
    for _ in range(draw.randint(1, 4)):
        damage = draw.choice((_flip, _flip, _delete, _insert))
        data = damage(data[:front], draw) + data[front:]
    return data


PACKED: dict[bytes, Callable[[bytes, random.Random], bytes]] = {
    b"\x1f\x8b": _in_gzip,
    b"PK\x03\x04": _in_zip,
    b"\x93NUMPY": _in_array,
    b"{": _in_safetensors,
    b"GGUF": _in_front,
    b"RIFF": _in_front,
    b"fLaC": _in_front,
    b"OggS": _in_front,
    b"SQLite": _in_front,
    b"PAR1": _in_front,
}


def _cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randint(0, len(data))]


def _flip(data: bytes, draw: random.Random) -> bytes:
    if not data:
        return b"\x00"
    place = draw.randrange(len(data))
    return data[:place] + bytes([draw.randrange(256)]) + data[place + 1 :]


def _delete(data: bytes, draw: random.Random) -> bytes:
    start, size = draw.randint(0, len(data)), draw.choice((1, 2, 8, 64))
    return data[:start] + data[start + size :]


def _repeat(data: bytes, draw: random.Random) -> bytes:
    start, size = draw.randint(0, len(data)), draw.choice((1, 8, 64, 512))
    return data[:start] + data[start : start + size] * draw.choice((2, 3, 50)) + data[start:]


def _insert(data: bytes, draw: random.Random) -> bytes:
    start = draw.randint(0, len(data))
    return data[:start] + draw.choice((*TEXTS, *NUMBERS, draw.randbytes(9))) + data[start:]


def _number(data: bytes, draw: random.Random) -> bytes:
    places = list(NUMBER.finditer(data[:100_000]))
    if not places:
        return _insert(data, draw)
    match = draw.choice(places)
    return data[: match.start()] + draw.choice(NUMBERS) + data[match.end() :]


def _lines(data: bytes, draw: random.Random) -> bytes:
    rows = data.split(b"\n")
    if draw.random() < 0.5:
        draw.shuffle(rows)
    else:
        rows.insert(draw.randrange(len(rows) + 1), draw.choice(rows))
    return b"\n".join(rows)


def _encoding(data: bytes, draw: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    codec = draw.choice(("utf-16", "utf-16-le", "utf-8-sig", "cp1252", "utf-32"))
    return text.encode(codec, "replace")


def _kind(data: bytes, draw: random.Random) -> bytes:
    """Replace a value of the JSON in a line, or in the file, by one of another kind."""
    rows = data.split(b"\n")
    place = draw.randrange(len(rows))
    for text in (data, rows[place]):
        try:
            new = json.dumps(_other(json.loads(text), draw)).encode()
        except (ValueError, RecursionError):
            continue
        return new if text is data else b"\n".join([*rows[:place], new, *rows[place + 1 :]])
    return _flip(data, draw)


def _other(value: Any, draw: random.Random) -> Any:
    if not isinstance(value, dict | list) or not value or draw.random() < 0.2:
        return draw.choice(ODD)
    if isinstance(value, list):
        place = draw.randrange(len(value))
        return [*value[:place], _other(value[place], draw), *value[place + 1 :]]
    name = draw.choice(list(value))
    if draw.random() < 0.2:
        return {key: part for key, part in value.items() if key != name}
    return {**value, name: _other(value[name], draw)}


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _cut, _flip, _flip, _delete, _repeat, _insert, _number, _number, _lines, _encoding, _kind,
    _kind, _kind,
)  # fmt: skip
