"""People beside systems, on the words that they were shown."""

from tests.tasks.context.making import corrupted
from tests.tasks.context.questions import ballots

from earmark.score.leave_one_out import Asked, leave_each_out
from earmark.tasks.context import TASK
from earmark.tasks.context.people import PEOPLE, own_marks, shown
from earmark.tasks.context.reconcile import by_majority
from earmark.tasks.context.values import Flags, Scores
from earmark.values.reference import Reference


def test_a_person_has_judged_the_words_that_they_saw():
    marks = own_marks(ballots(), "bob")["talk"]
    assert marks.at == {5, 9} and marks.seen == ((4, 12),)


def test_a_truth_is_limited_to_the_words_that_a_person_saw(talks):
    truth = {"talk": next(corrupted(text=talks)).truth}
    limited = shown(truth, ballots(), "ann")["talk"]
    assert limited.seen == ((4, 12),)
    assert limited.at == {place for place in truth["talk"].at if 4 <= place < 12}


def test_a_passage_of_which_a_person_saw_nothing_that_was_judged_is_left_out():
    elsewhere = {"talk": Flags(15, frozenset(), ((12, 15),)), "other": Flags(3, frozenset())}
    assert shown(elsewhere, ballots(), "ann") == {}


def test_a_system_is_scored_on_the_same_words_by_the_limited_reference():
    scores = Scores(tuple(float(n == 9) for n in range(15)))
    assert shown({"talk": scores}, ballots(), "ann")["talk"] is scores


def test_the_majority_is_counted_again_without_the_person():
    # of four people three marked word 9 and two word 5; without Ann two of three marked each
    recipe = {"verb": "reconcile", "recipe": {"by": "majority", "seed": 0}}
    values = by_majority(ballots(), seed=0).values
    reference = Reference("majority", values, made_by=recipe)
    everybody = leave_each_out(Asked(PEOPLE, TASK.reconcile, ballots(), reference, {}))
    without = {one.name: one.reference["talk"].at for one in everybody.sides}
    assert without == {"ann": {5, 9}, "bob": {9}, "cy": {9}, "di": {5, 9}}
    assert everybody.sides[0].against == "majority without ann"
