"""HMM-crowd and Bayesian sequence combination, against sums over all sequences."""

from itertools import pairwise, product

import numpy as np
import pytest
from tests.tasks.events.crowds import noisy_ballots, perfect_ballots

from earmark.tasks.events.reconcile.sequence_kernel import draw_cells, smooth_cells
from earmark.tasks.events.reconcile.sequences import (
    bsc,
    hmm_crowd,
    sampled_cells,
    table_counts,
    variational,
)
from earmark.tasks.events.reconcile.window_answers import window_answers
from earmark.tasks.events.values import Event, Timeline

FIRST, MOVE = np.array([0.6, 0.3]), np.array([[0.7, 0.2], [0.3, 0.6]])  # VB's need not sum to 1


def test_smoothing_equals_the_sum_over_all_sequences() -> None:
    likelihood = np.random.default_rng(2).random((5, 2))
    total, active, moves = 0.0, np.zeros(5), np.zeros((2, 2))
    for cells in product((0, 1), repeat=5):
        weight = FIRST[cells[0]] * np.prod([likelihood[t, cell] for t, cell in enumerate(cells)])
        for pair in pairwise(cells):
            weight *= MOVE[pair]
        total += weight
        active += weight * np.array(cells)
        for pair in pairwise(cells):
            moves[pair] += weight
    smoothed = smooth_cells(likelihood, FIRST, MOVE)
    assert smoothed.log_likelihood == pytest.approx(np.log(total))
    assert smoothed.active == pytest.approx(active / total)
    assert smoothed.moves == pytest.approx(moves / total)
    drawn = draw_cells(likelihood, FIRST, MOVE, np.random.default_rng(3).random((20_000, 5)))
    assert drawn.mean(axis=0) == pytest.approx(active / total, abs=0.015)


def test_a_tick_speaks_for_every_cell_of_its_window() -> None:
    """Eleven cells, two windows of ten; the first cell is active, and the one person ticks both.

    Dog: 1 active cell and 9 others in the first window, 10 others in the second, all said yes to.
    Siren, never ticked: 20 cells, inactive and said no to.
    """
    truth = Timeline(11, (Event("dog", 0, 11),))
    answers = window_answers(perfect_ballots(truth, people=1))
    active = np.zeros((11, 2))
    active[0, answers.labels.index("dog")] = 1.0
    counts = table_counts(answers, active)[0]
    assert counts.tolist() == [[20.0, 19.0], [0.0, 1.0]]


def test_variational_weights_are_those_of_the_digamma_function() -> None:
    """digamma(2) - digamma(3) = -1/2 and digamma(1) - digamma(3) = -3/2."""
    assert variational(np.array([2.0, 1.0])) == pytest.approx(np.exp([-0.5, -1.5]))


@pytest.mark.parametrize("fit", [hmm_crowd, bsc])
def test_they_find_the_event_but_grow_it_by_what_a_window_adds(fit) -> None:
    """Everybody ticks every window that touches the event: half of those votes are a majority."""
    answers = window_answers(perfect_ballots(Timeline(60, (Event("dog", 20, 35),)), people=4))
    sequence = fit(answers, iterations=30)
    dog = np.flatnonzero(sequence.active[:, answers.labels.index("dog")] >= 0.5)
    assert dog.min() <= 20 and dog.max() >= 34 and len(dog) <= 15 + 18
    assert not (sequence.active[:, answers.labels.index("siren")] >= 0.5).any()
    assert (sequence.competence() > 0.5).all()


def test_their_priors_differ() -> None:
    answers = window_answers(noisy_ballots())
    one, two = (fit(answers, iterations=10) for fit in (hmm_crowd, bsc))
    assert one.tables.sum(axis=-1).max() < 1 and two.tables.sum(axis=-1).max() < 1  # VB
    assert one.move.sum(axis=-1) == pytest.approx(1.0)  # maximum likelihood
    assert two.move.sum(axis=-1).max() < 1
    assert not np.allclose(one.active, two.active, atol=1e-3)


def test_draws_of_whole_sequences_have_the_smoothed_mean() -> None:
    answers = window_answers(noisy_ballots())
    sequence = hmm_crowd(answers, iterations=10)
    paths = sampled_cells(answers, sequence, draws=1000, seed=1)
    starts = answers.cell_starts()
    for r, recording in enumerate(answers.recordings):
        for k, label in enumerate(answers.labels):
            active = sequence.active[starts[r] : starts[r + 1], k]
            assert paths[recording][label].mean(axis=0) == pytest.approx(active, abs=0.06)
