"""JSON from outside: parsed here and nowhere else, so that every reader refuses the same things.

Beside what is no JSON, a value is refused that would break whoever uses it later: one nested so
deeply that walking it would exhaust the stack, whole numbers beyond 64 bits, and halves of
surrogate pairs, which cannot be written to a file.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from earmark.files.text import read_text
from earmark.values.errors import InputError

DEEPEST = 100  # levels; what we know of has 12, and Python's stack holds a thousand calls
LARGEST_WHOLE = 2**63 - 1  # what an array of whole numbers holds


class JsonError(ValueError):
    """Why a text is no JSON that can be used, and where."""

    def __init__(self, reason: str, *, line: int = 1, column: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


def read_json(path: Path, *, what: str = "a .json file must be JSON") -> Any:
    """Return the one JSON value of a file; raise InputError, which begins with `what`."""
    try:
        return parse_json(read_text(path))
    except JsonError as error:
        raise InputError(what, at=f"{path}:{error.line}", got=error.reason) from error


def parse_json(text: str) -> Any:
    """Return the JSON value of a text; raise JsonError if it has none, or one of the above."""
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise JsonError(error.msg, line=error.lineno, column=error.colno) from error
    except RecursionError as error:
        raise JsonError(f"values nested more than {DEEPEST} deep") from error
    # A value cannot be deeper than its text has brackets: most lines need no walk.
    if text.count("[") + text.count("{") > DEEPEST:
        _refuse_deep(value)
    if "\\ud" in text or "\\uD" in text:
        _refuse_surrogates(value)
    return value


def _whole_number(digits: str) -> int:
    # Python refuses to convert thousands of digits, and takes long for hundreds.
    number = int(digits) if len(digits) <= len(str(LARGEST_WHOLE)) + 1 else LARGEST_WHOLE + 1
    if abs(number) > LARGEST_WHOLE:
        raise JsonError(f"a whole number of {len(digits)} digits, which 64 bits cannot hold")
    return number


DECODER = json.JSONDecoder(parse_int=_whole_number)


def _refuse_deep(value: object) -> None:
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [part for one in level for part in _parts(one)]
        if not level:
            return
    raise JsonError(f"values nested more than {DEEPEST} deep")


def _parts(value: object) -> Iterable[object]:
    """Return the lists and objects in a list or object."""
    parts: Iterable[object] = value.values() if isinstance(value, dict) else ()
    parts = value if isinstance(value, list) else parts
    return [part for part in parts if isinstance(part, dict | list)]


def _refuse_surrogates(value: object) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise JsonError("half of a surrogate pair, which is no character") from error
