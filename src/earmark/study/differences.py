"""Where a stored JSON value differs from the same value computed again."""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# A count that is repeated gives the same number; the margin is for another processor's last digit.
TOLERANCE = 1e-12
NOTHING = "nothing"
VERSION = re.compile(r"\|earmark:[^|]*")
MOST = 3  # differences of one file that are spelled out: the first ones tell what happened


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where two values differ, as a path through the JSON, and both values."""

    place: str
    stored: Any
    again: Any

    def __str__(self) -> str:
        return (
            f"{self.place} is {_short(self.stored)} there, {_short(self.again)} when counted again"
        )


def compare(stored: Any, again: Any, place: str = "") -> Iterator[Mismatch]:
    """Yield what differs; numbers may differ in the last digit, signatures in the version.

    Examples
    --------
    >>> [str(one) for one in compare({"f1": [{"rank": 9}]}, {"f1": [{"rank": 1}]})]
    ['f1[0].rank is 9 there, 1 when counted again']
    """
    if isinstance(stored, dict) and isinstance(again, dict):
        for name in dict.fromkeys([*again, *stored]):
            inner = f"{place}.{name}" if place else str(name)
            yield from compare(stored.get(name, NOTHING), again.get(name, NOTHING), inner)
    elif isinstance(stored, list) and isinstance(again, list) and len(stored) == len(again):
        for index, pair in enumerate(zip(stored, again, strict=True)):
            yield from compare(*pair, f"{place}[{index}]")
    elif not _same(stored, again):
        yield Mismatch(place, stored, again)


def plain(value: Any) -> Any:
    """Return a value as it is when written as JSON and read again."""
    return json.loads(json.dumps(value, allow_nan=False))


def numbers_in(value: Any) -> int:
    """Return how many numbers a JSON value holds."""
    if isinstance(value, dict):
        return sum(map(numbers_in, value.values()))
    if isinstance(value, list):
        return sum(map(numbers_in, value))
    return int(_is_number(value))


def _same(stored: Any, again: Any) -> bool:
    if _is_number(stored) and _is_number(again):
        return math.isclose(stored, again, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(stored, str) and isinstance(again, str):
        return VERSION.sub("", stored) == VERSION.sub("", again)
    return type(stored) is type(again) and bool(stored == again)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    return value if value == NOTHING else json.dumps(value, ensure_ascii=False)
