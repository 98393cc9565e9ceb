"""Scores as text, and tables on a page."""

import math

from earmark.report.svg import element
from earmark.report.tables import Cell, digits, number_cell, score_cell, table, with_interval


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


def test_a_cell_is_sorted_and_saved_with_all_its_digits() -> None:
    score = score_cell({"value": 0.123456, "low": 0.1, "high": None}, link="#items", data="f sys")
    html = table([Cell("f", fields=("f", "low", "high"))], [[score]], sortable=True)
    assert 'class="sortable"' in html and 'data-value="0.123456"' in html
    assert 'data-fields="[0.123456, 0.1, &#34;&#34;]"' in html
    assert '<a href="#items" data-items="f sys">0.123</a>' in html
    assert score_cell({"value": None}, link="#items").link == "", "no link without a value"
    assert number_cell(-0.25, absolute=True) == Cell("0.250", 0.25)
    assert number_cell(None) == number_cell(math.nan) == Cell("")
