"""Scores as text, and tables on a page."""

import math

from earmark.report.svg import element
from earmark.report.tables import digits, table, with_interval


def test_a_score_is_written_with_its_interval_and_an_undefined_one_as_a_dash() -> None:
    assert with_interval({"value": None}) == "–"
    assert with_interval({"value": 0.5}) == "0.500"
    assert with_interval({"value": 0.5, "low": 0.4, "high": 0.6}) == "0.500 [0.400, 0.600]"
    assert digits(1.0, 1) == "1.0" and digits(math.nan) == "–"


def test_cells_are_escaped_unless_our_own_code_built_them() -> None:
    html = table(["<a>"], [["<x>"], [element("text", "<y>")]])
    assert "<th>&lt;a&gt;</th>" in html and "<td>&lt;x&gt;</td>" in html
    assert "<td><text>&lt;y&gt;</text></td>" in html


def test_numbers_are_not_broken_over_lines() -> None:
    html = table([], [["0.500 [0.400, 0.600]", "12 %", "12 people", -3, "–"]])
    assert html.count('class="number"') == 3
    assert "<thead>" not in html
