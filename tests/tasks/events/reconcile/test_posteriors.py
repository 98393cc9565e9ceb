"""Timelines drawn from what a reference keeps."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.tasks.events.crowds import NOISY_TRUTH, noisy_ballots, perfect_ballots

from earmark.tasks.events import TASK
from earmark.tasks.events.reconcile.posteriors import OpinionPosterior, PathPosterior, TagPosterior
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError
from earmark.values.pack import pack, unpack

BLANK = Timeline(3)
MODELS = ("mace", "dawid-skene", "window-hmm", "hmm-crowd", "bsc")
WAYS = ("majority", "union", "share", "trusted", *MODELS)
NOISY = noisy_ballots()


def drawn(posterior: Any, seeds: range = range(400), value: Timeline = BLANK) -> list[Timeline]:
    return [posterior.draw(value, item="r", seed=seed) for seed in seeds]


@pytest.mark.parametrize("way", WAYS)
def test_every_method_keeps_what_its_timelines_are_drawn_from(way: str) -> None:
    reference = TASK.reconcile[way](NOISY, seed=1)
    assert set(reference.posterior) == set(reference.values) == set(NOISY_TRUTH)
    draws = [reference.draw(seed) for seed in range(12)]
    assert draws[0] == reference.draw(0)
    assert len({draw["r"] for draw in draws}) > 1
    for draw in draws:
        assert draw["r"].doubt == reference.values["r"].doubt  # only events are drawn
    for item, posterior in reference.posterior.items():
        assert unpack(pack(posterior), TASK.posteriors) == posterior, item


@pytest.mark.parametrize("way", WAYS)
def test_a_crowd_that_agrees_leaves_a_vote_nothing_to_draw(way: str) -> None:
    truth = Timeline(20, (Event("dog", 0, 20),))
    reference = TASK.reconcile[way](perfect_ballots(truth), seed=1)
    if way in MODELS:  # models still allow for what they infer
        # to the window HMM two seconds in the middle would explain all windows as well
        least = 0 if way == "window-hmm" else 10
        assert sum(reference.draw(seed) == reference.values for seed in range(20)) > least
    else:
        assert all(reference.draw(seed) == reference.values for seed in range(20))


def test_tags_are_drawn_by_their_probability() -> None:
    """Three windows of one cell each: never, always, one time in four."""
    posterior = TagPosterior(1.0, 1, 0.5, (("dog", (0.0, 1.0, 0.25)),))
    ends = Counter(line.events[0].offset for line in drawn(posterior))
    assert set(ends) == {2.0, 3.0}
    assert 70 < ends[3.0] < 130  # of 400
    assert {line.events[0].onset for line in drawn(posterior)} == {1.0}


def test_a_window_that_abstains_is_neither_yes_nor_no() -> None:
    """Two windows of two cells: the middle cell is decided by the one that does not abstain."""
    posterior = TagPosterior(1.0, 2, 0.8, (("dog", (1.0, None)),))
    assert drawn(posterior, range(1))[0].events == (Event("dog", 0, 2),)
    sure = TagPosterior(1.0, 2, 0.8, (("dog", (1.0, 0.0)),))
    assert drawn(sure, range(1))[0].events == (Event("dog", 0, 1),)


def opinions(by: Any, share: float = 0.5) -> OpinionPosterior:
    """Of three people two ticked dog in the first window, all in the second, none in the third."""
    return OpinionPosterior(
        by=by, hop=1.0, cells=1, share=share, labels=("dog",), people=("a", "b", "c"),
        answers=(((0, 0), (1, 0), (2,)), ((0, 0), (1, 0), (2, 0)), ((0,), (1,), (2,))),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("by", "share", "probability"),
    [
        # two or three of three draws with 2/3: 20/27; at least one: 26/27; all three: 8/27
        ("majority", 0.5, 20 / 27),
        ("union", 0.5, 26 / 27),
        ("share", 0.8, 8 / 27),
        ("trusted", 0.8, 8 / 27),
    ],
)
def test_people_are_drawn_and_the_vote_is_taken_again(
    by: str, share: float, probability: float
) -> None:
    lines = drawn(opinions(by, share), range(1500))
    first = np.mean([line.events[0].onset == 0 for line in lines])
    assert first == pytest.approx(probability, abs=0.05)
    assert {line.events[0].offset for line in lines} == {2.0}  # where all agree nothing is drawn


def test_windows_of_the_same_people_are_drawn_together() -> None:
    """In both windows a and b ticked, c did not: a draw decides both alike."""
    same = ((0, 0), (1, 0), (2,))
    posterior = OpinionPosterior(
        by="majority", hop=1.0, cells=1, share=0.5, labels=("dog",), people=("a", "b", "c"),
        answers=(same, same),
    )  # fmt: skip
    lines = drawn(posterior, value=Timeline(2))
    assert {line.events for line in lines} == {(), (Event("dog", 0, 2),)}


def test_paths_are_drawn_as_often_as_they_were_counted() -> None:
    posterior = PathPosterior(1.0, (("dog", ((1, ()), (3, (0, 1, 2, 3)))),))
    lines = Counter(line.events for line in drawn(posterior))
    assert set(lines) == {(), (Event("dog", 0, 1), Event("dog", 2, 3))}
    assert 70 < lines[()] < 130  # one in four of 400


def test_an_item_is_drawn_by_its_own_name() -> None:
    posterior = TagPosterior(1.0, 1, 0.5, (("dog", (0.5,) * 3),))
    by_item = [posterior.draw(BLANK, item=f"r{k}", seed=1) for k in range(20)]
    assert len(set(by_item)) > 2


def test_what_cannot_be_drawn_from_is_refused() -> None:
    with pytest.raises(InputError, match="a probability from 0 to 1"):
        TagPosterior(1.0, 1, 0.5, (("dog", (1.5,)),))
    with pytest.raises(InputError, match="windows need a hop"):
        TagPosterior(0.0, 1, 0.5, (("dog", (0.5,)),))
    with pytest.raises(InputError, match="a known person's"):
        OpinionPosterior("majority", 1.0, 1, 0.5, ("dog",), ("a",), (((1, 0),),))
    with pytest.raises(InputError, match="runs be in order"):
        PathPosterior(1.0, (("dog", ((1, (3, 1)),)),))
