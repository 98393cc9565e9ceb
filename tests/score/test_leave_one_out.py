"""Everybody against a reference that they have no part in, beside the systems."""

from dataclasses import dataclass
from typing import Any

import pytest

from earmark.score.leave_one_out import NOTHING_LEFT, Asked, leave_each_out, recipe_of
from earmark.task.options import option
from earmark.task.people import People
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

SAID = {"ann": "yyn", "bob": "yny", "cy": "ynn"}  # about the items a, b and c


@dataclass(frozen=True, kw_only=True)
class AgreeOptions:
    """How many must agree."""

    least: int = option(2, "How many say yes.")
    refuses: tuple[str, ...] = option((), "People without whom it cannot be done.")


def agree(
    ballots: Ballots[str], options: AgreeOptions = AgreeOptions(), *, seed: int
) -> Reference[str]:
    """Say yes where enough people do."""
    if missing := set(options.refuses) - set(ballots.people):
        raise InputError("somebody is missing", got=sorted(missing))
    values = {
        item.id: "y" if sum(a.value == "y" for a in ballots.of(item.id)) >= options.least else "n"
        for item in ballots.items
    }
    return Reference("agree", values)


def ballots(said: dict[str, str]) -> Ballots[str]:
    items = tuple(Item(name, "question") for name in "abc")
    answers = tuple(
        Answer(item, person, value)
        for person, values in said.items()
        for item, value in zip("abc", values, strict=True)
        if value != " "
    )
    return Ballots(items, answers, items)


def asked(said: dict[str, str], **recipe: Any) -> Asked:
    made_by = {"verb": "reconcile", "recipe": {"by": "agree", "seed": 0, **recipe}}
    reference = Reference("all", dict.fromkeys("abc", "n"), made_by=made_by if recipe else {})
    machine = {"machine": {"a": "y", "b": "y", "c": "n"}}
    return Asked(People(), {"agree": agree}, ballots(said), reference, machine)


def test_the_same_method_with_the_same_options_is_run_on_everybody_else() -> None:
    # two must agree: without Ann only on a; without Bob on a; without Cy on a
    everybody = leave_each_out(asked(SAID, least=2))
    assert [one.reference for one in everybody.sides] == [{"a": "y", "b": "n", "c": "n"}] * 3
    # one is enough: without Ann, Bob says yes to c; without Bob, Ann says yes to b
    lenient = leave_each_out(asked(SAID, least=1))
    assert ["".join(one.reference.values()) for one in lenient.sides] == ["yny", "yyn", "yyy"]
    assert [one.name for one in lenient.sides] == ["ann", "bob", "cy"]


def test_systems_meet_the_very_reference_and_items_of_each_person() -> None:
    everybody = leave_each_out(asked({**SAID, "cy": "y  "}, least=1))
    cy = everybody.sides[-1]
    assert (cy.reference, cy.output, cy.systems) == (
        {"a": "y"},
        {"a": "y"},
        {"machine": {"a": "y"}},
    )
    assert cy.against == "all without cy"


def test_a_reference_that_no_answers_made_stays_as_it_is() -> None:
    everybody = leave_each_out(asked(SAID))
    assert everybody.sides[0].reference == {"a": "n", "b": "n", "c": "n"}
    assert everybody.sides[0].against == "all"
    assert everybody.how == "in which no answer of theirs has a part"


def test_nobody_is_scored_on_what_only_they_answered() -> None:
    everybody = leave_each_out(asked({"ann": "yy ", "bob": " yy"}, least=1))
    assert [list(one.reference) for one in everybody.sides] == [["b"], ["b"]]
    alone = leave_each_out(asked({"ann": "yyy"}, least=1))
    assert alone.sides == () and alone.left_out == {NOTHING_LEFT: 1}


def test_a_person_whom_the_method_cannot_do_without_is_counted_with_its_reason() -> None:
    everybody = leave_each_out(asked(SAID, refuses=["bob"]))
    assert [one.name for one in everybody.sides] == ["ann", "cy"]
    assert everybody.left_out == {"somebody is missing": 1}


def test_of_many_people_a_sample_is_drawn_by_the_seed() -> None:
    crowd = {f"p{number:02d}": "yyn" for number in range(40)}
    drawn = [leave_each_out(asked(crowd, least=1), most=5, seed=seed) for seed in (1, 1, 2)]
    names = [[one.name for one in everybody.sides] for everybody in drawn]
    assert len(names[0]) == 5 and names[0] == names[1] != names[2]
    assert drawn[0].people == 40
    assert len(leave_each_out(asked(crowd, least=1)).sides) == 30


def test_a_way_of_reconciling_that_is_gone_is_named() -> None:
    everybody = leave_each_out(asked(SAID, by="magic"))
    assert not everybody.sides
    assert list(everybody.left_out.values()) == [3]
    assert "magic" in next(iter(everybody.left_out))


@pytest.mark.parametrize("made_by", [{}, {"verb": "make", "recipe": {}}, {"verb": "reconcile"}])
def test_only_a_reconciled_reference_has_a_recipe(made_by: dict[str, object]) -> None:
    assert recipe_of(Reference("r", {}, made_by=made_by)) is None
