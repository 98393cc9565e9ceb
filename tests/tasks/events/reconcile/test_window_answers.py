"""Window answers as arrays: a grid of windows without gaps, each of them answered."""

import numpy as np
import pytest
from tests.tasks.events.crowds import perfect_ballots

from earmark.tasks.events.reconcile.hmm import window_hmm
from earmark.tasks.events.reconcile.window_answers import active, activity, window_answers
from earmark.tasks.events.reconcile.windows import by_recording, grid_of
from earmark.tasks.events.values import Event, Tags, Timeline
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.span import Span


def window(name: str, start: float, end: float) -> Item:
    return Item(name, "window", span=Span(start, end), parent="r", details={"labels": ["dog"]})


@pytest.mark.parametrize(
    ("windows", "problem"),
    [
        ([window("a", 0, 10), window("b", 3, 13)], "a whole number of hops"),
        ([], "at least one window"),
        ([window("a", 5, 10)], "a window that starts at 0 s"),
        ([window("a", 0, 5), window("b", 0, 5)], "must not start together"),
        ([window("a", 0, 5), window("b", 1, 7)], "as long as the first"),
        ([Item("a", "window", parent="r")], "needs a start and an end"),
    ],
)
def test_windows_that_are_no_grid_are_refused(windows: list[Item], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        grid_of(by_recording(windows))


def test_windows_that_nobody_answered_or_that_are_missing_are_refused() -> None:
    ballots = perfect_ballots(Timeline(20, (Event("dog", 3, 9),)))
    silent = tuple(a for a in ballots.answers if a.item != "r@4")
    with pytest.raises(InputError, match="every window needs an answer"):
        window_answers(Ballots(ballots.items, silent, ballots.material))
    fewer = tuple(i for i in ballots.items if i.id != "r@4")
    with pytest.raises(InputError, match="without a gap") as error:
        window_answers(Ballots(fewer, silent, ballots.material))
    assert "a window that starts at 4 s" in str(error.value)


def test_the_window_hmm_refuses_windows_that_do_not_overlap() -> None:
    windows = tuple(window(f"w{k}", 5 * k, 5 * k + 5) for k in range(3))
    answers = tuple(Answer(w.id, "p", Tags(frozenset({"dog"}))) for w in windows)
    with pytest.raises(InputError, match="2 to 12 hops"):
        window_hmm(window_answers(Ballots(windows, answers)))


def test_opinions_about_a_cell_are_those_of_the_windows_that_cover_it() -> None:
    """Windows of two cells at 0, 1 and 2; ann ticks the first two, bob answers only the second."""
    windows = tuple(window(f"w{k}", k, k + 2) for k in range(3))
    dog = Tags(frozenset({"dog"}))
    answers = (
        *(Answer(f"w{k}", "ann", dog if k < 2 else Tags()) for k in range(3)),
        Answer("w1", "bob", Tags()),
    )
    arrays = window_answers(Ballots(windows, answers))
    assert (arrays.hop, arrays.cells, arrays.people) == (1.0, 2, ("ann", "bob"))
    shares = activity(arrays, *arrays.votes())
    assert shares[:, 0] == pytest.approx([1, 2 / 3, 1 / 3, 0])
    lines = arrays.timelines(active(shares, 2 / 3))
    assert lines["r"].events == (Event("dog", 0, 2),)
    only_bob = arrays.answered_by(np.array([False, True]))
    assert np.isnan(activity(only_bob, *only_bob.votes())[[0, 3]]).all()
