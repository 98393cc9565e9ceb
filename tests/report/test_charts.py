"""Charts and the drawings under them."""

from earmark.report.charts import IntervalRow, curve_chart, histogram, interval_chart
from earmark.report.svg import Scale, drawing, element, shortened


def test_an_element_escapes_text_and_attributes_but_not_elements() -> None:
    inner = element("title", '<b>"')
    outer = element("g", inner, "&", data_x='"><img>', y=None, width=1.50)
    assert inner == "<title>&lt;b&gt;&#34;</title>"
    assert outer == f'<g data-x="&#34;&gt;&lt;img&gt;" width="1.5">{inner}&amp;</g>'
    assert element("g", data_x=inner).count("<") == 1, "no element inside an attribute"


def test_a_scale_has_round_ticks_and_survives_a_single_value() -> None:
    assert Scale((0, 1), (0, 100)).ticks() == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert Scale((3, 3), (0, 100))(3) == 50


def test_a_wide_drawing_scrolls_before_its_letters_become_illegible() -> None:
    wide = drawing(width=960, height=100, label="wide")
    assert wide.startswith('<div class="scroll"><svg') and "min-width:883px" in wide
    assert "min-width" not in drawing(width=460, height=100, label="one column")


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
    assert shortened("abcdef", 4) == "abc…"
