"""Ballots about windows made a sheet: every window there, every window answered."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from earmark.tasks.events.ask import labels_of, recording_seconds
from earmark.tasks.events.sheet import Sheet
from earmark.tasks.events.values import Tags
from earmark.values.answer import Ballots
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True)
class Window:
    """A window of a recording and where it was read from."""

    id: str
    recording: str
    start: float
    end: float
    at: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """What a person ticked in a window."""

    window: str
    person: str
    labels: frozenset[str]


def gather(ballots: Ballots[Tags]) -> Sheet:
    """The sheet of a study's ballots."""
    windows = [
        Window(item.id, item.group, item.span.start, item.span.end, f"item {item.id}")
        for item in ballots.items
        if item.span is not None
    ]
    labels = sorted({label for item in ballots.items[:1] for label in labels_of(item)})
    lengths = {item.id: recording_seconds(item) for item in ballots.material}
    votes = [Vote(a.item, a.person, a.value.labels) for a in ballots.answers]
    return sheet(windows, votes, tuple(labels), lengths)


def sheet(
    windows: Sequence[Window],
    votes: Sequence[Vote],
    labels: tuple[str, ...],
    lengths: Mapping[str, float] | None = None,
) -> Sheet:
    """Windows in any order and votes about them, as arrays; gaps and silence are errors."""
    rows: dict[str, list[Window]] = defaultdict(list)
    for window in windows:
        rows[window.recording].append(window)
    hop, cells = grid(rows)
    recordings = tuple(sorted(rows))
    order = [w for name in recordings for w in sorted(rows[name], key=lambda each: each.start)]
    position = {window.id: k for k, window in enumerate(order)}
    people = tuple(sorted({vote.person for vote in votes}))
    number = {person: k for k, person in enumerate(people)}
    ranked = sorted(votes, key=lambda v: (position[v.window], number[v.person]))
    _all_answered(order, {vote.window for vote in ranked})
    ends = {name: max(w.end for w in rows[name]) for name in recordings}
    return Sheet(
        recordings=recordings,
        durations=tuple((lengths or ends).get(name, ends[name]) for name in recordings),
        labels=labels,
        people=people,
        starts=np.cumsum([0, *(len(rows[name]) for name in recordings)]).astype(np.int64),
        hop=hop,
        cells=cells,
        window=np.array([position[v.window] for v in ranked], dtype=np.int64),
        person=np.array([number[v.person] for v in ranked], dtype=np.int64),
        yes=np.array([[k in v.labels for k in labels] for v in ranked], dtype=np.bool_),
    )


def grid(rows: Mapping[str, list[Window]]) -> tuple[float, int]:
    """The hop and how many hops a window lasts, the same everywhere."""
    if not rows:
        raise InputError("there must be at least one window", fix="name the windows")
    every = [window for row in rows.values() for window in row]
    length = round(every[0].end - every[0].start, 6)
    hop = min((gap for row in rows.values() for gap in _gaps(row)), default=length)
    for window in every:
        if abs(window.end - window.start - length) > 1e-6:
            raise InputError(
                "windows must all be as long as the first",
                at=window.at,
                got=f"{window.end - window.start:g} s",
                want=f"{length:g} s",
            )
    cells = round(length / hop)
    if abs(cells * hop - length) > 1e-6:
        raise InputError("a window must last a whole number of hops", got=f"{length} s by {hop} s")
    for row in rows.values():
        _no_gaps(row, hop)
    return hop, cells


def _neighbours(row: list[Window]) -> list[tuple[Window, Window]]:
    ordered = sorted(row, key=lambda window: window.start)
    return list(pairwise(ordered))


def _gaps(row: list[Window]) -> Iterator[float]:
    """Seconds from each window's start to the next one's."""
    for before, after in _neighbours(row):
        gap = round(after.start - before.start, 6)
        if gap <= 0:
            raise InputError("a window stands once", at=after.at, got=f"{after.id} and {before.id}")
        yield gap


def _no_gaps(row: list[Window], hop: float) -> None:
    first = min(row, key=lambda window: window.start)
    if first.start > 1e-6:
        raise _missing(first, 0.0)
    for before, after in _neighbours(row):
        if abs(after.start - before.start - hop) > 1e-6:
            raise _missing(after, before.start + hop)


def _missing(window: Window, start: float) -> InputError:
    return InputError(
        "windows must follow one another without a gap",
        at=window.at,
        got=f"{window.recording} goes on at {window.start:g} s",
        want=f"a window that starts at {start:g} s",
        fix="add the missing windows",
    )


def _all_answered(order: Sequence[Window], answered: set[str]) -> None:
    silent = [window for window in order if window.id not in answered]
    if silent:
        raise InputError(
            "every window needs an answer",
            at=silent[0].at,
            got=f"{len(silent)} windows without one, {silent[0].id} first",
            fix="ask somebody about them, or leave the recording out",
        )
