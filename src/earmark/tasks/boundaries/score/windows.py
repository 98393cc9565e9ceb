"""Windows: neighbouring boundaries of a panel taken as one place where a unit may end."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from earmark.arrays import Ints
from earmark.stats.rates import harmonic, proportion
from earmark.tasks.boundaries.score.agreement import count_agreement
from earmark.tasks.boundaries.values import Boundaries, Panel, require_same_length


class WindowSpans(NamedTuple):
    """The first and the last word of each window, ascending."""

    first: Ints  # (windows,)
    last: Ints  # (windows,)


@dataclass(frozen=True, slots=True)
class WindowCounts:
    """What WiSeBE is computed from, for one text or summed over several.

    Output boundaries inside and outside windows; windows hit and missed; votes on words that two
    people or more marked, and the most there could be.
    """

    inside: float = 0
    outside: float = 0
    hit: float = 0
    missed: float = 0
    votes: float = 0
    possible: float = 0

    def __add__(self, other: "WindowCounts") -> "WindowCounts":
        both = zip(self.row(), other.row(), strict=True)
        return WindowCounts(*(left + right for left, right in both))

    def row(self) -> tuple[float, ...]:
        """Return the six numbers."""
        return (self.inside, self.outside, self.hit, self.missed, self.votes, self.possible)

    @classmethod
    def from_row(cls, row: tuple[float, ...]) -> "WindowCounts":
        """Return the counts of a row."""
        return cls(*row)

    @property
    def precision(self) -> float:
        """Share of output boundaries that lie in a window (eq. 12); nan without any."""
        return proportion(self.inside, of=self.inside + self.outside)

    @property
    def recall(self) -> float:
        """Share of windows that hold an output boundary (eq. 13); nan without windows."""
        return proportion(self.hit, of=self.hit + self.missed)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two (eq. 11); 0 when both are 0."""
        return harmonic(self.precision, self.recall)

    @property
    def agreement(self) -> float:
        """The agreement ratio (eq. 5); nan when nobody marked anything."""
        return proportion(self.votes, of=self.possible)

    @property
    def wisebe(self) -> float:
        """F1 scaled by the agreement (eq. 10)."""
        return self.f1 * self.agreement


def find_windows(panel: Panel, *, limit: int, final: bool, votes: int = 1) -> WindowSpans:
    """Return the windows of a panel.

    The words that at least `votes` people marked are read in order; one joins the window before
    it when its index exceeds that of the window's last word by at most `limit`. Windows chain:
    only neighbours are compared.
    """
    words, counts = panel.votes(final=final)
    return chain(words[counts >= votes], limit=limit)


def chain(positions: Ints, *, limit: int) -> WindowSpans:
    """Join ascending positions with those neighbours that are at most `limit` away.

    Examples
    --------
    >>> first, last = chain(np.array([2, 5, 8, 15]), limit=3)
    >>> list(zip(first.tolist(), last.tolist()))
    [(2, 8), (15, 15)]
    """
    if not len(positions):
        return WindowSpans(positions, positions)
    breaks = np.diff(positions) > limit
    first = positions[np.concatenate([[True], breaks])]
    last = positions[np.concatenate([breaks, [True]])]
    return WindowSpans(first, last)


class WindowPlaces(NamedTuple):
    """Where positions lie relative to windows.

    `window` is the index of the last window that starts at or before the position, -1 for none.
    `distance` is 0 inside a window, else the number of words to the nearest edge of any window; -1
    when there are no windows at all.
    """

    window: Ints  # (positions,)
    distance: Ints  # (positions,)


def place_in(windows: WindowSpans, positions: Ints) -> WindowPlaces:
    """Return where each position lies relative to the windows."""
    first, last = windows
    before = np.searchsorted(first, positions, side="right") - 1
    if not len(first):
        return WindowPlaces(before, np.full(len(positions), -1, dtype=np.int64))
    far = np.iinfo(np.int64).max // 4  # means "no window on this side"
    to_last = np.where(before >= 0, positions - last[np.maximum(before, 0)], far)
    after = before + 1
    next_first = first[np.minimum(after, len(first) - 1)]
    to_next = np.where(after < len(first), next_first - positions, far)
    return WindowPlaces(before, np.maximum(np.minimum(to_last, to_next), 0))


