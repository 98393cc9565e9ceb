"""Answers to overlapping windows as arrays, and what they say about each cell of time.

Time is cut into cells as long as the hop; every window covers the same number of cells. With the
paper's windows of 10 s every second, a cell is a second and ten windows cover it, fewer at the
edges of a recording.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.reconcile.ballots import Coded, coded
from earmark.tasks.events.reconcile.windows import SAME, by_recording, grid_of, place, span
from earmark.tasks.events.values import (
    Event,
    FrameScores,
    Tags,
    Timeline,
    labels_of,
    recording_seconds,
)
from earmark.values.answer import Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.span import on_grid

# The label of a (window, label) pair that somebody ticked; the other label, 0, is "no".
YES = 1
# Windows of answers, each the place of a person and of the labels that they ticked.
WindowRows = tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class WindowAnswers:
    """Windows of recordings, without gaps, and who ticked what in them.

    Windows are numbered recording by recording in order of time: those of recording r are
    `starts[r]` up to `starts[r + 1]`. Answer k is that of person `person[k]` about window
    `window[k]`; it ticks the labels where `yes[k]` is true. Answers are sorted by window and
    person. A window covers `cells` cells of `hop` seconds.
    """

    recordings: tuple[str, ...]
    durations: tuple[float, ...]
    labels: tuple[str, ...]
    people: tuple[str, ...]
    hop: float
    cells: int
    starts: Ints  # (recordings + 1,)
    window: Ints  # (answers,)
    person: Ints  # (answers,)
    yes: Bools  # (answers, labels)

    @property
    def windows(self) -> int:
        """How many windows there are."""
        return int(self.starts[-1])

    def pairs(self) -> Coded:
        """Return each (window, label) pair as one yes/no item, all labels together.

        The paper fits MACE that way: a person has one competence, whatever the label.
        """
        size = len(self.labels)
        item = (self.window[:, None] * size + np.arange(size)).ravel()
        person = np.repeat(self.person, size)
        names = tuple(str(k) for k in range(self.windows * size))
        return coded(item, person, self.yes.ravel(), names=(names, self.people, ("no", "yes")))

    def answered_by(self, people: Bools) -> "WindowAnswers":
        """Return the answers of some people only; every window stays.

        `people` has one flag per person.
        """
        chosen = people[self.person]
        return replace(
            self, window=self.window[chosen], person=self.person[chosen], yes=self.yes[chosen]
        )

    def votes(self) -> tuple[Floats, Floats]:
        """Return how many people ticked each label of each window, and how many answered it.

        Shapes (windows, labels) and (windows,).
        """
        ticked = np.zeros((self.windows, len(self.labels)))
        np.add.at(ticked, self.window, self.yes)
        return ticked, np.bincount(self.window, minlength=self.windows).astype(float)

    def by_window(self) -> Iterator[tuple[str, tuple[str, ...], WindowRows]]:
        """Yield for each recording its name, its people, and who ticked what in each window.

        An answer is the place of its person among these people, then the places of the labels
        that it ticks.
        """
        windows: list[list[tuple[int, ...]]] = [[] for _ in range(self.windows)]
        for window, person, yes in zip(
            self.window.tolist(), self.person.tolist(), self.yes, strict=True
        ):
            windows[window].append((person, *np.flatnonzero(yes).tolist()))
        for r, recording in enumerate(self.recordings):
            own = windows[self.starts[r] : self.starts[r + 1]]
            known = sorted({row[0] for rows in own for row in rows})
            place = {person: k for k, person in enumerate(known)}
            placed = tuple(tuple((place[row[0]], *row[1:]) for row in rows) for rows in own)
            yield recording, tuple(self.people[person] for person in known), placed

    def cell_starts(self) -> Ints:
        """Return where each recording's cells begin when they are laid end to end.

        Shape (recordings + 1,); the last entry is the number of all cells.
        """
        counts = np.diff(self.starts) + self.cells - 1
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def sum_over_windows(self, per_window: Floats) -> Floats:
        """Return for each cell the sum over the windows that cover it.

        Shape (windows, ...) in, (all cells, ...) out.
        """
        starts = self.cell_starts()
        totals = np.zeros((starts[-1], *per_window.shape[1:]))
        for r in range(len(self.recordings)):
            block = per_window[self.starts[r] : self.starts[r + 1]]
            for k in range(self.cells):
                totals[starts[r] + k : starts[r] + k + len(block)] += block
        return totals

    def timelines(
        self, active: Bools, doubt: Floats | None = None, soft: Floats | None = None
    ) -> dict[str, Timeline]:
        """Return the timeline of each recording: adjacent active cells become one event.

        All have the shape (all cells, labels); doubt is stored cell by cell, soft labels (how
        probable it is that a cell is active) as frame scores.
        """
        starts = self.cell_starts()
        lines = {}
        for r, name in enumerate(self.recordings):
            cells = slice(int(starts[r]), int(starts[r + 1]))
            events = self._events(active[cells], self.durations[r])
            rows = () if doubt is None else self._doubt(doubt[cells])
            scores = None if soft is None else self._soft(soft[cells])
            lines[name] = Timeline(self.durations[r], events, scores, rows)
        return lines

    def _events(self, active: Bools, duration: float) -> tuple[Event, ...]:
        events: list[Event] = []
        for k, label in enumerate(self.labels):
            events += events_of(label, runs_of(active[:, k]), hop=self.hop, duration=duration)
        return tuple(events)

    def _soft(self, cells: Floats) -> FrameScores:
        edges = [on_grid(k * self.hop) for k in range(len(cells) + 1)]
        return FrameScores(self.labels, edges, np.round(cells, 4))

    def _doubt(self, cells: Floats) -> tuple[tuple[str, tuple[float, ...]], ...]:
        rounded = np.round(cells, 4).T.tolist()
        return tuple((label, tuple(row)) for label, row in zip(self.labels, rounded, strict=True))


def runs_of(active: Bools) -> tuple[int, ...]:
    """Return where runs of active cells begin and end, in turn: (cells,) in.

    Examples
    --------
    >>> runs_of(np.array([False, True, True, False, True]))
    (1, 3, 4, 5)
    """
    return tuple(np.flatnonzero(np.diff(active, prepend=False, append=False)).tolist())


def events_of(label: str, runs: Sequence[int], *, hop: float, duration: float) -> Iterator[Event]:
    """Yield the event of each run of active cells, as `runs_of` gives them."""
    for first, last in zip(runs[::2], runs[1::2], strict=True):
        onset, offset = on_grid(first * hop), on_grid(last * hop)
        yield Event(label, onset, min(offset, duration))


def window_answers(ballots: Ballots[Tags], *, gaps: bool = False) -> WindowAnswers:
    """Return the ballots as arrays.

    Raise InputError if the windows are no grid (`windows.grid_of`) or one has no answer; with
    `gaps`, only if some second is in no window that has one.
    """
    rows = dict(sorted(by_recording(ballots.items).items()))
    grid = grid_of(rows)
    order = [window for row in rows.values() for window in row]
    if gaps:
        _refuse_unheard(rows, ballots)
    else:
        _refuse_unanswered(order, ballots)
    position = {window.id: k for k, window in enumerate(order)}
    people = ballots.people
    number = {person: k for k, person in enumerate(people)}
    answers = sorted(ballots.answers, key=lambda a: (position[a.item], number[a.person]))
    labels = tuple(sorted(set(labels_of(ballots.items[0]))))
    seconds = {item.id: recording_seconds(item) for item in ballots.material}
    ends = {name: max(span(window).end for window in row) for name, row in rows.items()}
    return WindowAnswers(
        recordings=tuple(rows),
        durations=tuple(seconds.get(name, ends[name]) for name in rows),
        labels=labels,
        people=people,
        hop=grid.hop,
        cells=grid.cells,
        starts=np.cumsum([0, *map(len, rows.values())]).astype(np.int64),
        window=np.array([position[a.item] for a in answers], dtype=np.int64),
        person=np.array([number[a.person] for a in answers], dtype=np.int64),
        yes=np.array([[k in a.value.labels for k in labels] for a in answers], dtype=np.bool_),
    )


def _refuse_unanswered(order: Sequence[Item], ballots: Ballots[Tags]) -> None:
    answered = {answer.item for answer in ballots.answers}
    silent = [window for window in order if window.id not in answered]
    if silent:
        raise InputError(
            "every window needs an answer",
            at=place(silent[0]),
            got=f"{len(silent)} windows without one, {silent[0].id} first",
            fix="ask somebody about them, or leave the recording out",
        )


def _refuse_unheard(rows: Mapping[str, Sequence[Item]], ballots: Ballots[Tags]) -> None:
    """Raise InputError if there is a second that nobody was asked about."""
    answered = {answer.item for answer in ballots.answers}
    for name, row in rows.items():
        spans = [span(window) for window in row if window.id in answered]
        end = span(row[-1]).end
        for upto, begins in zip(
            [0.0, *(one.end for one in spans)], [*(one.start for one in spans), end], strict=True
        ):
            if begins > upto + SAME:
                raise InputError(
                    "every second needs a window that somebody answered",
                    at=f"recording {name}",
                    got=f"none from {upto:g} to {begins:g} s",
                    fix="ask somebody about it, or leave the recording out",
                )


def activity(answers: WindowAnswers, ticked: Floats, asked: Floats) -> Floats:
    """Return the share of the opinions about each cell that say yes; nan where there are none.

    `ticked` is (windows, labels), `asked` (windows,) or (windows, labels): the number of votes
    and of voters, or a reconciled tag and 1. The result is (all cells, labels).
    """
    available = answers.sum_over_windows(asked if asked.ndim > 1 else asked[:, None])
    with np.errstate(invalid="ignore"):
        return np.asarray(answers.sum_over_windows(ticked) / available)


def active(shares: Floats, threshold: float) -> Bools:
    """Return the cells in which at least `threshold` of the opinions say yes.

    Cells without opinions are never active. Compared after rounding, so that 4 of 5 is 0.8.
    """
    return np.asarray(np.round(np.nan_to_num(shares), 12) >= round(threshold, 12))
