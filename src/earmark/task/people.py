"""How a task puts people beside its systems: each person as an output, on what they were shown.

The defaults suit a task whose questions are its items: a person's answers are their output, and the
others' answers are all answers but theirs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from earmark.values.answer import Ballots

Sides = Mapping[str, Any]


def who_answered(ballots: Ballots[Any]) -> tuple[str, ...]:
    """Return everybody who answered, sorted."""
    return ballots.people


def own_answers(ballots: Ballots[Any], person: str) -> dict[str, Any]:
    """Return what a person answered, question by question."""
    return {answer.item: answer.value for answer in ballots.answers if answer.person == person}


def all_of_it(values: Sides, ballots: Ballots[Any], person: str) -> Sides:
    """Return a reference or an output as it is."""
    return values


def answers_of_others(ballots: Ballots[Any], person: str) -> Ballots[Any]:
    """Return the ballots without a person, and without questions that nobody else answered."""
    answers = tuple(answer for answer in ballots.answers if answer.person != person)
    answered = {answer.item for answer in answers}
    units = tuple(unit for unit in ballots.items if unit.id in answered)
    return replace(ballots, items=units, answers=answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """What a task says of its people, so that they and its systems meet the same references.

    `names(ballots)` are the people. `output(ballots, person)` is what a person said, by item or by
    unit. `shown(values, ballots, person)` is what a reference or a system's output says about that,
    under the same keys; keys that a person does not have are left out later. The reference without
    a person is reconciled again from `others(ballots, person)`: everybody else's answers, less
    what a method could not reconcile from them. A task whose references hold people's own words
    takes them out with `leave_out(values, ballots, person)` instead, from the truth too. `metrics`
    names those that can rate such outputs; by default all can. `who` says who the people are.
    """

    names: Callable[[Ballots[Any]], tuple[str, ...]] = who_answered
    output: Callable[[Ballots[Any], str], Sides] = own_answers
    shown: Callable[[Sides, Ballots[Any], str], Sides] = all_of_it
    others: Callable[[Ballots[Any], str], Ballots[Any]] = answers_of_others
    leave_out: Callable[[Sides, Ballots[Any], str], Sides] | None = None
    metrics: tuple[str, ...] = ()
    who: str = "people who answered"
