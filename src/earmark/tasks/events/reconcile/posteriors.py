"""What else a timeline could be: tags drawn by their probability, people or paths drawn anew.

Each record holds one recording in plain numbers, and draws a timeline that differs from the
reference's in its events alone.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.stats.draw import stream
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.events.reconcile.window_answers import WindowAnswers

Vote = Literal["majority", "union", "share", "trusted"]
# A run of cells by its first cell and the one after its last; a path is the runs that are active.
Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TagPosterior:
    """The probability that each window of a recording holds each label; None where it abstains.

    Windows are drawn one by one and stacked as the reference was: cells of `hop` seconds, `cells`
    per window, active from `share` of the windows on.
    """

    hop: float
    cells: int
    share: float
    yes: tuple[tuple[str, tuple[float | None, ...]], ...]

    def __post_init__(self) -> None:
        _check_grid(self.hop, self.cells, self.share)
        flat = [p for _, row in self.yes for p in row if p is not None]
        if len({len(row) for _, row in self.yes}) > 1 or not all(0 <= p <= 1 for p in flat):
            raise InputError("every window needs a probability from 0 to 1 for every label")

    def draw(self, value: Timeline, *, item: str, seed: int) -> Timeline:
        """Return the timeline of tags drawn window by window."""
        labels = tuple(label for label, _ in self.yes)
        yes = np.array([row for _, row in self.yes], dtype=float).T  # (windows, labels)
        tags = stream(seed, "tags", item).random(yes.shape) < yes  # never where it abstains
        asked = ~np.isnan(yes)
        recording = _recording(
            value, item, labels, hop=self.hop, cells=self.cells, windows=len(yes)
        )
        return _stacked(value, recording, tags.astype(float), asked.astype(float), self.share)


@dataclass(frozen=True)
class OpinionPosterior:
    """Who ticked what in each window of a recording; people are drawn anew, window by window.

    `answers` has for each window its answers: the person's place in `people`, then the places in
    `labels` of what they ticked. Windows with the same people get the same draw.
    """

    by: Vote
    hop: float
    cells: int
    share: float
    labels: tuple[str, ...]
    people: tuple[str, ...]
    answers: tuple[tuple[tuple[int, ...], ...], ...]

    def __post_init__(self) -> None:
        _check_grid(self.hop, self.cells, self.share)
        rows = [row for window in self.answers for row in window]
        if self.by not in get_args(Vote) or not all(
            0 <= row[0] < len(self.people) and all(0 <= k < len(self.labels) for k in row[1:])
            for row in rows
        ):
            raise InputError("an answer must be a known person's about known labels")

    def draw(self, value: Timeline, *, item: str, seed: int) -> Timeline:
        """Return the timeline of as many people per window, drawn with replacement."""
        rows = self._rows
        uniform = stream(seed, "opinions", item).random((rows.panels, rows.most))
        # answer k of a window gives way to one that is drawn among the answers to that window
        drawn = rows.first + (uniform[rows.panel, rows.place] * rows.asked[rows.window]).astype(int)
        ticked = np.zeros((len(self.answers), len(self.labels)))
        np.add.at(ticked, rows.window, rows.yes[drawn])
        recording = _recording(
            value, item, self.labels, hop=self.hop, cells=self.cells, windows=len(self.answers)
        )
        return _stacked(value, recording, *voted(self.by, ticked, rows.asked), self.share)

    # Every draw starts from these arrays, so they are laid out once. This is why the class has no
    # slots.
    @cached_property
    def _rows(self) -> "_AnswerRows":
        panels: dict[tuple[int, ...], int] = {}
        places: list[tuple[int, int, int, int]] = []
        for window, answers in enumerate(self.answers):
            panel = panels.setdefault(tuple(row[0] for row in answers), len(panels))
            first = len(places)
            places += [(window, panel, first, k) for k in range(len(answers))]
        yes = np.zeros((len(places), len(self.labels)))
        for k, ticks in enumerate(row[1:] for answers in self.answers for row in answers):
            yes[k, list(ticks)] = 1
        asked = np.array([len(answers) for answers in self.answers], dtype=float)
        by_column = np.array(places, dtype=np.int64).reshape(-1, 4).T
        return _AnswerRows(
            window=by_column[0],
            panel=by_column[1],
            first=by_column[2],
            place=by_column[3],
            yes=yes,
            asked=asked,
            panels=len(panels),
            most=int(asked.max(initial=0)),
        )


class _AnswerRows(NamedTuple):
    """The answers about a recording as arrays: their window, panel, the window's first answer."""

    window: Ints  # (answers,)
    panel: Ints  # (answers,)
    first: Ints  # (answers,)
    place: Ints  # (answers,): place among the answers to the window
    yes: Floats  # (answers, labels)
    asked: Floats  # (windows,)
    panels: int
    most: int  # answers to a window at most


