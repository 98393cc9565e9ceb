"""People beside systems, by the sounds in the windows that they answered."""

from dataclasses import replace

from tests.tasks.events.crowds import perfect_ballots

from earmark.score.leave_one_out import NOTHING_LEFT, Asked, leave_each_out
from earmark.tasks.events import TASK
from earmark.tasks.events.people import PEOPLE, others, shown
from earmark.tasks.events.values import Event, Tags, Timeline
from earmark.values.answer import Ballots
from earmark.values.reference import Reference

TRUTH = Timeline(20, (Event("dog", 3, 5), Event("siren", 12, 14.5)))
MAJORITY = {"verb": "reconcile", "recipe": {"by": "majority", "seed": 0, "share": 0.8}}


def some_of(ballots: Ballots[Tags], person: str, windows: set[str]) -> Ballots[Tags]:
    """Return the ballots in which one person answered these windows only."""
    chosen = tuple(a for a in ballots.answers if a.person != person or a.item in windows)
    return replace(ballots, answers=chosen)


def test_a_timeline_is_cut_to_the_windows_that_a_person_answered() -> None:
    # windows of 10 s: r@0 is 0 to 10 and holds the dog, r@4 is 4 to 14 and holds both,
    # r@5 starts when the dog ends
    ballots = some_of(perfect_ballots(TRUTH), "p0", {"r@0", "r@4", "r@5"})
    tags = shown({"r": TRUTH}, ballots, "p0")
    assert {window: set(own.labels) for window, own in tags.items()} == {
        "r@0": {"dog"},
        "r@4": {"dog", "siren"},
        "r@5": {"siren"},
    }
    assert shown({}, ballots, "p0") == {}


def test_a_recording_stays_only_if_others_answered_all_of_its_windows() -> None:
    ballots = perfect_ballots(TRUTH, people=2)
    assert {answer.person for answer in others(ballots, "p0").answers} == {"p1"}
    gap = some_of(ballots, "p1", {"r@0"})
    assert others(gap, "p0").answers == () and others(gap, "p0").items == ()
    assert len(others(gap, "p1").items) == len(ballots.items)


def test_everybody_is_scored_on_their_own_windows_against_the_others() -> None:
    ballots = some_of(perfect_ballots(TRUTH), "p0", {"r@0", "r@4"})
    reference = Reference("majority", {"r": TRUTH}, made_by=MAJORITY)
    silent = {"nothing": {"r": Timeline(20)}}
    everybody = leave_each_out(Asked(PEOPLE, TASK.reconcile, ballots, reference, silent))
    first = everybody.sides[0]
    assert (first.name, list(first.reference)) == ("p0", ["r@0", "r@4"])
    assert (
        first.output["r@0"] == Tags(frozenset({"dog"}))
        and first.systems["nothing"]["r@0"] == Tags()
    )
    assert everybody.how == "reconciled again by majority from the answers of all others"


def test_who_answered_what_nobody_else_did_is_counted_and_left_out() -> None:
    ballots = perfect_ballots(TRUTH, people=1)
    reference = Reference("majority", {"r": TRUTH}, made_by=MAJORITY)
    everybody = leave_each_out(Asked(PEOPLE, TASK.reconcile, ballots, reference, {}))
    assert (everybody.people, everybody.sides) == (1, ())
    assert everybody.left_out == {NOTHING_LEFT: 1}
