"""How a reference changes with the number of answers."""

from collections.abc import Mapping
from typing import Any

from earmark.score.answer_counts import (
    AnswerTrial,
    agreement_curve,
    answers_per_unit,
    can_compare,
    drawn_answers,
    least_answers,
)
from earmark.score.metric import Metric, mean
from earmark.values.answer import Answer, Ballots
from earmark.values.counts import Mean
from earmark.values.errors import InputError
from earmark.values.item import Item

SAME = Metric("made", "same", count=lambda r, o: Mean.of(float(r == o)), rate=mean)


def ballots(answers: int, items: int = 6) -> Ballots[int]:
    """Everybody says 1, but the last of the people always 0."""
    units = tuple(Item(f"item-{place}", "made") for place in range(items))
    given = tuple(
        Answer(unit.id, f"p{number}", 0 if number == answers - 1 else 1)
        for unit in units
        for number in range(answers)
    )
    return Ballots(units, given)


def majority(some: Ballots[Any]) -> Mapping[str, int]:
    """1 where more people say so, 0 in a tie; at least two are needed."""
    values = {}
    for unit in some.items:
        votes = [answer.value for answer in some.of(unit.id)]
        if len(votes) < 2:
            raise InputError("two are needed")
        values[unit.id] = int(2 * sum(votes) > len(votes))
    return values


def test_draws_leave_so_many_answers_to_each_question() -> None:
    some = drawn_answers(ballots(5), 2, seed=(0, 0))
    assert answers_per_unit(ballots(5)) == 5
    assert answers_per_unit(some) == 2
    assert len(some.answers) == 12
    assert some != drawn_answers(ballots(5), 2, seed=(0, 1))
    assert some == drawn_answers(ballots(5), 2, seed=(0, 0))


def test_agreement_is_perfect_with_all_answers_and_none_where_no_reference_can_be_made() -> None:
    trial = AnswerTrial(ballots(5), majority, majority(ballots(5)), SAME)
    curve = agreement_curve(trial, most=5, seed=0)
    assert [row["answers"] for row in curve] == [1, 2, 3, 4, 5]
    assert curve[0]["value"] is None
    # two answers tie where one of them is the last person's; three never do
    assert curve[1]["value"] < 1 and curve[1]["low"] <= curve[1]["value"] <= curve[1]["high"]
    assert [row["value"] for row in curve[2:]] == [1, 1, 1]
    assert least_answers(curve, 0.99) == 3


def test_a_metric_that_cannot_take_a_reference_for_an_output_is_not_used() -> None:
    other = Metric("made", "other", count=lambda r, o: Mean.of(o.score), rate=mean)
    errors = Metric(
        "made", "wrong", lambda r, o: Mean.of(float(r != o)), mean, higher_is_better=False
    )
    assert can_compare(SAME, {"a": 1, "b": 0})
    assert not can_compare(other, {"a": 1})
    assert not can_compare(errors, {"a": 1})


def test_an_agreement_that_is_never_reached_is_none() -> None:
    assert least_answers([{"answers": 1, "value": 0.5}, {"answers": 2, "value": None}], 0.4) is None
