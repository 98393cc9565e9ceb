"""Resamples of groups of items, and paired tests between two systems."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.stats.draw import stream

# Cells of a block of resamples: 32 MB of 64-bit weights at a time, whatever the number of items.
CELLS = 4_000_000
# Differences are compared with this slack, so that rounding does not break ties.
SLACK = 1e-12


def resample_weights(groups: Sequence[str], *, resamples: int, seed: int) -> Iterator[Ints]:
    """Yield how often each item is drawn in each resample, in blocks of (resamples, items).

    Whole groups are drawn with replacement (the parts of one recording stay together), as many
    groups as there are. The draw depends on the seed and on the set of groups only, so two
    systems with the same items get the same resamples. Blocks keep memory bounded however many
    items there are.
    """
    names, places = _places(groups)
    rng = stream(seed, "bootstrap", len(names))
    probabilities = np.full(len(names), 1 / len(names))
    for size in _blocks(resamples, len(groups)):
        drawn = rng.multinomial(len(names), probabilities, size=size)
        yield np.asarray(drawn[:, places], dtype=np.int64)


def _places(groups: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the different groups, sorted, and for each item the place of its group among them."""
    names = sorted(set(groups))
    position = {name: index for index, name in enumerate(names)}
    return names, [position[group] for group in groups]


def _blocks(rows: int, columns: int) -> Iterator[int]:
    """Yield sizes that add up to `rows`, such that a block has about `CELLS` cells."""
    most = max(1, CELLS // max(1, columns))
    for start in range(0, rows, most):
        yield min(most, rows - start)


def swap_signs(groups: Sequence[str], *, resamples: int, seed: int) -> Iterator[Bools]:
    """Yield in blocks of (resamples, items) whether two systems swap; groups swap together."""
    names, places = _places(groups)
    rng = stream(seed, "swap", len(names))
    for size in _blocks(resamples, len(groups)):
        drawn = rng.random((size, len(names))) < 0.5
        yield np.asarray(drawn[:, places])


def two_sided_p(observed: float, permuted: Floats) -> float:
    """Return the share of permuted differences as large as the observed one or larger.

    The observed arrangement is itself one of the permutations, hence the + 1: p is never 0.
    """
    if math.isnan(observed):
        return math.nan
    defined = permuted[~np.isnan(permuted)]
    as_large = int(np.sum(np.abs(defined) >= abs(observed) - SLACK))
    return (as_large + 1) / (len(defined) + 1)


def resampled_p(observed: float, spread: Floats) -> float:
    """Return twice the share of resampled differences on the other side of 0, at most 1, never 0.

    Examples
    --------
    >>> resampled_p(0.2, np.array([0.1, 0.2, 0.3, -0.1]))
    0.8
    """
    defined = spread[~np.isnan(spread)]
    if math.isnan(observed) or not len(defined):
        return math.nan
    other_side = min(int(np.sum(defined <= 0)), int(np.sum(defined >= 0)))
    return min(1.0, 2 * (other_side + 1) / (len(defined) + 1))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return p values corrected for many tests at once, by Holm's step-down method (Holm 1979).

    nan stays nan.

    Examples
    --------
    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    tested = sorted((p, name) for name, p in p_values.items() if not math.isnan(p))
    corrected: dict[str, float] = {}
    so_far = 0.0
    for rank, (p, name) in enumerate(tested):
        so_far = max(so_far, min(1.0, p * (len(tested) - rank)))
        corrected[name] = so_far
    return {name: corrected.get(name, math.nan) for name in p_values}
