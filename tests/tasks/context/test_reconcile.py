import pytest
from tests.tasks.context.questions import ballots

from earmark.tasks.context.reconcile import ShareOptions, by_majority, by_share, by_union


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
