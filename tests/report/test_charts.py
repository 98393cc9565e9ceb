"""Charts."""

from earmark.report.charts import IntervalRow, curve_chart, histogram, interval_chart


def test_charts_say_what_they_show_to_those_who_cannot_see_them() -> None:
    chart = curve_chart({"a<b": [(0, 0), (1, 1)]}, x_title="x", y_title="y", label="curve")
    assert "<title>curve</title>" in chart and "a&lt;b" in chart


def test_a_histogram_has_a_bar_for_each_bin_that_is_not_empty() -> None:
    bars = histogram(
        [0.1, 0.9, 0.95, 7], bins=3, bounds=(0, 1), x_title="x", y_title="y", label="bars"
    )
    assert bars.count("<rect") == 2 and "<title>3</title>" in bars


def test_an_interval_chart_has_a_dot_for_each_row_and_a_line_for_each_interval() -> None:
    rows = [IntervalRow("sys", 0.5, 0.4, 0.6), IntervalRow("a person " * 9, 0.4, human=True)]
    dots = interval_chart(rows, x_title="f1", label="dots")
    assert dots.count("<circle") == 2 and dots.count("stroke-linecap") == 1 and "…" in dots
    assert dots.count('fill="var(--panel)"') == 1, "people's marks are hollow"


def test_a_row_may_show_the_values_that_it_is_the_mean_of() -> None:
    rows = [IntervalRow("people", 0.5, human=True, dots={"ann": 0.2, "bob": 1.7})]
    chart = interval_chart(rows, x_title="f1", label="dots")
    assert "<title>ann: 0.200</title>" in chart and "<title>bob: 1.700</title>" in chart
    assert ">1.5</text>" in chart, "the axis reaches them"
