"""Sentences end where the speaker pauses."""

import pytest

from earmark.task.task import Training
from earmark.tasks.boundaries.run.pauses import PauseOptions, learn_pause, pauses
from earmark.tasks.boundaries.values import Boundaries
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

ITEM = Item("talk", "transcript", text="a b c d e f g h")


def timed(gaps):
    now, times = 0.0, []
    for gap in (*gaps, 0.0):
        times.append([now, now + 0.3])
        now += 0.3 + gap
    words = " ".join(f"w{n}" for n in range(len(times)))
    return Item("timed", "transcript", text=words, details={"times": times})


def test_pauses_end_sentences():
    item = timed([0.1, 0.6, 0.1, 0.2])
    (output,) = pauses([item], train_on=None, seed=0)
    assert output.value.after == {1, 4}
    (shorter,) = pauses([item], PauseOptions(pause=0.15), train_on=None, seed=0)
    assert shorter.value.after == {1, 3, 4}


def test_pauses_learn_how_long_a_pause_is():
    item = timed([0.1, 0.9, 0.1, 0.8, 0.55])
    truth = Reference("truth", {"timed": Boundaries(6, {1, 3, 5})})
    assert learn_pause(Training((item,), truth)) == pytest.approx(0.8)
    (output,) = pauses([item], train_on=Training((item,), truth), seed=0)
    assert output.value.after == {1, 3, 5}


def test_pauses_need_times():
    with pytest.raises(InputError, match="words with times"):
        list(pauses([ITEM], train_on=None, seed=0))
    with pytest.raises(InputError, match="pause must be >= 0"):
        PauseOptions(pause=-1)
