"""The chart of systems."""

from earmark.report.intervals import IntervalRow, interval_chart, tie_groups


def test_an_interval_chart_has_a_mark_for_each_row_and_a_line_for_each_interval() -> None:
    rows = [IntervalRow("sys", 0.5, 0.4, 0.6), IntervalRow("a person " * 9, 0.4, kind="people")]
    chart = interval_chart(rows, x_title="f1", label="dots")
    assert chart.count('class="mark"') == 2 and chart.count("stroke-linecap") == 1 and "…" in chart
    assert chart.count('fill="var(--panel)"') == 1, "people's marks are hollow"


def test_a_row_may_show_the_values_that_it_is_the_mean_of() -> None:
    rows = [IntervalRow("people", 0.5, kind="people", dots={"ann": 0.2, "bob": 1.7})]
    chart = interval_chart(rows, x_title="f1", label="dots")
    assert "<title>ann: 0.200</title>" in chart and "<title>bob: 1.700</title>" in chart
    assert ">2</text>" in chart, "the axis reaches beyond them"


def test_the_axis_holds_every_value_and_its_last_tick_is_beyond_it() -> None:
    chart = interval_chart([IntervalRow("a", 0.96), IntervalRow("b", 0.99)], x_title="", label="")
    assert ">1</text>" in chart
    assert ">1</text>" in interval_chart([IntervalRow("a", 0.0)], x_title="", label="")


def test_rows_that_share_a_letter_are_joined_by_a_bar() -> None:
    rows = [
        IntervalRow("x", 0.9, groups="a"),
        IntervalRow("y", 0.8, groups="ab"),
        IntervalRow("z", 0.7, groups="b"),
        IntervalRow("alone", 0.1, groups="c"),
    ]
    assert tie_groups(rows) == {"a": [0, 1], "b": [1, 2]}
    chart = interval_chart(rows, x_title="f1", label="dots")
    assert chart.count('class="tie"') == 2
    assert "<title>a: x, y are not shown to differ</title>" in chart


def test_a_reference_is_a_diamond() -> None:
    chart = interval_chart([IntervalRow("mace", 0.5, kind="reference")], x_title="", label="")
    assert chart.count("<path") == 1 and "<circle" not in chart