def count_windows(
    panel: Panel,
    output: Boundaries,
    *,
    limit: int,
    final: bool,
    votes: int = 1,
    whole: bool = True,
) -> WindowCounts:
    """Tally one text. Unless `whole`, only words that somebody marked count as inside a window."""
    require_same_length(panel, output)
    windows = find_windows(panel, limit=limit, final=final, votes=votes)
    positions = output.positions(final=final)
    places = place_in(windows, positions)
    inside = places.distance == 0
    if not whole:
        inside &= np.isin(positions, panel.votes(final=final).words, assume_unique=True)
    boundaries_inside = int(np.count_nonzero(inside))
    windows_hit = len(np.unique(places.window[inside]))
    agreement = count_agreement(panel, final=final)
    return WindowCounts(
        inside=boundaries_inside,
        outside=len(positions) - boundaries_inside,
        hit=windows_hit,
        missed=len(windows.first) - windows_hit,
        votes=agreement.votes,
        possible=agreement.possible,
    )


class ToolSoftScores(NamedTuple):
    """The s_ scores of the authors' tool, and the summed distance that they are computed from."""

    s_precision: float
    s_recall: float
    s_f1: float
    s_wisebe: float
    distance: int


def tool_soft_scores(
    panel: Panel, output: Boundaries, *, limit: int, final: bool
) -> ToolSoftScores:
    """Return the s_ scores that the authors' tool prints beside the published ones.

    One credit, the number of boundaries outside windows over their summed distances, is given to
    precision and again, times the missed windows, to recall: see README for why they mislead.
    """
    counts = count_windows(panel, output, limit=limit, final=final)
    windows = find_windows(panel, limit=limit, final=final)
    places = place_in(windows, output.positions(final=final))
    distance = int(places.distance.sum()) if len(windows.first) else 0
    if distance > 0:
        precision = proportion(
            counts.inside + counts.outside / distance, of=counts.inside + counts.outside
        )
        recall = proportion(counts.hit + counts.missed / distance, of=counts.hit + counts.missed)
    else:
        precision, recall = counts.precision, counts.recall
    f1 = harmonic(precision, recall)
    return ToolSoftScores(precision, recall, f1, f1 * counts.agreement, distance)


class SoftCounts(NamedTuple):
    """The credit that an output earns, its boundaries, and the windows."""

    credit: float
    boundaries: int
    windows: int


def count_soft(
    panel: Panel, output: Boundaries, *, limit: int, final: bool, reach: int
) -> SoftCounts:
    """Tally one text when near misses earn part of a hit."""
    require_same_length(panel, output)
    windows = find_windows(panel, limit=limit, final=final)
    positions = output.positions(final=final)
    earns = len(windows.first) and len(positions)
    credit = soft_credit(windows, positions, reach=reach) if earns else 0.0
    return SoftCounts(credit, len(positions), len(windows.first))


def soft_credit(windows: WindowSpans, positions: Ints, *, reach: int) -> float:
    """Return the most credit that pairing positions with windows one to one can earn.

    A pair at distance d is worth 1 - d / (reach + 1), nothing beyond `reach`. The best pairing
    of points on a line never crosses, so a dynamic program over positions from left to right
    suffices: `best[j]` is the most that the positions read so far earn with the first j windows.
    A position changes only the entries of the windows within its reach. It may take window j on
    top of what the earlier positions earned with the windows before j; that value, `before`, is
    remembered because `best` is overwritten in place.

    Examples
    --------
    >>> spans = WindowSpans(np.array([5, 9]), np.array([5, 9]))
    >>> soft_credit(spans, np.array([5, 6, 10]), reach=1)
    1.5
    """
    starts, ends = windows.first.tolist(), windows.last.tolist()
    lows = np.searchsorted(windows.last, positions - reach, side="left").tolist()
    highs = np.searchsorted(windows.first, positions + reach, side="right").tolist()
    best = [0.0]
    for position, low, high in zip(positions.tolist(), lows, highs, strict=True):
        while len(best) <= high:
            best.append(best[-1])
        before = best[low]
        for window in range(low, high):
            distance = max(starts[window] - position, position - ends[window], 0)
            taken = before + 1 - distance / (reach + 1)
            before = best[window + 1]
            best[window + 1] = max(before, taken, best[window])
    return best[-1]