@dataclass(frozen=True, slots=True)
class PathPosterior:
    """Joint draws of a recording's cells, for each label: how often each path was drawn.

    A path is what is active from the first cell to the last, so that neighbouring cells keep
    together. Labels are independent of one another, as in the window HMM.
    """

    hop: float
    paths: tuple[tuple[str, tuple[tuple[int, Path], ...]], ...]

    def __post_init__(self) -> None:
        rows = [row for _, drawn in self.paths for row in drawn]
        if not self.hop > 0 or not all(
            times > 0 and len(path) % 2 == 0 and list(path) == sorted(set(path))
            for times, path in rows
        ):
            raise InputError("a path must be drawn at least once, and its runs be in order")

    def draw(self, value: Timeline, *, item: str, seed: int) -> Timeline:
        """Return the timeline of one path per label."""
        from earmark.tasks.events.reconcile.window_answers import events_of

        rng = stream(seed, "paths", item)
        events: list[Event] = []
        for label, drawn in self.paths:
            total = np.cumsum([times for times, _ in drawn])
            path = drawn[int(np.searchsorted(total, rng.integers(total[-1]), side="right"))][1]
            events += events_of(label, path, hop=self.hop, duration=value.duration)
        return replace(value, events=tuple(events))


def voted(by: Vote, ticked: Floats, asked: Floats) -> tuple[Floats, Floats]:
    """Return what is stacked by a vote: tags and 1 for each window, or opinions and their number.

    `ticked` is (windows, labels), `asked` (windows,); so are the results.
    """
    if by in ("share", "trusted"):
        return ticked, asked
    tags = ticked * 2 > asked[:, None] if by == "majority" else ticked > 0
    return tags.astype(float), (asked > 0).astype(float)


def _check_grid(hop: float, cells: int, share: float) -> None:
    if not hop > 0 or cells < 1 or not 0 <= share <= 1:
        raise InputError("windows need a hop > 0, cells > 0 and a share from 0 to 1")


def _recording(
    value: Timeline, item: str, labels: tuple[str, ...], *, hop: float, cells: int, windows: int
) -> "WindowAnswers":
    """Return the grid of one recording, without its answers."""
    from earmark.tasks.events.reconcile.window_answers import WindowAnswers

    none = np.zeros(0, dtype=np.int64)
    return WindowAnswers(
        recordings=(item,),
        durations=(value.duration,),
        labels=labels,
        people=(),
        hop=hop,
        cells=cells,
        starts=np.array([0, windows]),
        window=none,
        person=none,
        yes=np.zeros((0, len(labels)), dtype=np.bool_),
    )


def _stacked(
    value: Timeline, recording: "WindowAnswers", ticked: Floats, asked: Floats, share: float
) -> Timeline:
    from earmark.tasks.events.reconcile.window_answers import active, activity

    cells: Bools = active(activity(recording, ticked, asked), share)
    (line,) = recording.timelines(cells).values()
    return replace(value, events=line.events)
