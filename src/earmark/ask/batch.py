"""Groups of questions put out together, neighbours kept apart, and who may still answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from earmark.values.errors import InputError
from earmark.values.item import Item

From = Literal["end", "start"]


def batches(
    units: Sequence[Item], *, apart: float = 15.0, counted_from: From = "end"
) -> tuple[tuple[int, ...], ...]:
    """Positions of units, batch by batch; parts of one recording lie `apart` seconds apart in it.

    Counted from the end of one part to the start of the next, nobody who answers one batch hears a
    second twice; counted from start to start, parts may overlap when they are longer than `apart`.

    Examples
    --------
    >>> from earmark.values.span import Span
    >>> parts = [Item(str(k), "part", span=Span(k, k + 1), parent="r") for k in range(4)]
    >>> batches(parts, apart=1.0)
    ((0, 2), (1, 3))
    """
    if apart < 0:
        raise InputError("parts cannot lie closer than nothing", got=f"{apart} s")
    rows: dict[int, list[int]] = {}
    by_group: dict[str, list[int]] = {}
    for position, unit in enumerate(units):
        by_group.setdefault(unit.group, []).append(position)
    for positions in by_group.values():
        free: list[float] = []
        for position in sorted(positions, key=lambda k: _span(units[k])):
            start, end = _span(units[position])
            batch = next((k for k, at in enumerate(free) if start >= at - 1e-9), len(free))
            at = (end if counted_from == "end" else start) + apart
            free[batch : batch + 1] = [at]
            rows.setdefault(batch, []).append(position)
    return tuple(tuple(rows[k]) for k in sorted(rows))


def _span(unit: Item) -> tuple[float, float]:
    return (unit.span.start, unit.span.end) if unit.span else (0.0, 0.0)


def may_answer(given: Mapping[str, int], people: Iterable[str], *, cap: int) -> tuple[str, ...]:
    """Who has not yet given `cap` answers in earlier batches.

    The cap is looked at between batches, so a person can pass it within one.

    Examples
    --------
    >>> may_answer({"ann": 50, "bob": 49}, ["ann", "bob", "cem"], cap=50)
    ('bob', 'cem')
    """
    return tuple(person for person in people if given.get(person, 0) < cap)


def passed(
    answers: Mapping[str, Mapping[str, object]], known: Mapping[str, object], *, share: float
) -> tuple[str, ...]:
    """Who got at least `share` of the trial questions right; `known` holds the right answers.

    Examples
    --------
    >>> passed({"ann": {"q": 1}, "bob": {"q": 2}}, {"q": 1}, share=1.0)
    ('ann',)
    """
    if not known:
        raise InputError("a trial needs at least one question with a known answer")
    right = {
        person: sum(given.get(item) == value for item, value in known.items())
        for person, given in answers.items()
    }
    return tuple(person for person, n in right.items() if n >= share * len(known) - 1e-9)
