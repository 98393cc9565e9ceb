"""Damage of many kinds, drawn by a seed: what editors, transfers and adversaries do to a file."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

NUMBERS = (b"-1", b"0", b"1e308", b"-1e999", b"nan", b"inf", b"99999999999999999999999", b"0x1F")
TEXTS = (b"\xff\xfe", b"\x00", b'"', b"'", b",", b"\t", b"\n", b"\r", b"{", b"]", b"<x>", b"&x;")
ODD: tuple[Any, ...] = (None, True, 5, -1, 1e308, "", "x", [], {}, [[]], {"is": "Event"}, "\x1b[2J")
NUMBER = re.compile(rb"-?\d+(\.\d+)?")


def mutate(data: bytes, draw: random.Random) -> bytes:
    """Return the data with one to three damages."""
    for _ in range(draw.randint(1, 3)):
        data = draw.choice(DAMAGES)(data, draw)
    return data


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
