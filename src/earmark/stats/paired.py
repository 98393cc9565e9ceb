"""Paired tests: two systems change places group by group, in every way or in many random ways.

The null hypothesis is that the two systems are exchangeable: in every group it does not matter
which of them an output came from. Under it, every pattern of swaps is equally probable, and p is
the share of patterns whose difference is at least as large as the observed one. That is more than
"equal on average": systems whose differences are skewed (mostly a little better, rarely much worse)
are not exchangeable even if their means are equal, and with few groups the test may say so.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.stats.draw import stream

# The level at which a difference, corrected for all pairs, counts: the field's usual 5 %.
SIGNIFICANCE = 0.05
# Random swaps are so many that the smallest p is a tenth of what the smallest must reach after
# correction; the test keeps its level with any number, but with fewer it loses power.
MARGIN = 10
# Up to so many patterns all are tried, however few random ones would do: 13 groups, milliseconds.
ALL = 4096
# A random test stops when so many swaps gave a difference as large: its p is then known to a tenth.
ENOUGH = 100
# Cells of a block of patterns: 16 MB of floats at a time, whatever the number of groups.
CELLS = 2_000_000
# Patterns of the first random block; most pairs that do not differ need no more.
FIRST = 256
# Differences count as equal within this share of the values they come from: rounding must not break
# ties, and sums of floating point numbers are right to about 1e-13 of their size.
SLACK = 1e-10

Pair = TypeVar("Pair")


@dataclass(frozen=True, slots=True)
class SwapPatterns:
    """Which groups change places: all patterns, or random ones.

    A pattern and its complement give differences of one size, so that of all patterns half are
    tried: those in which the last group stays.
    """

    groups: int
    patterns: int
    is_exact: bool
    seed: int = 0

    @classmethod
    def of(cls, groups: int, *, pairs: int = 1, least: int = 0, seed: int = 0) -> "SwapPatterns":
        """Return all patterns where they are few, else as many random ones as the pairs need.

        Examples
        --------
        >>> SwapPatterns.of(6).patterns, SwapPatterns.of(200, pairs=105).patterns
        (32, 21000)
        """
        needed = max(least, math.ceil(MARGIN * pairs / SIGNIFICANCE))
        if groups - 1 <= math.log2(max(needed, ALL)):
            return cls(groups, 2 ** (groups - 1), is_exact=True, seed=seed)
        return cls(groups, needed, is_exact=False, seed=seed)

    def blocks(self, *, columns: int = 1) -> Iterator[Bools]:
        """Yield whether each group swaps, in blocks of (patterns, groups).

        `columns` is how many numbers are computed from a pattern; it bounds the size of a block.
        """
        most = max(1, CELLS // max(1, self.groups, columns))
        rng = stream(self.seed, "swap", self.groups)
        start, size = 0, most if self.is_exact else min(FIRST, most)
        while start < self.patterns:
            stop = min(start + size, self.patterns)
            if self.is_exact:
                numbers = np.arange(start, stop)[:, None]
                yield (numbers >> np.arange(self.groups)) & 1 == 1
            else:
                yield rng.random((stop - start, self.groups)) < 0.5
            start, size = stop, min(2 * size, most)


def least_p(groups: int) -> float:
    """Return the smallest p that swapping so many groups can give, however clear the difference.

    Only no swap and all swaps give a difference as large: 2 of 2^groups patterns.

    Examples
    --------
    >>> least_p(5), least_p(6)
    (0.0625, 0.03125)
    """
    return 2.0 ** (1 - groups) if groups else 1.0


def least_groups(pairs: int, level: float = SIGNIFICANCE) -> int:
    """Return from how many groups on a pair can be separated, after correction for all pairs.

    Examples
    --------
    >>> least_groups(1), least_groups(45)
    (6, 11)
    """
    return 1 + math.ceil(math.log2(max(1, pairs) / level))


def swap_p_values(
    observed: Mapping[Pair, tuple[float, float]],
    differences: Callable[[Bools, Collection[Pair]], Mapping[Pair, Floats]],
    swaps: SwapPatterns,
    *,
    columns: int = 1,
) -> dict[Pair, float]:
    """Return p of each pair, two-sided; all pairs share the patterns.

    `observed` has the difference and the size of the values it comes from, `differences(block,
    pairs)` those of a block of patterns, (patterns,) per pair; one that is undefined counts as
    large. All patterns give the exact p. Random ones give (as large + 1) / (all + 1), as the
    observed pattern is one of them; they end early once `ENOUGH` were as large, with p = ENOUGH /
    tried (Besag and Clifford 1991, which keeps the level).
    """
    p_values = {pair: math.nan for pair in observed}
    open_pairs = {pair: 0 for pair, (value, _) in observed.items() if not math.isnan(value)}
    tried = 0
    for block in swaps.blocks(columns=columns):
        if not open_pairs:
            break
        swapped = differences(block, tuple(open_pairs))
        for pair in tuple(open_pairs):
            value, size = observed[pair]
            large = ~(np.abs(swapped[pair]) < abs(value) - SLACK * size)  # nan is large
            before, open_pairs[pair] = open_pairs[pair], open_pairs[pair] + int(large.sum())
            if not swaps.is_exact and open_pairs[pair] >= ENOUGH:
                last = int(np.flatnonzero(large)[ENOUGH - before - 1])
                p_values[pair] = ENOUGH / (tried + last + 1)
                del open_pairs[pair]
        tried += len(block)
    extra = 0 if swaps.is_exact else 1
    for pair, as_large in open_pairs.items():
        p_values[pair] = (as_large + extra) / (swaps.patterns + extra)
    return p_values


def holm(p_values: Mapping[Pair, float]) -> dict[Pair, float]:
    """Return p values corrected for many tests at once, by Holm's step-down method (Holm 1979).

    nan stays nan.

    Examples
    --------
    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    tested = sorted((p, place, name) for place, (name, p) in enumerate(p_values.items()) if p == p)
    corrected: dict[Pair, float] = {}
    so_far = 0.0
    for rank, (p, _, name) in enumerate(tested):
        so_far = max(so_far, min(1.0, p * (len(tested) - rank)))
        corrected[name] = so_far
    return {name: corrected.get(name, math.nan) for name in p_values}
