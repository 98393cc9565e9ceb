"""The questions asked of input; each failure is an InputError."""

import difflib
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from earmark.values.errors import InputError
from earmark.values.names import match_names, some

T = TypeVar("T")


def same_items(
    reference: Mapping[str, object], output: Mapping[str, object], *, at: str | None = None
) -> list[str]:
    """Return the ids of both sides, sorted; raise InputError if one side has others."""
    if not reference and not output:
        raise InputError("there must be at least one item to score", at=at, fix="name the items")
    only_reference = sorted(set(reference) - set(output))
    only_output = sorted(set(output) - set(reference))
    if only_reference or only_output:
        raise InputError(
            "reference and output must name the same items",
            at=at,
            got=f"{some(only_reference)} only in the reference, "
            f"{some(only_output)} only in the output",
            want="identical item ids",
            fix="give each side exactly the items of the other",
        )
    return sorted(reference)


def renamed(output: Mapping[str, T], reference: Mapping[str, object]) -> dict[str, T]:
    """Return an output under the reference's ids, which may have other folders and extensions.

    An id without a match is kept: `same_items` refuses it, with counts.
    """
    matches = match_names(output, reference)
    return {matches.get(name, name): value for name, value in output.items()}


def unique(ids: Iterable[str], *, what: str = "item", at: str | None = None) -> None:
    """Raise InputError if an id appears twice."""
    twice = sorted(name for name, times in Counter(ids).items() if times > 1)
    if twice:
        raise InputError(
            f"every {what} id must appear once",
            at=at,
            got=f"{some(twice)} more than once",
            fix="remove or rename the copies",
        )


def one_of(name: str, known: Iterable[str], *, what: str, at: str | None = None) -> str:
    """Return the name if it is known; raise InputError that suggests the nearest if not."""
    names = list(known)
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, n=1)
    raise InputError(
        f"there is no {what} '{name}'",
        at=at,
        want=", ".join(names) if names else "none is there yet",
        fix=f"did you mean {near[0]}?" if near else None,
    )


def finite(value: float, *, what: str, at: str | None = None) -> float:
    """Return the number; raise InputError if it is not finite."""
    if not math.isfinite(value):
        raise InputError(f"{what} must be a finite number", at=at, got=value)
    return value


def at_least(value: float | None, least: float, *, what: str) -> None:
    """Raise InputError if a number is below `least`; None passes."""
    if value is not None and not value >= least:
        raise InputError(f"{what} must be at least {least}", got=value)


def within(value: float, low: float, high: float, *, what: str) -> float:
    """Return the number; raise InputError if it is not in [low, high]."""
    if not low <= value <= high:
        raise InputError(f"{what} must be between {low} and {high}", got=value)
    return value
