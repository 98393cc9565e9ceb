import pytest
from tests.tasks.context.making import corrupted
from tests.tasks.context.questions import ballots

from earmark.tasks.context.reconcile import ShareOptions, by_majority, by_share, by_union, people
from earmark.values.reference import Reference


def test_a_majority_a_share_or_anybody_decides():
    # of four people three marked word 9, two word 5
    assert by_majority(ballots(), seed=0).values["talk"].at == {9}
    assert by_share(ballots(), ShareOptions(share=0.4), seed=0).values["talk"].at == {5, 9}
    assert by_share(ballots(), ShareOptions(share=0.8), seed=0).values["talk"].at == frozenset()
    assert by_union(ballots(), seed=0).values["talk"].at == {5, 9}


def test_a_reference_knows_what_was_shown_its_doubt_and_its_people():
    found = by_majority(ballots(), seed=0)
    assert found.values["talk"].seen == ((4, 12),)
    # word 9: share 3/4 -> 0.5, word 5: 2/4 -> 1, six others 0; mean of 8
    assert found.doubt["talk"] == pytest.approx(1.5 / 8)
    assert found.people["ann"] == 1.0
    assert found.people["cy"] == 0.0


def test_people_are_scored_against_the_truth_as_it_is(talks):
    truth = Reference("truth", {"talk": next(corrupted(text=talks)).truth})
    made = next(iter(people(ballots(), truth)))
    assert made.reference["talk"] is truth.values["talk"]
    assert made.output["talk"].seen == ((4, 12),)


def test_people_are_scored_against_the_others_when_people_made_the_reference():
    reference = by_majority(ballots(), seed=0)
    ann = next(p for p in people(ballots(), reference) if p.name == "ann")
    # without Ann, words 9 and 5 are marked by two of three
    assert ann.reference["talk"].at == {5, 9}
