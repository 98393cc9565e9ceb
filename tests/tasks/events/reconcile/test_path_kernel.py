"""Draws of whole paths follow the posterior of the window HMM, cell by cell and together."""

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from tests.tasks.events.crowds import noisy_ballots
from tests.tasks.events.reconcile.test_hmm_kernel import CELLS, LEVELS, WINDOWS, path_probability

from earmark.tasks.events.reconcile.hmm import window_hmm
from earmark.tasks.events.reconcile.hmm_fit import sampled_paths
from earmark.tasks.events.reconcile.hmm_kernel import LabelChain
from earmark.tasks.events.reconcile.path_kernel import draw_paths
from earmark.tasks.events.reconcile.window_answers import window_answers

DRAWS = 20_000


def test_paths_are_drawn_as_often_as_the_sum_over_all_that_is_hidden_says() -> None:
    """Six cells have 64 paths; each one's share of 20,000 draws is its posterior probability."""
    rng = np.random.default_rng(4)
    likelihood = rng.random((WINDOWS, LEVELS, CELLS + 1))
    chain = LabelChain(
        np.array([0.7, 0.3]), np.array([[0.8, 0.2], [0.4, 0.6]]), np.array([0.9, 0.1])
    )
    posterior = dict.fromkeys(product((0, 1), repeat=WINDOWS + CELLS - 1), 0.0)
    for cells in posterior:
        for levels in product(range(LEVELS), repeat=WINDOWS):
            posterior[cells] += path_probability(cells, levels, chain, likelihood)
    total = sum(posterior.values())
    sizes = np.array([n.bit_count() for n in range(1 << CELLS)])
    drawn = draw_paths(likelihood, sizes, chain, rng.random((DRAWS, WINDOWS)))
    shares = Counter(tuple(path) for path in drawn.astype(int).tolist())
    # four standard deviations of a share of 20,000
    for cells, probability in posterior.items():
        assert shares[cells] / DRAWS == pytest.approx(probability / total, abs=0.014)
    moves = np.zeros((2, 2))
    for path in drawn.astype(int).tolist():
        for before, after in pairwise(path):
            moves[before, after] += 1 / DRAWS
    expected = np.zeros((2, 2))
    for cells, probability in posterior.items():
        for before, after in pairwise(cells):
            expected[before, after] += probability / total
    assert moves == pytest.approx(expected, abs=0.04)


def test_the_mean_of_the_draws_is_the_smoothed_activity_and_neighbours_keep_together() -> None:
    """A label's length varies more than if its cells were drawn one by one."""
    answers = window_answers(noisy_ballots())
    smoothed = window_hmm(answers)
    paths = sampled_paths(answers, smoothed, draws=2000, seed=3)
    starts = answers.cell_starts()
    spread, independent = 0.0, 0.0
    for r, recording in enumerate(answers.recordings):
        for k, label in enumerate(answers.labels):
            drawn = paths[recording][label]
            active = smoothed.active[starts[r] : starts[r + 1], k]
            assert drawn.mean(axis=0) == pytest.approx(active, abs=0.05)
            spread += float(np.var(drawn.sum(axis=1)))
            independent += float(np.sum(active * (1 - active)))
    assert spread > 1.2 * independent  # of how many cells are active
    again = sampled_paths(answers, smoothed, draws=2000, seed=3)
    assert (again["r"]["dog"] == paths["r"]["dog"]).all()
    other = sampled_paths(answers, smoothed, draws=2000, seed=4)
    assert (other["r"]["dog"] != paths["r"]["dog"]).any()
