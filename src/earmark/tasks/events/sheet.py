"""Answers to overlapping windows as arrays, and what they say about each cell of time.

Time is cut into cells as long as the hop; a window covers the same number of cells everywhere.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from earmark.reconcile.ballots import Coded, Floats, coded
from earmark.tasks.events.values import Event, Timeline
from earmark.values.span import on_grid

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
NO, YES = 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """Windows of recordings, without gaps, and who ticked what in them.

    `starts[r]:starts[r+1]` are recording r's windows in order of time. Answer k is that of person
    `person[k]` about window `window[k]`, ticking `yes[k]`, one flag a label.
    """

    recordings: tuple[str, ...]
    durations: tuple[float, ...]
    labels: tuple[str, ...]
    people: tuple[str, ...]
    starts: Ints
    hop: float
    cells: int
    window: Ints
    person: Ints
    yes: Bools

    @property
    def windows(self) -> int:
        """How many windows there are."""
        return int(self.starts[-1])

    def pairs(self) -> Coded:
        """Each (window, label) pair as a yes/no item, all labels in one run, as in the paper."""
        size = len(self.labels)
        item = (self.window[:, None] * size + np.arange(size)).ravel()
        person = np.repeat(self.person, size)
        names = tuple(str(k) for k in range(self.windows * size))
        return coded(item, person, self.yes.ravel(), names=(names, self.people, ("no", "yes")))

    def of(self, people: Bools) -> "Sheet":
        """Only the answers of some people; every window stays."""
        keep = people[self.person]
        return replace(self, window=self.window[keep], person=self.person[keep], yes=self.yes[keep])

    def votes(self) -> tuple[Floats, Floats]:
        """How many ticked each label of each window, and how many answered the window."""
        ticked = np.zeros((self.windows, len(self.labels)))
        np.add.at(ticked, self.window, self.yes)
        return ticked, np.bincount(self.window, minlength=self.windows).astype(float)

    def cell_starts(self) -> Ints:
        """Where each recording's cells begin when they are laid end to end."""
        counts = np.diff(self.starts) + self.cells - 1
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def spread(self, per_window: Floats) -> Floats:
        """Sum over the windows that cover a cell, recording by recording."""
        ends = self.cell_starts()
        rows = np.zeros((ends[-1], *per_window.shape[1:]))
        for r in range(len(self.recordings)):
            block = per_window[self.starts[r] : self.starts[r + 1]]
            for k in range(self.cells):
                rows[ends[r] + k : ends[r] + k + len(block)] += block
        return rows

    def timelines(self, active: Bools, doubt: Floats | None = None) -> dict[str, Timeline]:
        """Adjacent active cells joined to events; doubt, when given, is kept cell by cell."""
        ends = self.cell_starts()
        lines = {}
        for r, name in enumerate(self.recordings):
            cells = slice(int(ends[r]), int(ends[r + 1]))
            events = self._events(active[cells], self.durations[r])
            told = () if doubt is None else self._doubt(doubt[cells])
            lines[name] = Timeline(self.durations[r], events, doubt=told)
        return lines

    def _events(self, active: Bools, duration: float) -> tuple[Event, ...]:
        events = []
        for k, label in enumerate(self.labels):
            edges = np.flatnonzero(np.diff(active[:, k], prepend=False, append=False))
            for first, last in edges.reshape(-1, 2).tolist():
                onset, offset = on_grid(first * self.hop), on_grid(last * self.hop)
                events.append(Event(label, onset, min(offset, duration)))
        return tuple(events)

    def _doubt(self, cells: Floats) -> tuple[tuple[str, tuple[float, ...]], ...]:
        rounded = np.round(cells, 4).T.tolist()
        return tuple((label, tuple(row)) for label, row in zip(self.labels, rounded, strict=True))


def activity(sheet: Sheet, ticked: Floats, asked: Floats) -> Floats:
    """Share of the opinions available for each cell that say yes; nan where there are none.

    `ticked` is windows by labels, `asked` one number a window, or one a label too: votes and
    voters, or a reconciled tag and 1.
    """
    available = sheet.spread(asked if asked.ndim > 1 else asked[:, None])
    with np.errstate(invalid="ignore"):
        return np.asarray(sheet.spread(ticked) / available)


def active(shares: Floats, threshold: float) -> Bools:
    """Cells in which at least `threshold` of the opinions say yes; never those without opinions."""
    return np.asarray(np.round(np.nan_to_num(shares), 12) >= round(threshold, 12))
