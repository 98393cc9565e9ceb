"""Batches and trials."""

import numpy as np
import pytest

from earmark.ask.batch import batches, passed
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.span import Span


def windows(recording: str, *, seconds: int = 180, window: int = 10) -> list[Item]:
    return [
        Item(f"{recording}@{k}", "window", span=Span(k, k + window), parent=recording)
        for k in range(seconds - window + 1)
    ]


def test_three_minutes_of_ten_second_windows_make_25_batches() -> None:
    """Starts 25 s apart (10 + 15): 25 batches hold every start once. From start to start: 15."""
    units = windows("r")
    assert len(batches(units)) == 25
    assert len(batches(units, counted_from="start")) == 15
    for batch in batches(units):
        starts = [span.start for k in batch if (span := units[k].span)]
        assert np.diff(starts).min(initial=99) >= 25


def test_recordings_share_batches_and_every_unit_is_in_one() -> None:
    units = [*windows("a", seconds=40), *windows("b", seconds=30)]
    rows = batches(units)
    assert len(rows) == 25
    assert sorted(k for row in rows for k in row) == list(range(len(units)))


def test_units_without_a_span_stand_alone() -> None:
    assert batches([Item("a", "pair"), Item("b", "pair")]) == ((0, 1),)


def test_parts_cannot_lie_less_than_nothing_apart() -> None:
    with pytest.raises(InputError, match="the seconds between parts must be at least 0"):
        batches([], apart=-1)


def test_a_trial_is_passed_by_its_share() -> None:
    answers = {"ann": {"x": 1, "y": 2}, "bob": {"x": 1, "y": 1}, "cem": {}}
    assert passed(answers, {"x": 1, "y": 1}, share=0.5) == ("ann", "bob")
    assert passed(answers, {"x": 1, "y": 1}, share=0.6) == ("bob",)


def test_a_trial_without_known_answers_is_refused() -> None:
    with pytest.raises(InputError, match="at least one question with a known answer"):
        passed({}, {}, share=1)
