"""Every method of reconciling window answers: what it finds, and that its options matter."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from tests.tasks.events.crowds import noisy_ballots, perfect_ballots

from earmark.task.options import call_with
from earmark.tasks.events import METHODS
from earmark.tasks.events.reconcile import methods
from earmark.tasks.events.reconcile.options import (
    StackedOpinionsOptions,
    StackedTagsOptions,
    WindowHmmOptions,
    WindowMaceOptions,
)
from earmark.tasks.events.values import Event, Timeline
from earmark.values.answer import Ballots
from earmark.values.errors import InputError


def test_noiseless_answers_give_the_event_back_at_a_full_share() -> None:
    truth = Timeline(60, (Event("dog", 13, 17), Event("siren", 20, 33)))
    full = StackedTagsOptions(share=1.0)
    for method in (
        partial(methods.by_majority, options=full),
        partial(methods.by_union, options=full),
        partial(methods.by_share, options=StackedOpinionsOptions(share=1.0)),
    ):
        reference = method(perfect_ballots(truth), seed=1)
        assert reference.values["r"].events == truth.events


def test_at_eighty_percent_an_event_grows_by_two_seconds_each_side() -> None:
    truth = Timeline(40, (Event("dog", 13, 17),))
    reference = methods.by_share(perfect_ballots(truth), seed=1)
    assert reference.values["r"].events == (Event("dog", 11, 19),)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_method_finds_a_clear_event_and_says_how_sure_it_is(name: str) -> None:
    truth = Timeline(60, (Event("dog", 20, 35),))
    reference = METHODS[name](perfect_ballots(truth, people=4), seed=1)
    event = reference.values["r"].events[0]
    assert event.label == "dog" and event.onset <= 20 and event.offset >= 35
    assert 0 <= reference.doubt["r"] <= 1 and reference.name == name
    cells = dict(reference.values["r"].doubt)["dog"]
    assert len(cells) == 60 and all(0 <= value <= 1 for value in cells)


def test_the_window_hmm_keeps_borders_that_stacking_smears() -> None:
    truth = Timeline(90, (Event("dog", 20, 35), Event("siren", 50, 58)))
    ballots = perfect_ballots(truth, people=5)
    sharp, smeared = (way(ballots, seed=1) for way in (methods.by_window_hmm, methods.by_mace))
    for wanted in truth.events:
        near, far = (
            next(e for e in reference.values["r"].events if e.label == wanted.label)
            for reference in (sharp, smeared)
        )
        assert abs(near.onset - wanted.onset) <= 1 and abs(near.offset - wanted.offset) <= 1
        assert near.length < far.length


def test_the_window_hmm_infers_windows_without_answers_from_their_neighbours() -> None:
    truth = Timeline(60, (Event("dog", 20, 35),))
    ballots = perfect_ballots(truth, people=4)
    third = {window.id for window in ballots.items[::3]} | {ballots.items[-1].id}
    some = replace(ballots, answers=tuple(a for a in ballots.answers if a.item in third))
    with pytest.raises(InputError, match="every window needs an answer"):
        methods.by_window_hmm(some, seed=1)
    gaps = WindowHmmOptions(gaps=True)
    all_of_it, guessed = (methods.by_window_hmm(each, gaps, seed=1) for each in (ballots, some))
    (event,) = guessed.values["r"].events
    assert abs(event.onset - 20) <= 2 and abs(event.offset - 35) <= 2
    assert all_of_it.doubt["r"] < guessed.doubt["r"], "fewer answers, more uncertainty"
    assert all_of_it.values == methods.by_window_hmm(ballots, seed=1).values, "no gaps, no change"


def test_a_second_that_nobody_was_asked_about_is_refused_even_so() -> None:
    ballots = perfect_ballots(Timeline(60, (Event("dog", 20, 35),)), people=2)
    early = [window.id for window in ballots.items if window.span and window.span.start < 10]
    first = replace(ballots, answers=tuple(a for a in ballots.answers if a.item in early))
    with pytest.raises(InputError) as error:
        methods.by_window_hmm(first, WindowHmmOptions(gaps=True), seed=1)
    assert str(error.value).splitlines()[:3] == [
        "every second needs a window that somebody answered",
        "  at:   recording r",
        "  got:  none from 19 to 60 s",
    ]


def test_the_order_of_answers_does_not_matter() -> None:
    truth = Timeline(30, (Event("dog", 8, 20),))
    ballots = perfect_ballots(truth)
    back = Ballots(ballots.items[::-1], ballots.answers[::-1], ballots.material)
    for name in METHODS:
        one, two = (METHODS[name](each, seed=2) for each in (ballots, back))
        assert one.values == two.values and one.people == two.people


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("mace", {"inference": "em"}),
        ("mace", {"sure": 0.5}),
        ("mace", {"share": 0.3}),
        ("mace", {"iterations": 1}),
        ("trusted", {"trust": 0.9}),
        ("trusted", {"inference": "em"}),
        ("share", {"share": 0.3}),
        ("majority", {"share": 0.3}),
        ("union", {"share": 0.3}),
        ("dawid-skene", {"share": 0.3}),
        ("window-hmm", {"levels": 3}),
        ("window-hmm", {"restarts": 1, "iterations": 2}),
        ("window-hmm", {"shrink": 500.0}),
        ("window-hmm", {"iterations": 1}),
        ("window-hmm", {"chance": 0.95}),
        ("hmm-crowd", {"iterations": 1}),
        ("hmm-crowd", {"chance": 0.999}),
        ("bsc", {"iterations": 1}),
        ("bsc", {"chance": 0.999}),
    ],
)
def test_every_option_of_every_method_matters(name: str, change: dict[str, Any]) -> None:
    ballots = noisy_ballots()
    plain = METHODS[name](ballots, seed=1)
    other = call_with(METHODS[name], ballots, options=change, seed=1)
    assert plain.values != other.values or plain.people != other.people


def test_restarts_of_mace_matter() -> None:
    options = [WindowMaceOptions(restarts=n, iterations=2) for n in (1, 6)]
    fits = [methods.by_mace(noisy_ballots(), each, seed=1) for each in options]
    assert fits[0].people != fits[1].people


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("share", {"share": 1.5}, "share"),
        ("mace", {"sure": -0.1}, "sure"),
        ("window-hmm", {"levels": 9}, "levels must be between 0 and 3"),
        ("window-hmm", {"restarts": 6}, "restarts must be between 1 and 5"),
        ("window-hmm", {"shrink": 0.0}, "shrink must be > 0"),
        ("bsc", {"iterations": 0}, "iterations must be >= 1"),
        ("hmm-crowd", {"chance": 1.5}, "chance"),
        ("window-hmm", {"iterations": 0}, "iterations must be >= 1"),
    ],
)
def test_options_that_cannot_be_are_refused(
    name: str, change: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        call_with(METHODS[name], noisy_ballots(), options=change, seed=1)
