"""The passes of the window HMM equal the sum over everything that could be hidden."""

from itertools import pairwise, product

import numpy as np
import pytest

from earmark.arrays import Floats
from earmark.tasks.events.reconcile.hmm_kernel import ExpectedCounts, LabelChain, smooth

CELLS, WINDOWS, LEVELS = 3, 4, 2


def path_probability(
    cells: tuple[int, ...], levels: tuple[int, ...], chain: LabelChain, likelihood: Floats
) -> float:
    """Return the joint probability of all cells, the level at each window, and the answers."""
    probability = chain.first[cells[0]] * chain.level[levels[0]]
    for before, after in pairwise(cells):
        probability *= chain.move[before, after]
    for t in range(WINDOWS):
        if t and begins_at(cells, t):
            probability *= chain.level[levels[t]]
        elif t and levels[t] != levels[t - 1]:
            return 0.0
        probability *= likelihood[t, levels[t], sum(cells[t : t + CELLS])]
    return float(probability)


def begins_at(cells: tuple[int, ...], t: int) -> bool:
    """Whether an event begins in the newest cell of window t."""
    return cells[t + CELLS - 2 : t + CELLS] == (0, 1)


def test_smoothing_equals_the_sum_over_all_hidden_cells_and_levels() -> None:
    """Six cells and a level at each of four windows: 64 x 16 paths."""
    rng = np.random.default_rng(4)
    likelihood = rng.random((WINDOWS, LEVELS, CELLS + 1))
    chain = LabelChain(
        np.array([0.7, 0.3]), np.array([[0.8, 0.2], [0.4, 0.6]]), np.array([0.9, 0.1])
    )
    total, active = 0.0, np.zeros(WINDOWS + CELLS - 1)
    columns, moves, begins = np.zeros(likelihood.shape), np.zeros((2, 2)), np.zeros(LEVELS)
    votes, patterns = rng.random((WINDOWS, 2)), np.zeros((LEVELS, 1 << CELLS, 2))
    for cells in product((0, 1), repeat=WINDOWS + CELLS - 1):
        for levels in product(range(LEVELS), repeat=WINDOWS):
            probability = path_probability(cells, levels, chain, likelihood)
            total += probability
            active += probability * np.array(cells)
            for pair in pairwise(cells):
                moves[pair] += probability
            for t in range(WINDOWS):
                columns[t, levels[t], sum(cells[t : t + CELLS])] += probability
                begins[levels[t]] += probability * begins_at(cells, t)
                pattern = int("".join(map(str, cells[t : t + CELLS])), 2)
                patterns[levels[t], pattern] += probability * votes[t]
    counts = ExpectedCounts(np.ones((2, 2)), np.ones(LEVELS), np.zeros_like(patterns))
    sizes = np.array([n.bit_count() for n in range(1 << CELLS)])
    smoothed = smooth(likelihood, votes, sizes, chain, counts)
    assert smoothed.log_likelihood == pytest.approx(np.log(total))
    assert smoothed.active == pytest.approx(active / total)
    assert smoothed.columns == pytest.approx(columns / total)
    assert counts.moves == pytest.approx(1 + moves / total)
    assert counts.begins == pytest.approx(1 + begins / total)
    assert counts.patterns == pytest.approx(patterns / total)
