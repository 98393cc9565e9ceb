import pytest
from tests.tasks.context.questions import ballots

from earmark.tasks.context.posterior import FlagPosterior
from earmark.tasks.context.reconcile import ShareOptions, by_majority, by_share, by_union
from earmark.values.errors import InputError


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


def test_people_who_saw_a_passage_are_drawn_and_marks_counted_again():
    """Word 9 by Ann, Bob and Di, word 5 by Bob and Cy: four people are drawn with replacement."""
    majority = by_majority(ballots(), seed=0)
    draws = [majority.draw(seed)["talk"] for seed in range(300)]
    assert {draw.seen for draw in draws} == {((4, 12),)}
    # more than two of four draws, each with 3/4: 189/256
    share = sum(9 in draw.at for draw in draws) / 300
    assert share == pytest.approx(189 / 256, abs=0.08)
    union = by_union(ballots(), seed=0)
    # nobody who marked word 5 is drawn: 1/16
    missing = sum(5 not in union.draw(seed)["talk"].at for seed in range(300)) / 300
    assert missing == pytest.approx(1 / 16, abs=0.04)
    assert majority.draw(3) == majority.draw(3)


def test_people_without_flags_are_refused():
    with pytest.raises(InputError, match="every person of a unit needs one set of flags"):
        FlagPosterior(0.5, (("ann",),), ((),))
