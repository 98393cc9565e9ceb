"""From ballots to references."""

import math
from typing import Any

import pytest

from earmark.stats.draw import stream
from earmark.tasks.boundaries.ask import PageOptions, pages
from earmark.tasks.boundaries.reconcile import (
    ConsensusReferenceOptions,
    WindowReferenceOptions,
    by_consensus,
    by_panel,
    by_windows,
    others,
    own_boundaries,
    whole_panels,
)
from earmark.tasks.boundaries.values import Boundaries, Panel, PanelPosterior, transcript_of
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

ITEM = Item("talk", "transcript", text="a b c d e f g h")


def test_pages_are_cut_and_put_together_again():
    units = tuple(pages([ITEM], PageOptions(page=3)))
    assert [unit.text for unit in units] == ["a b c", "d e f", "g h"]
    answers = tuple(
        Answer(unit.id, "ann", Boundaries(len(transcript_of(unit).words), after))
        for unit, after in zip(units, ({1}, {0}, {1}), strict=True)
    )
    assert whole_panels(Ballots(units, answers))["talk"].references[0].after == {1, 3, 7}


def ballots(*marks):
    units = tuple(pages([ITEM]))
    people = ("ann", "bob", "cy")
    answers = tuple(
        Answer("talk", person, Boundaries(8, after))
        for person, after in zip(people, marks, strict=False)
    )
    return Ballots(units, answers, (ITEM,))


BALLOTS = ballots({3, 7}, {2, 7}, {3, 6, 7})


def test_the_panel_keeps_everybody_and_reports_agreement():
    found = by_panel(BALLOTS, seed=0)
    panel = found.values["talk"]
    assert isinstance(panel, Panel) and panel.people == ("ann", "bob", "cy")
    # Without the end: 2:1, 3:2, 6:1, so 2 / (3 * 3).
    reported: Any = found.made_by["agreement_ratio"]
    assert reported["talk"] == pytest.approx(2 / 9)
    assert found.doubt["talk"] == pytest.approx(7 / 9)
    # Ann: F1 0 with Bob, 2/3 with Cy.
    assert found.people["ann"] == pytest.approx(1 / 3)


def test_consensus_and_windows_give_one_segmentation():
    assert by_consensus(BALLOTS, seed=0).values["talk"].after == {3, 7}
    lenient = by_consensus(BALLOTS, ConsensusReferenceOptions(share=0.3), seed=0)
    assert lenient.values["talk"].after == {2, 3, 6, 7}
    assert by_windows(BALLOTS, seed=0).values["talk"].after == {3, 7}
    narrow = by_windows(BALLOTS, WindowReferenceOptions(limit=0), seed=0)
    assert narrow.values["talk"].after == {2, 3, 6, 7}
    with pytest.raises(InputError, match="share must be > 0 and <= 1"):
        ConsensusReferenceOptions(share=0)


def test_a_transcript_nobody_finished_is_refused():
    units = tuple(pages([ITEM], PageOptions(page=4)))
    answers = (Answer(units[0].id, "ann", Boundaries(4, {3})),)
    with pytest.raises(InputError, match="one person who marked all of its pages"):
        by_panel(Ballots(units, answers), seed=0)


def test_a_person_has_segmented_the_transcripts_of_which_they_marked_every_page():
    units = tuple(pages([ITEM], PageOptions(page=4)))
    answers = [Answer(unit.id, "ann", Boundaries(4, {3})) for unit in units]
    answers.append(Answer(units[0].id, "bob", Boundaries(4, {1})))
    asked = Ballots(units, tuple(answers), (ITEM,))
    assert own_boundaries(asked, "ann")["talk"].after == {3, 7}
    assert own_boundaries(asked, "bob") == {}


def test_the_others_answers_hold_only_transcripts_that_one_of_them_finished():
    units = tuple(pages([ITEM], PageOptions(page=4)))
    answers = [Answer(unit.id, "ann", Boundaries(4, {3})) for unit in units]
    answers.append(Answer(units[0].id, "bob", Boundaries(4, {1})))
    asked = Ballots(units, tuple(answers), (ITEM,))
    assert others(asked, "ann").items == () and others(asked, "ann").answers == ()
    assert [answer.person for answer in others(asked, "bob").answers] == ["ann", "ann"]
    assert whole_panels(others(BALLOTS, "bob"))["talk"].people == ("ann", "cy")


def test_doubt_is_a_share_even_when_nobody_marked_anything():
    found = by_panel(ballots(set(), set()), seed=0)
    assert found.doubt["talk"] == 1.0
    assert not any(math.isnan(value) for value in found.people.values())
    assert stream(0, "a").integers(9) == stream(0, "a").integers(9)


def test_a_panel_is_drawn_by_person_and_who_comes_twice_has_two_votes():
    panel = by_panel(BALLOTS, seed=0)
    own = dict(zip(("ann", "bob", "cy"), panel.values["talk"].references, strict=True))
    for seed in range(20):
        drawn = panel.draw(seed)["talk"]
        assert len(drawn.people) == len(set(drawn.people)) == 3
        for name, reference in zip(drawn.people, drawn.references, strict=True):
            assert reference == own[name.split()[0]]
    assert any("ann (2)" in panel.draw(seed)["talk"].people for seed in range(20))
    assert len({panel.draw(seed)["talk"] for seed in range(20)}) > 3


def test_transcripts_of_the_same_people_get_the_same_people():
    two = Reference(
        "panel",
        {
            "a": by_panel(BALLOTS, seed=0).values["talk"],
            "b": by_panel(BALLOTS, seed=0).values["talk"],
        },
        posterior=dict.fromkeys("ab", PanelPosterior("panel")),
    )
    assert all(draw["a"] == draw["b"] for draw in map(two.draw, range(10)))


def test_consensus_and_windows_are_made_again_of_the_drawn_panel():
    """Word 3 by Ann and Cy, 2 by Bob, 6 by Cy: who is drawn twice of three decides alone."""
    consensus = [by_consensus(BALLOTS, seed=0).draw(seed)["talk"].after for seed in range(60)]
    assert {frozenset({3, 7}), frozenset({2, 7}), frozenset({3, 6, 7})} <= set(consensus)
    strict = by_consensus(BALLOTS, ConsensusReferenceOptions(share=1.0), seed=0)
    assert {7} in [strict.draw(seed)["talk"].after for seed in range(20)]
    heads = [by_windows(BALLOTS, seed=0).draw(seed)["talk"].after for seed in range(60)]
    assert {2, 7} in heads and {3, 7} in heads
    narrow = by_windows(BALLOTS, WindowReferenceOptions(limit=0), seed=0)
    assert {2, 3, 6, 7} in [narrow.draw(seed)["talk"].after for seed in range(60)]


def test_a_posterior_without_its_panel_is_refused():
    with pytest.raises(InputError, match="needs its method and its panel"):
        PanelPosterior("consensus", 0.5)
    with pytest.raises(InputError, match="the reference of this transcript must be a panel"):
        PanelPosterior("panel").draw(Boundaries(8, {3}), item="talk", seed=1)
