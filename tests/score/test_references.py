"""The same outputs against several references, worked by hand."""

import math

import pytest

from earmark import evaluate
from earmark.score.references import Resamples, orders_as_json, parse_cell, rows_as_json
from earmark.tasks import events
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError

HOW = Resamples(200, 3)
METRIC = events.segment_f1()


def line(*seconds: int) -> Timeline:
    return Timeline(10, tuple(Event("dog", k, k + 1) for k in seconds))


# In each of eight recordings the truth is seconds 0 to 3; people noticed 0 and 1. `all` outputs
# what is true, `half` what was noticed, `none` second 9, which is never right.
ITEMS = [f"r{k}" for k in range(8)]
REFERENCES = {"truth": line(0, 1, 2, 3), "people": line(0, 1)}
OUTPUTS = {"all": line(0, 1, 2, 3), "half": line(0, 1), "none": line(9)}


def scores(references=REFERENCES, outputs=OUTPUTS):
    return {
        (system, reference): evaluate(
            METRIC,
            dict.fromkeys(ITEMS, references[reference]),
            dict.fromkeys(ITEMS, outputs[system]),
            resamples=HOW.count,
            seed=HOW.seed,
        )
        for system in outputs
        for reference in references
    }


def test_the_first_row_is_what_the_others_differ_from():
    """`all` against people: 2 true positives, 2 false ones: F1 2/3; `half` against them: 1."""
    rows = rows_as_json(METRIC, scores(), [("all", "truth"), ("all", "people"), ("half", "people")],
                        HOW)  # fmt: skip
    assert [row["value"] for row in rows] == [1.0, pytest.approx(2 / 3), 1.0]
    assert "difference" not in rows[0]
    assert rows[1]["difference"]["value"] == pytest.approx(-1 / 3)
    assert rows[2]["difference"]["value"] == 0.0


def test_a_pair_that_the_reference_turns_round_is_named_and_counted_in_every_resample():
    """Against the truth `all` (1) is before `half` (2/3); against people it is the reverse."""
    truth, people = orders_as_json(METRIC, scores(), list(OUTPUTS), list(REFERENCES), HOW)
    assert truth["order"] == ["all", "half", "none"] and truth["swapped"] == []
    assert truth["resampled"] == {"pairs_swapped": 0, "order_changed": 0, "another_is_best": 0}
    assert people["order"] == ["half", "all", "none"]
    assert people["swapped"] == [["all", "half"]] and people["pairs"] == 3
    assert people["resampled"] == {"pairs_swapped": 1, "order_changed": 1, "another_is_best": 1}


def test_a_system_whose_score_is_undefined_is_in_no_order():
    silent = {"truth": line(), "people": line(0)}
    rows = orders_as_json(METRIC, scores(silent, {"a": line(), "b": line(0)}), ["a", "b"],
                          list(silent), HOW)  # fmt: skip
    assert rows[0]["systems"] == 1 and rows[0]["pairs"] == 0 and rows[0]["order"] == ["b"]
    assert math.isnan(scores(silent, {"a": line()})["a", "truth"].value)


def test_systems_that_are_all_undefined_are_in_an_empty_order():
    silent = {"truth": line(), "people": line(0)}
    rows = orders_as_json(METRIC, scores(silent, {"a": line()}), ["a"], list(silent), HOW)
    assert [(row["systems"], row["order"], row["swapped"]) for row in rows] == [(0, [], [])] * 2


def test_a_row_must_name_a_system_and_a_reference():
    assert parse_cell("a@b@truth", ["a@b"], ["truth"]) == ("a@b", "truth")
    with pytest.raises(InputError, match="SYSTEM@REFERENCE: a; truth"):
        parse_cell("a", ["a"], ["truth"])
