"""Resamples of groups of items."""

from collections.abc import Iterator, Sequence

import numpy as np

from earmark.arrays import Ints
from earmark.stats.draw import stream

# Cells of a block of resamples: 32 MB of 64-bit weights at a time, whatever the number of items.
CELLS = 4_000_000


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
