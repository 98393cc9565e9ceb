"""Whether an order survives the choices, worked by hand."""

import math
from typing import Any

import pytest

from earmark.score.choices import (
    SettingValues,
    choices_as_json,
    pair_orders,
    sentences,
    settings_of,
    under_setting,
)
from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, mean
from earmark.values.counts import Mean

NAN = math.nan


def settings(*rows: tuple[dict[str, object], dict[str, float]]) -> list[SettingValues]:
    """The first setting is the board's."""
    return [SettingValues(o, v, as_scored=place == 0) for place, (o, v) in enumerate(rows)]


def test_settings_are_every_combination_and_hold_the_value_that_was_given() -> None:
    assert settings_of({"a": (1, 2), "b": (True, False)}, {}) == [
        {"a": 1, "b": True},
        {"a": 1, "b": False},
        {"a": 2, "b": True},
        {"a": 2, "b": False},
    ]
    assert settings_of({"a": (1, 2)}, {"a": 3})[-1] == {"a": 3}
    assert len(settings_of({"a": (1, 2)}, {"a": 2})) == 2


def test_a_pair_is_counted_in_each_setting_and_the_option_that_turns_it_is_named() -> None:
    rows = settings(
        ({"collar": 0.2, "offsets": True}, {"a": 0.5, "b": 0.4, "c": 0.3}),
        ({"collar": 0.2, "offsets": False}, {"a": 0.6, "b": 0.4, "c": 0.4}),
        ({"collar": 0.5, "offsets": True}, {"a": 0.7, "b": 0.5, "c": 0.6}),
        ({"collar": 0.5, "offsets": False}, {"a": 0.7, "b": NAN, "c": 0.6}),
    )
    first, second, third = pair_orders(rows, higher_is_better=True)
    assert (first.first, first.second, first.settings, first.before) == ("a", "b", 3, 3)
    assert (second.first, second.second, second.before, second.settings) == ("a", "c", 4, 4)
    # b before c at .2/True, a tie at .2/False, after at .5/True, undefined at .5/False
    assert (third.settings, third.before, third.after) == (3, 1, 1)
    assert third.depends_on == ("collar",)
    assert sentences([first, second, third]) == [
        "a before b in 3 of 3 settings (significantly in 0)",
        "b before c in 1 of 3 settings (significantly in 0), the other way round in 1 (0); "
        "the order depends on the collar",
        "the order of the other 1 pair never turns round",
    ]


def test_where_lower_is_better_the_lower_value_is_before() -> None:
    rows = settings(({"penalty": 1.0}, {"a": 0.5, "b": 0.4}))
    (pair,) = pair_orders(rows, higher_is_better=False)
    assert (pair.first, pair.before, pair.after) == ("b", 1, 0)


def test_an_order_that_only_two_options_together_turn_is_said_to() -> None:
    rows = settings(
        ({"x": 1, "y": 1}, {"a": 0.5, "b": 0.4}), ({"x": 2, "y": 2}, {"a": 0.4, "b": 0.5})
    )
    (pair,) = pair_orders(rows, higher_is_better=True)
    assert pair.depends_on == ()
    assert sentences([pair])[0].endswith("the order depends on several options together")


def test_values_that_differ_in_their_last_digit_are_a_tie() -> None:
    rows = settings(({"x": 1}, {"a": 0.3, "b": 0.1 + 0.2}))
    (pair,) = pair_orders(rows, higher_is_better=True)
    assert (pair.before, pair.after, pair.settings) == (0, 0, 1)
    assert sentences([pair]) == ["b before a in 0 of 1 setting (significantly in 0); a tie in 1"]


def test_a_system_without_values_is_compared_in_no_setting() -> None:
    rows = settings(({"x": 1}, {"a": 0.3, "b": NAN}))
    (pair,) = pair_orders(rows, higher_is_better=True)
    assert sentences([pair]) == ["a before b: no setting has a value of both"]
    assert sentences([]) == ["there is one system: nothing to compare"]


def scored(values: list[float]) -> tuple[Metric, Any]:
    metric = Metric("made", "mean", count=lambda r, o: Mean.of(o), rate=mean)
    output = {str(place): value for place, value in enumerate(values)}
    return metric, evaluate(metric, dict.fromkeys(output, 0.0), output, resamples=0)


def test_significance_is_that_of_the_board_in_each_setting() -> None:
    """Of 8 items that all differ alike, 2 of 256 patterns are as large: p = .0078."""
    metric, a = scored([1.0] * 8)
    _, b = scored([0.0] * 8)
    one = under_setting(metric, {"a": a, "b": b}, {"x": 1}, resamples=100, seed=0, as_scored=True)
    assert one.p == {("a", "b"): pytest.approx(2 / 256)}
    (pair,) = pair_orders([one], higher_is_better=True)
    assert (pair.significant_before, pair.significant_after) == (1, 0)
    untested = under_setting(metric, {"a": a, "b": b}, {"x": 1}, resamples=0, seed=0)
    assert untested.p == {}


def test_what_is_stored_has_null_for_undefined_and_the_sentences() -> None:
    rows = settings(({"x": None}, {"a": 0.3, "b": NAN}))
    stored = choices_as_json({"x": (None,)}, rows, higher_is_better=True)
    assert stored["settings"] == [
        {"options": {"x": None}, "as_scored": True, "values": {"a": 0.3, "b": None}}
    ]
    assert stored["pairs"][0]["settings"] == 0
    assert stored["options"] == {"x": [None]}
