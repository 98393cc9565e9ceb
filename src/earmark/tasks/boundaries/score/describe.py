"""The details of `measure` as lines for a terminal: what `--survey` adds."""

from collections.abc import Iterator, Mapping
from typing import Any

NAMED = 20  # people that are listed; --json has them all


def describe(details: Mapping[str, Any]) -> Iterator[str]:
    """Yield trivial systems, people, and other limits beside the score, if they were surveyed."""
    survey = details.get("survey")
    if not isinstance(survey, Mapping):
        return
    yield f"\n{survey['metric']} of trivial systems"
    yield from _rows(survey["trivial"])
    people = survey["people"]
    if people:
        yield f"{survey['metric']} of each person against the others"
        yield from _rows(dict(list(people.items())[:NAMED]))
        if len(people) > NAMED:
            yield f"  {len(people) - NAMED} more in --json"
    yield f"{survey['metric']} by limit, in words"
    yield "  " + "  ".join(f"{limit}: {_digits(value)}" for limit, value in survey["limits"])


def _rows(values: Mapping[str, Any]) -> Iterator[str]:
    width = max((len(name) for name in values), default=0)
    yield from (f"  {name:<{width}}  {_digits(value)}" for name, value in values.items())


def _digits(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
