"""Expected information gain where the parts of a question stand alone."""

import numpy as np
import pytest

from earmark.ask.gain import LEAST, MOST, accuracy, gain, rank_by_gain, yes_no_votes
from earmark.values.answer import Answer, Ballots
from earmark.values.item import Item

EVEN = np.array([0.5, 0.5])


def test_one_answer_about_an_open_question_tells_one_minus_the_entropy_of_an_error() -> None:
    """By hand: no votes, accuracy 0.8: 1 - H(0.8) = 1 - 0.7219 bits."""
    assert gain(np.array([[0.0, 0.0]]), 0.8, EVEN)[0] == pytest.approx(0.2781, abs=1e-4)


def test_the_more_agree_the_less_one_more_tells() -> None:
    bits = [float(gain(np.array([[n, 0.0]]), 0.8, EVEN)[0]) for n in (0.0, 1.0, 2.0, 4.0)]
    assert bits == sorted(bits, reverse=True)
    assert bits[-1] < 0.01


def test_accuracy_follows_agreement_and_stays_within_bounds() -> None:
    assert accuracy(np.array([[2.0, 0.0], [0.0, 2.0]])) == MOST
    assert accuracy(np.array([[1.0, 1.0]])) == LEAST
    assert accuracy(np.array([[1.0, 0.0]])) == (LEAST + MOST) / 2  # nobody to agree with


@pytest.mark.parametrize("right", [0.6, 0.75, 0.9])
def test_accuracy_is_that_of_the_people(right: float) -> None:
    rng = np.random.default_rng(0)
    yes = rng.binomial(5, np.where(rng.random(4000) < 0.5, right, 1 - right))
    assert accuracy(np.stack([5.0 - yes, yes * 1.0], 1)) == pytest.approx(right, abs=0.02)


def test_units_on_which_people_differ_come_first_and_those_without_answers_before_all() -> None:
    units = tuple(Item(name, "page") for name in ("clear", "split", "new"))
    said = {"clear": (0, 0, 0, 0), "split": (0, 1, 0, 1)}
    answers = tuple(
        Answer(unit, f"p{n}", frozenset({0} if yes else ()))
        for unit, own in said.items()
        for n, yes in enumerate(own)
    )
    ranked = list(
        rank_by_gain(Ballots(units, answers), lambda own: yes_no_votes([(v, 3) for v in own]))
    )
    assert [unit for unit, _ in ranked][-1] == "clear"
    assert {unit for unit, _ in ranked[:2]} == {"split", "new"}


def test_with_no_answers_at_all_nothing_is_ranked() -> None:
    assert list(rank_by_gain(Ballots((Item("a", "page"),), ()), lambda own: EVEN)) == []
