"""Windows are ranked by expected information gain, neighbours of a chosen one later."""

import numpy as np
import pytest
from tests.tasks.events.crowds import perfect_ballots

from earmark.tasks.events.ask.information_gain import (
    information_gain,
    rank_windows,
    spread_out,
)
from earmark.tasks.events.reconcile.window_answers import window_answers
from earmark.tasks.events.values import Event, Timeline


def test_an_answer_informs_nothing_where_all_is_known_and_most_where_nothing_is() -> None:
    """One label, two columns (silent, sounding) that people tell apart: by hand.

    Known column: the answer's entropy is what it would be anyway, so the gain is 0. Even odds:
    H(.5 * .1 + .5 * .9) - (H(.1) + H(.9)) / 2 = 1 - H(.1) = 1 - .469 = .531 bits.
    """
    columns = np.array([[[1.0, 0.0]], [[0.5, 0.5]], [[0.0, 1.0]]])
    gain = information_gain(columns, np.array([0.1, 0.9]))
    assert gain == pytest.approx([0.0, 0.531, 0.0], abs=1e-3)


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
