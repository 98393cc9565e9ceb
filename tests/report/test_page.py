"""The page, as a person sees it: in a real browser, wide and narrow, light and dark."""

from pathlib import Path
from typing import Any

import pytest

from browser import chromium
from earmark.report import svg, tables
from earmark.report.figure import Figure
from earmark.report.page import Section, figure_block, page
from earmark.study import Study


@pytest.fixture
def report(sixth: Path, tmp_path: Path) -> Path:
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=30)
    study.ask(simulate=True)
    study.reconcile("majority")
    study.run("always")
    study.run("always", name="never", heads=False)
    study.score("truth", resamples=100)
    return study.report()


def problems(browser: Any, path: Path, width: int) -> list[str]:
    """What a person at a screen of that width would trip over."""
    found: list[str] = []
    tab = browser.new_page(viewport={"width": width, "height": 900})
    tab.on("console", lambda message: found.append(message.text))
    tab.on("pageerror", lambda error: found.append(str(error)))
    tab.on(
        "request", lambda r: None if r.url.startswith(("file:", "data:")) else found.append(r.url)
    )
    tab.goto(path.as_uri())
    wide = tab.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        found.append(f"the page is {wide} wide on a screen of {width}")
    empty = tab.evaluate(
        "[...document.querySelectorAll('svg')].filter(s => !s.getBoundingClientRect().width).length"
    )
    if empty:
        found.append(f"{empty} drawings have no width")
    tab.close()
    return found


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_report_fits_the_screen_and_asks_nothing_of_the_network(
    report: Path, width: int
) -> None:
    with chromium() as browser:
        assert problems(browser, report, width) == []


@pytest.mark.browser
def test_light_and_dark_change_places_at_a_click(report: Path) -> None:
    with chromium() as browser:
        tab = browser.new_page(color_scheme="dark")
        tab.goto(report.as_uri())
        colour = "getComputedStyle(document.body).backgroundColor"
        dark = tab.evaluate(colour)
        tab.click("button.theme")
        light = tab.evaluate(colour)
        assert dark != light
        assert tab.evaluate("document.documentElement.dataset.theme") == "light"


def test_names_are_escaped_on_a_page() -> None:
    html = page("<b>", "lead", [Section("<i>", "body")])
    assert "<b>" not in html.replace("<body>", "") and "&lt;b&gt;" in html
    block = figure_block([Figure("<u>", "body", "<s>")])
    assert "&lt;u&gt;" in block and "&lt;s&gt;" in block
    assert "&lt;x&gt;" in tables.html(["a"], [["<x>"]])
    assert "<x>" in tables.html(["a"], [["<x>"]], raw=True)


def test_tables_for_papers() -> None:
    assert tables.markdown(["a", "b"], [[1, "x|y"]]) == "| a | b |\n|---|---|\n| 1 | x\\|y |"
    assert r"a\_b & 1 \\" in tables.latex(["name", "value"], [["a_b", 1]])
    assert tables.shown({"value": None}) == "–"
    assert tables.shown({"value": 0.5}) == "0.500"
    assert tables.shown({"value": 0.5, "low": 0.4, "high": 0.6}) == "0.500 [0.400, 0.600]"


def test_a_scale_has_round_ticks_and_survives_a_single_value() -> None:
    assert svg.Scale((0, 1), (0, 100)).ticks() == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert svg.Scale((3, 3), (0, 100))(3) == 50


def test_charts_say_what_they_show_to_those_who_cannot_see_them() -> None:
    chart = svg.curve_chart({"a<b": [(0, 0), (1, 1)]}, x_title="x", y_title="y", label="curve")
    assert "<title>curve</title>" in chart and "a&lt;b" in chart
    bars = svg.histogram([0.1, 0.9, 0.95], bins=2, bounds=(0, 1), x_title="x", label="bars")
    assert bars.count("<rect") == 2
    dots = svg.interval_chart(
        [("sys", 0.5, 0.4, 0.6, False), ("a very long name that is cut", 0.4, None, None, True)],
        x_title="f1",
        label="dots",
    )
    assert dots.count("<circle") == 2 and "…" in dots
