"""The terms of asking: plan, trial and cap."""

from pathlib import Path
from typing import Any

import pytest

from earmark.ask.terms import Terms, mark_trials, over_cap, plan
from earmark.task.task import Question
from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item

UNITS = tuple(Item(name, "pair") for name in "abcd")


def question(known: dict[str, str] | None = None) -> Question:
    def read(path: Path, units: tuple[Item, ...]) -> Any:
        return (Answer(item, "key", value) for item, value in (known or {}).items())

    nothing: Any = None
    return Question(
        prompt="?", units=nothing, show=nothing, read=nothing, read_answers=read, seconds=18.0
    )


def test_a_plan_counts_answers_trials_hours_and_money() -> None:
    """4 answers and 1 trial for each of 2 people: 6 x 18 s = 0.03 h, 6 x 0.10 + 20 % = 0.72."""
    terms = Terms(cap=2, trials=1)
    figures = plan(question(), UNITS, 4, terms)
    assert (figures["people_at_least"], figures["hours"], figures["money"]) == (2, 0.03, 0.72)
    assert figures["currency"] == "USD"
    assert plan(question(), UNITS, 4, Terms(currency="EUR"))["currency"] == "EUR"
    assert figures["each_failure"] == 0.12


def test_who_fails_the_trial_does_not_count() -> None:
    answers = [Answer("a", "ann", "x"), Answer("b", "ann", "y"), Answer("a", "bob", "z")]
    terms = Terms(trials=1, pass_share=1.0, known=Path("key.csv"))
    outcome = mark_trials(question({"a": "x"}), UNITS, answers, terms)
    assert [answer.person for answer in outcome.counted] == ["ann", "ann"]
    assert [answer.person for answer in outcome.left_out] == ["bob"]
    assert outcome.failed == {"bob": "0 of 1"}


def test_without_a_trial_every_answer_counts() -> None:
    answers = [Answer("a", "ann", "x")]
    assert mark_trials(question(), UNITS, answers, Terms()).counted == tuple(answers)


@pytest.mark.parametrize(
    ("terms", "problem"),
    [
        (Terms(trials=2), "needs the right answers"),
        (Terms(trials=2, known=Path("key.csv")), "must have one right answer"),
    ],
)
def test_a_trial_needs_its_right_answers(terms: Terms, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        mark_trials(question({"a": "x"}), UNITS, [], terms)


def test_whoever_passed_the_cap_is_noted() -> None:
    answers = [Answer(item, "ann", "x") for item in "abc"] + [Answer("a", "bob", "x")]
    assert over_cap(answers, 2) == {"ann": 3}
    assert over_cap(answers, None) == {}
