"""What a simulated crowd is like: the file that says it."""

import tomllib
from pathlib import Path
from typing import Any

from earmark.ask.terms import MOST
from earmark.files.text import read_text
from earmark.task.task import Question
from earmark.values import checks
from earmark.values.errors import InputError


def read_crowd(path: Path | None, question: Question) -> dict[str, Any]:
    """Return a crowd file: TOML with the names of the task's own crowd."""
    if path is None:
        return {}
    try:
        crowd = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError("a crowd file must be TOML", at=path, got=error) from error
    if not crowd:
        raise InputError(
            "a crowd file must say something of the crowd",
            at=path,
            got="nothing",
            want=", ".join(question.crowd),
        )
    for name, value in crowd.items():
        checks.one_of(name, question.crowd, what="property of the crowd", at=str(path))
        _check_property(value, like=question.crowd[name], at=f"{path}, {name}")
    return crowd


def _check_property(value: object, *, like: object, at: str) -> None:
    """Raise InputError if a property of a crowd is no number, or a count that is out of bounds."""
    if not isinstance(like, int | float) or isinstance(like, bool):
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError("a property of a crowd must be a number", at=at, got=repr(value))
    if not abs(value) <= MOST:
        raise InputError(
            "a property of a crowd must not be larger than any crowd",
            at=at,
            got=value,
            want=f"at most {MOST:,}",
        )
