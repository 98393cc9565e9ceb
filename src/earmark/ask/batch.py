"""Questions grouped into batches in which neighbours lie apart; and who passed a trial."""

from collections.abc import Mapping, Sequence
from typing import Literal

from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item

From = Literal["end", "start"]
# Sums of times and of shares are compared with this slack, so that 0.1 + 0.2 reaches 0.3.
SLACK = 1e-9


def batches(
    units: Sequence[Item], *, apart: float = 15.0, counted_from: From = "end"
) -> tuple[tuple[int, ...], ...]:
    """Return positions of units, batch by batch; parts of one recording lie `apart` seconds apart.

    Counted from the end of one part to the start of the next, nobody who answers one batch hears a
    second twice; counted from start to start, parts may overlap when they are longer than `apart`.

    Examples
    --------
    >>> from earmark.values.span import Span
    >>> parts = [Item(str(k), "part", span=Span(k, k + 1), parent="r") for k in range(4)]
    >>> batches(parts, apart=1.0)
    ((0, 2), (1, 3))
    """
    checks.at_least(apart, 0, what="the seconds between parts")
    by_group: dict[str, list[int]] = {}
    for position, unit in enumerate(units):
        by_group.setdefault(unit.group, []).append(position)
    rows: dict[int, list[int]] = {}
    for positions in by_group.values():
        # free[k] is the time from which batch k may take another part of this recording; each part
        # goes to the first batch that may take it
        free: list[float] = []
        for position in sorted(positions, key=lambda k: _span(units[k])):
            start, end = _span(units[position])
            batch = next((k for k, time in enumerate(free) if start >= time - SLACK), len(free))
            free[batch : batch + 1] = [(end if counted_from == "end" else start) + apart]
            rows.setdefault(batch, []).append(position)
    return tuple(tuple(rows[k]) for k in sorted(rows))


def _span(unit: Item) -> tuple[float, float]:
    return (unit.span.start, unit.span.end) if unit.span else (0.0, 0.0)


def passed(
    answers: Mapping[str, Mapping[str, object]], known: Mapping[str, object], *, share: float
) -> tuple[str, ...]:
    """Return who answered at least `share` of the trial questions correctly.

    `answers` are by person and item, `known` holds the right answer of each trial question.

    Examples
    --------
    >>> passed({"ann": {"q": 1}, "bob": {"q": 2}}, {"q": 1}, share=1.0)
    ('ann',)
    """
    if not known:
        raise InputError("a trial needs at least one question with a known answer")
    right = {
        person: sum(own.get(item) == value for item, value in known.items())
        for person, own in answers.items()
    }
    return tuple(person for person, n in right.items() if n >= share * len(known) - SLACK)
