"""Windows: neighbouring boundaries of a panel taken as one place where a unit may end."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from earmark.stats.rates import harmonic, proportion
from earmark.tasks.boundaries.score.arrays import Ints, general, positions, same_length
from earmark.tasks.boundaries.score.panels import agreement_parts
from earmark.tasks.boundaries.values import Boundaries, Panel


@dataclass(frozen=True, slots=True)
class WindowCounts:
    """What WiSeBE is made of, for one text or summed over several.

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
        """The six numbers."""
        return (self.inside, self.outside, self.hit, self.missed, self.votes, self.possible)

    @classmethod
    def from_row(cls, row: tuple[float, ...]) -> "WindowCounts":
        """The counts of a row."""
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


@lru_cache(maxsize=64)
def find_windows(panel: Panel, *, limit: int, final: bool, votes: int = 1) -> tuple[Ints, Ints]:
    """First and last word of each window.

    The words that at least `votes` people marked are read in order; one joins the window before
    it when at most `limit` words lie between it and that window's last word, counted by the
    difference of their indices. Windows chain: only neighbours are compared.
    """
    where, counted = general(panel, final)
    return chain(where[counted >= votes], limit=limit)


def chain(where: Ints, *, limit: int) -> tuple[Ints, Ints]:
    """Sorted positions joined with their neighbours: first and last of each chain.

    Examples
    --------
    >>> first, last = chain(np.array([2, 5, 8, 15]), limit=3)
    >>> list(zip(first.tolist(), last.tolist()))
    [(2, 8), (15, 15)]
    """
    if not len(where):
        return where, where
    breaks = np.diff(where) > max(limit, 0)
    first = where[np.concatenate([[True], breaks])]
    last = where[np.concatenate([breaks, [True]])]
    return first, last


def place_in(first: Ints, last: Ints, where: Ints) -> tuple[Ints, Ints]:
    """For each position the window at or before it (-1 for none), and the distance to the nearest.

    The distance is 0 inside a window, else words to the nearest edge of any window; with no
    windows at all it is -1.
    """
    before = np.searchsorted(first, where, side="right") - 1
    if not len(first):
        return before, np.full(len(where), -1, dtype=np.int64)
    far = np.iinfo(np.int64).max // 4
    behind = np.where(before >= 0, where - last[np.maximum(before, 0)], far)
    after = before + 1
    ahead = np.where(after < len(first), first[np.minimum(after, len(first) - 1)] - where, far)
    return before, np.maximum(np.minimum(behind, ahead), 0)


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
    same_length(panel, output)
    first, last = find_windows(panel, limit=limit, final=final, votes=votes)
    where = positions(output, final=final)
    before, distance = place_in(first, last, where)
    inside = distance == 0
    if not whole:
        inside &= np.isin(where, general(panel, final)[0], assume_unique=True)
    hit = len(np.unique(before[inside]))
    together, possible = agreement_parts(panel, final=final)
    found = int(np.count_nonzero(inside))
    return WindowCounts(found, len(where) - found, hit, len(first) - hit, together, possible)


def tool_soft_scores(
    panel: Panel, output: Boundaries, *, limit: int, final: bool
) -> dict[str, float]:
    """The s_ scores that the authors' tool prints beside the published ones.

    One credit, the number of boundaries outside windows over their summed distances, is given to
    precision and again, times the missed windows, to recall: see README for why they mislead.
    """
    counts = count_windows(panel, output, limit=limit, final=final)
    first, last = find_windows(panel, limit=limit, final=final)
    _, distance = place_in(first, last, positions(output, final=final))
    total = int(distance.sum()) if len(first) else 0
    if total > 0:
        precision = proportion(
            counts.inside + counts.outside / total, of=counts.inside + counts.outside
        )
        recall = proportion(counts.hit + counts.missed / total, of=counts.hit + counts.missed)
    else:
        precision, recall = counts.precision, counts.recall
    f1 = harmonic(precision, recall)
    agreement = counts.agreement
    return {
        "s_precision": precision,
        "s_recall": recall,
        "s_f1": f1,
        "s_wisebe": f1 * agreement,
        "distance": float(total),
    }


def soft_credit(first: Ints, last: Ints, where: Ints, *, reach: int) -> float:
    """The most credit that pairing positions with windows one to one can earn.

    A pair at distance d is worth 1 - d / (reach + 1), nothing beyond `reach`. The best pairing
    of points on a line never crosses, so one pass suffices: `best[j]` is the most that the
    positions read so far earn with windows up to j.

    Examples
    --------
    >>> soft_credit(np.array([5, 9]), np.array([5, 9]), np.array([5, 6, 10]), reach=1)
    1.5
    """
    low = np.searchsorted(last, where - reach, side="left").tolist()
    high = np.searchsorted(first, where + reach, side="right").tolist()
    starts, ends = first.tolist(), last.tolist()
    best = [0.0]
    for at, begin, stop in zip(where.tolist(), low, high, strict=True):
        while len(best) <= stop:
            best.append(best[-1])
        carried = best[begin]
        for window in range(begin, stop):
            distance = max(starts[window] - at, at - ends[window], 0)
            taken = carried + 1 - distance / (reach + 1)
            carried = best[window + 1]
            best[window + 1] = max(carried, taken, best[window])
    return best[-1]


def count_soft(
    panel: Panel, output: Boundaries, *, limit: int, final: bool, reach: int
) -> tuple[float, int, int]:
    """Credit, output boundaries, windows of one text."""
    same_length(panel, output)
    first, last = find_windows(panel, limit=limit, final=final)
    where = positions(output, final=final)
    if not len(first) or not len(where):
        return 0.0, len(where), len(first)
    return soft_credit(first, last, where, reach=reach), len(where), len(first)


def is_alone(panel: Panel) -> bool:
    """Whether there is nobody to agree with."""
    return len(panel.references) < 2
