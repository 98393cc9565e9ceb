"""Windows are ranked by expected information gain, neighbours of a chosen one later."""

from itertools import pairwise, product

import numpy as np
import pytest
from tests.tasks.events.crowds import perfect_ballots

from earmark.tasks.events.ask.gain_kernel import next_answers
from earmark.tasks.events.ask.information_gain import (
    WindowRanker,
    information_gain,
    rank_windows,
    spread_out,
)
from earmark.tasks.events.reconcile.hmm_kernel import LabelChain
from earmark.tasks.events.reconcile.window_answers import window_answers
from earmark.tasks.events.values import Event, Timeline


def test_an_answer_informs_nothing_where_all_is_known_and_most_where_nothing_is() -> None:
    """Windows of one cell, of which an active one is ticked by .9, a silent one by .1: by hand.

    Known cell: the answer's entropy is what it would be anyway, so the gain is 0. Even odds:
    H(.5 * .1 + .5 * .9) - (H(.1) + H(.9)) / 2 = 1 - H(.1) = 1 - .469 = .531 bits.
    """
    active = np.array([[0.0], [0.5], [1.0]])
    yes = np.array([0.1, 0.5, 0.9])
    gain = information_gain(yes, active, 0.9 * active)
    assert gain == pytest.approx([0.0, 0.531, 0.0], abs=1e-3)


def test_cells_that_go_together_are_worth_as_many_seconds() -> None:
    """Two cells, both active or neither: an answer tells of both; one alone is worth half."""
    yes, half = np.array([0.5]), np.array([[0.5, 0.5]])
    both = information_gain(yes, half, 0.9 * half)
    one = information_gain(yes, np.array([[0.5, 0.0]]), np.array([[0.45, 0.0]]))
    assert both == pytest.approx(2 * one)


def test_what_an_answer_would_tell_of_each_cell_is_what_all_paths_together_say() -> None:
    """Windows of three cells, two levels, every path of cells and levels written out."""
    rng = np.random.default_rng(3)
    cells, windows, levels = 3, 3, 2
    column_of = np.array([0, 1, 1, 2, 1, 2, 2, 3])
    likelihood, says_yes = rng.random((2, windows, levels, 4))
    chain = LabelChain(
        np.array([0.7, 0.3]), np.array([[0.8, 0.2], [0.4, 0.6]]), np.array([0.6, 0.4])
    )
    total = 0.0
    yes, active, both = np.zeros(windows), np.zeros((windows, cells)), np.zeros((windows, cells))
    for path in product((0, 1), repeat=cells + windows - 1):
        for level in product(range(levels), repeat=windows):
            probability = _probability(path, level, chain)
            columns = [_pattern(path[t : t + cells]) for t in range(windows)]
            states = [(t, level[t], column_of[columns[t]]) for t in range(windows)]
            probability *= float(np.prod([likelihood[state] for state in states]))
            total += probability
            for t, state in enumerate(states):
                own = np.array(path[t : t + cells])
                yes[t] += probability * says_yes[state]
                active[t] += probability * own
                both[t] += probability * says_yes[state] * own
    expected = next_answers(likelihood, says_yes, column_of, chain)
    assert expected.yes == pytest.approx(yes / total)
    assert expected.active == pytest.approx(active / total)
    assert expected.yes_and_active == pytest.approx(both / total)


def _pattern(cells: tuple[int, ...]) -> int:
    return int("".join(map(str, cells)), 2)


def _probability(path: tuple[int, ...], level: tuple[int, ...], chain: LabelChain) -> float:
    """Return the probability of cells, and of the level of each window's latest event."""
    probability = float(chain.first[path[0]])
    for before, after in pairwise(path):
        probability *= float(chain.move[before, after])
    probability *= float(chain.level[level[0]])
    for t in range(1, len(level)):
        begins = path[t + 1] == 0 and path[t + 2] == 1  # the newest cell of window t
        if begins:
            probability *= float(chain.level[level[t]])
        elif level[t] != level[t - 1]:
            return 0.0
    return probability


def test_ranking_goes_on_from_what_it_knows_and_comes_to_the_same_windows() -> None:
    """A dog barks from 15 to 25 s; the first ranking knows one person, the second three."""
    line = Timeline(40, (Event("dog", 15, 25),))
    few, more = perfect_ballots(line, people=2), perfect_ballots(line, people=3)
    ranker = WindowRanker()
    list(ranker(few, seed=1))
    going_on = dict(ranker(more, seed=1))
    anew = dict(rank_windows(more, seed=1))
    assert max(abs(going_on[unit] - anew[unit]) for unit in anew) < 0.1 * max(anew.values())


def test_neighbours_of_a_window_that_is_asked_about_wait() -> None:
    answers = window_answers(perfect_ballots(Timeline(60, (Event("dog", 20, 30),))))
    gain = np.zeros(answers.windows)
    gain[20:26] = [0.8, 1.0, 0.9, 0.7, 0.6, 0.5]
    gain[45] = 0.4
    order = list(spread_out(answers, gain))
    assert sorted(order) == list(range(answers.windows))
    assert order[:2] == [21, 45]


def test_every_window_is_ranked_when_more_is_asked() -> None:
    ballots = perfect_ballots(Timeline(40, (Event("dog", 15, 25),)), people=2)
    ranked = list(rank_windows(ballots, seed=1))
    assert sorted(unit for unit, _ in ranked) == sorted(item.id for item in ballots.items)
    assert all(bits >= 0 for _, bits in ranked)
