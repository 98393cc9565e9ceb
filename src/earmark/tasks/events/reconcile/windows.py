"""The grid of overlapping windows over a recording: one length, one hop, no gaps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.span import Span

# Seconds by which times may differ and still be the same: the grid on which spans are kept.
SAME = 1e-6


@dataclass(frozen=True, slots=True)
class Grid:
    """Windows start every `hop` seconds and last `cells` hops."""

    hop: float
    cells: int


def by_recording(windows: Iterable[Item]) -> dict[str, list[Item]]:
    """Return the windows of each recording in order of time; recordings as they come."""
    rows: dict[str, list[Item]] = {}
    for window in windows:
        rows.setdefault(window.group, []).append(window)
    return {name: sorted(row, key=lambda each: span(each).start) for name, row in rows.items()}


def grid_of(rows: Mapping[str, Sequence[Item]]) -> Grid:
    """Return the grid of all windows, given recording by recording in order of time.

    Raise InputError if there is no window, or if windows differ in length, leave a gap, share a
    start, or last no whole number of hops.
    """
    if not rows:
        raise InputError("there must be at least one window", fix="name the windows")
    every = [window for row in rows.values() for window in row]
    length = round(_length(every[0]), 6)
    hop = min((step for row in rows.values() for step in _steps(row)), default=length)
    for window in every:
        if abs(_length(window) - length) > SAME:
            raise InputError(
                "windows must all be as long as the first",
                at=place(window),
                got=f"{_length(window):g} s",
                want=f"{length:g} s",
            )
    cells = round(length / hop)
    if abs(cells * hop - length) > SAME:
        raise InputError("a window must last a whole number of hops", got=f"{length} s by {hop} s")
    for row in rows.values():
        _refuse_gaps(row, hop)
    return Grid(hop, cells)


def span(window: Item) -> Span:
    """Return the seconds that a window covers; raise InputError if it does not say."""
    if window.span is None:
        raise InputError("a window needs a start and an end", at=place(window))
    return window.span


def place(window: Item) -> str:
    """Return where a window is to be looked for: file and line if it was read, or else its id."""
    return window.text or f"item {window.id}"


def _length(window: Item) -> float:
    return span(window).end - span(window).start


def _steps(row: Sequence[Item]) -> Iterator[float]:
    """Yield the seconds from each window's start to the next one's."""
    for before, after in pairwise(row):
        step = round(span(after).start - span(before).start, 6)
        if step <= 0:
            raise InputError(
                "two windows of a recording must not start together",
                at=place(after),
                got=f"{after.id} and {before.id}",
            )
        yield step


def _refuse_gaps(row: Sequence[Item], hop: float) -> None:
    if span(row[0]).start > SAME:
        raise _missing(row[0], 0.0)
    for before, after in pairwise(row):
        if abs(span(after).start - span(before).start - hop) > SAME:
            raise _missing(after, span(before).start + hop)


def _missing(window: Item, start: float) -> InputError:
    return InputError(
        "windows must follow one another without a gap",
        at=place(window),
        got=f"{window.group} continues at {span(window).start:g} s",
        want=f"a window that starts at {start:g} s",
        fix="add the missing windows",
    )
