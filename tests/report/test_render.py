"""The page, as a person sees it: in a real browser, wide and narrow, light and dark."""

from pathlib import Path
from typing import Any

import pytest
from tests.browser import chromium

from earmark.report.render import anchor, render
from earmark.study import Study

# what a person at this screen would trip over
PROBLEMS = """() => {
  const found = [], wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`the page is ${wide} wide on a screen of ${innerWidth}`);
  for (const svg of document.querySelectorAll("svg")) {
    const shown = svg.getBoundingClientRect().width;
    if (!shown) found.push("a drawing has no width");
    const scale = shown / (svg.viewBox.baseVal?.width || shown);
    for (const text of svg.querySelectorAll("text")) {
      const size = scale * parseFloat(getComputedStyle(text).fontSize);
      if (size < 10.9) found.push(`${text.textContent} is ${size} px high`);
    }
  }
  return found;
}"""


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
    """Everything that is wrong with a page on a screen of that width."""
    messages: list[str] = []
    tab = browser.new_page(viewport={"width": width, "height": 900})
    tab.on("console", lambda message: messages.append(message.text))
    tab.on("pageerror", lambda error: messages.append(str(error)))
    addresses: list[str] = []
    tab.on("request", lambda request: addresses.append(request.url))
    tab.goto(path.as_uri())
    messages += [url for url in addresses if not url.startswith(("file:", "data:"))]
    messages += tab.evaluate(PROBLEMS)
    tab.close()
    return messages


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


@pytest.mark.browser
def test_no_script_runs_but_the_page_s_own(report: Path) -> None:
    text = report.read_text()
    foreign = "<script>window.foreign = 1</script><p onclick='window.foreign = 1'>x</p>"
    report.write_text(text.replace("</main>", foreign + "</main>"))
    with chromium() as browser:
        tab = browser.new_page()
        tab.goto(report.as_uri())
        tab.click("p[onclick]")
        assert tab.evaluate("window.foreign") is None
        assert tab.evaluate("document.documentElement.dataset.theme") == "light"


def test_values_are_escaped_in_a_template() -> None:
    html = render("earmark.report/table.html", columns=["<b>"], rows=[["a & b"]])
    assert "<th>&lt;b&gt;</th>" in html and "a &amp; b" in html


def test_a_section_s_anchor_has_letters_digits_and_hyphens_only() -> None:
    assert anchor('All "scores" <now>') == "all-scores-now"
