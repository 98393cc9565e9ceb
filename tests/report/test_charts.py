"""Charts."""

from earmark.report.charts import curve_chart, histogram


def test_charts_say_what_they_show_to_those_who_cannot_see_them() -> None:
    chart = curve_chart({"a<b": [(0, 0), (1, 1)]}, x_title="x", y_title="y", label="curve")
    assert "<title>curve</title>" in chart and "a&lt;b" in chart


def test_a_histogram_has_a_bar_for_each_bin_that_is_not_empty() -> None:
    bars = histogram(
        [0.1, 0.9, 0.95, 7], bins=3, bounds=(0, 1), x_title="x", y_title="y", label="bars"
    )
    assert bars.count("<rect") == 2 and "<title>3</title>" in bars


def test_a_curve_ends_within_its_axes() -> None:
    chart = curve_chart({"a": [(0.0, 0.0), (0.96, 0.99)]}, x_title="x", y_title="y", label="c")
    assert chart.count(">1</text>") == 2, "both axes reach beyond the last point"


def test_the_axis_of_counts_ends_at_the_last_of_them() -> None:
    chart = curve_chart({"a": [(1, 0.0), (12, 1.0)]}, x_title="x", y_title="y", label="c")
    assert ">10</text>" in chart and ">15</text>" not in chart
