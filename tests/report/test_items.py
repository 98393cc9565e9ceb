"""The items behind a score."""

import math

import pytest

from earmark import tasks
from earmark.report import items as items_module
from earmark.report.items import ItemTable, has_values, item_figure
from earmark.report.metric_names import MetricNames
from earmark.report.render import item_anchor

NAMES = MetricNames(tasks.load("events"))
F1, ERRORS = "segment_f1", "segment_error_rate"
VALUES = {
    "x": {F1: {"a": 0.9, "b": 0.1, "c": math.nan}, ERRORS: {"a": 0.2, "b": 1.5, "c": 0.0}},
    "y": {F1: {"a": 0.3, "b": 0.2, "c": 0.5}, ERRORS: {"a": 0.2, "b": 1.5, "c": 0.0}},
}
TABLE = ItemTable("truth", (F1, ERRORS), ("x", "y"), VALUES)


def test_the_worst_items_of_the_best_system_come_first_and_undefined_ones_last() -> None:
    assert TABLE.worst_first(F1, True) == ["b", "a", "c"]
    assert TABLE.worst_first(ERRORS, False) == ["b", "a", "c"]


def test_items_lead_to_their_pictures() -> None:
    figure = item_figure(TABLE, NAMES, {item_anchor("b")})
    assert figure is not None
    assert f'<a href="#{item_anchor("b")}" title="what was said of it">b</a>' in figure.body
    assert figure.body.count("<a ") == 1 and "The worst items of x come first." in figure.caption


def test_what_is_left_out_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items_module, "MOST_ITEMS", 2)
    figure = item_figure(TABLE, NAMES, ())
    assert figure is not None and "<td>c</td>" not in figure.body
    assert "The worst 2 of 3; `earmark score --per-item F.csv` writes all." in figure.caption


def test_the_name_of_an_item_cannot_end_the_data() -> None:
    bad = "</script><b>"
    figure = item_figure(ItemTable("truth", (F1,), ("x",), {"x": {F1: {bad: 1.0}}}), NAMES, ())
    assert figure is not None and figure.body.count("</script>") == 1 and "<b>" not in figure.body


def test_a_metric_that_no_item_has_a_value_of_is_left_out() -> None:
    assert has_values(VALUES, F1) and not has_values({"x": {F1: {"a": math.nan}}}, F1)
    assert item_figure(ItemTable("truth", (), ("x",), VALUES), NAMES, ()) is None


def test_two_items_never_share_an_anchor() -> None:
    assert item_anchor("a.wav") != item_anchor("a_wav")
