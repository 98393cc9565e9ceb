"""The pages of every task and of the tour in a real browser: on a phone and on a desk."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser import chromium
from tests.studies import TASKS, small_study

from earmark.report import tour_page
from earmark.study import Study

# every text that is on the screen, in the page's own pixels; and what is wider than the screen
LOOK = """() => {
  const problems = [], wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) problems.push(`the page is ${wide} px wide on a screen of ${innerWidth}`);
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (!own || !node.getClientRects().length || node.closest("title, script, style")) continue;
    const svg = node.closest("svg"), box = svg && svg.viewBox.baseVal;
    const scale = box && box.width ? svg.getBoundingClientRect().width / box.width : 1;
    const size = scale * parseFloat(getComputedStyle(node).fontSize);
    if (size < 10.99) problems.push(`${size} px: ${node.textContent.trim()}`);
  }
  const button = document.querySelector("button.theme").getBoundingClientRect();
  if (button.right > innerWidth) problems.push("the theme button is off the screen");
  return problems;
}"""


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    root = tmp_path_factory.mktemp("pages")
    return {task: small_study(task, root / task) for task in TASKS}


@pytest.fixture(scope="module")
def pages(studies: dict[str, Study]) -> dict[str, Path]:
    """Return task to the file of its page, and the page of a tour of all of them as `index`."""
    files = {task: study.report() for task, study in studies.items()}
    chapters = [
        tour_page.finished_chapter(study, link="x.html", seconds=1.0) for study in studies.values()
    ]
    index = files["events"].parents[2] / "index.html"
    index.write_text(tour_page.page(chapters), encoding="utf-8")
    return {**files, "index": index}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if shutil.which("chromium") is None:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    with chromium() as opened:
        yield opened


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("name", [*TASKS, "index"])
def test_letters_are_legible_and_nothing_sticks_out(
    pages: dict[str, Path], browser: Any, name: str, width: int
) -> None:
    tab = browser.new_page(viewport={"width": width, "height": 900})
    messages: list[str] = []
    tab.on("console", lambda message: messages.append(message.text))
    tab.on("pageerror", lambda error: messages.append(str(error)))
    tab.goto(pages[name].as_uri())
    assert tab.evaluate(LOOK) == [] and messages == []
    tab.close()


@pytest.mark.browser
def test_another_metric_is_one_choice_away(pages: dict[str, Path], browser: Any) -> None:
    tab = browser.new_page()
    tab.goto(pages["captions"].as_uri())
    panels = tab.locator(".panel")
    assert panels.count() == 2
    assert panels.nth(0).is_visible() and not panels.nth(1).is_visible()
    tab.locator(".panels select").select_option("rouge_l")
    assert panels.nth(1).is_visible() and not panels.nth(0).is_visible()
    assert "ROUGE-L" in panels.nth(1).inner_text()
    tab.close()


@pytest.mark.browser
def test_without_scripts_every_metric_opens_by_its_name(
    pages: dict[str, Path], browser: Any
) -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(pages["captions"].as_uri())
    assert not tab.locator(".panel table").nth(1).is_visible()
    tab.locator(".panel summary").nth(1).click()
    assert tab.locator(".panel table").nth(1).is_visible()
    assert tab.locator(".item-values td").count() > 3, "the items of the first metric are there"
    context.close()


@pytest.mark.browser
def test_a_value_leads_to_its_items_the_worst_of_its_system_first(
    pages: dict[str, Path], browser: Any
) -> None:
    tab = browser.new_page()
    tab.goto(pages["captions"].as_uri())
    tab.locator(".panels select").select_option("rouge_l")
    tab.locator('a[data-items="rouge_l short"]').click()
    assert tab.url.endswith("#items-truth")
    assert tab.locator(".item-values select").input_value() == "rouge_l"
    head = tab.locator(".item-values th[aria-sort]")
    assert head.inner_text().strip() == "short" and head.get_attribute("aria-sort") == "ascending"
    column = tab.evaluate(
        "[...document.querySelectorAll('.item-values th')].findIndex(h => h.ariaSort)"
    )
    cells = tab.locator(f".item-values td:nth-child({column + 1})").all_inner_texts()
    assert cells == sorted(cells) and len(set(cells)) > 1
    head.locator("button").click()
    cells = tab.locator(f".item-values td:nth-child({column + 1})").all_inner_texts()
    assert cells == sorted(cells, reverse=True)
    tab.close()


@pytest.mark.browser
def test_items_are_searched_by_name_and_by_what_was_said(
    pages: dict[str, Path], browser: Any
) -> None:
    tab = browser.new_page()
    tab.goto(pages["keywords"].as_uri())
    rows = tab.locator(".item-values tbody tr:visible")
    every = rows.count()
    name = tab.locator(".item-values tbody td").first.inner_text()
    tab.locator(".item-values input").fill(name.lower())
    assert rows.count() == 1 < every
    tab.locator(".item-values input").fill("no item is called so")
    assert rows.count() == 0
    word = tab.evaluate("document.querySelector('.item-view dd').textContent.split(',')[0]")
    tab.locator(".item-values input").fill(word)
    assert 0 < rows.count() <= every
    tab.locator(".item-values input").fill("")
    assert rows.count() == every
    tab.locator(".item-values tbody a").first.click()
    place = tab.locator(f"[id='{tab.url.partition('#')[2]}']")
    assert place.is_visible(), "a click opens the view, or leads to the picture"
    tab.close()


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1440])
def test_a_table_is_saved_as_csv_and_a_picture_as_svg(
    pages: dict[str, Path], browser: Any, width: int
) -> None:
    tab = browser.new_page(viewport={"width": width, "height": 900}, accept_downloads=True)
    tab.goto(pages["captions"].as_uri())
    board = tab.locator("#board figure").first
    with tab.expect_download() as saved:
        board.get_by_role("button", name="CSV").click()
    path = saved.value.path()
    lines = path.read_text(encoding="utf-8").splitlines()
    assert saved.value.suggested_filename == "against-truth-bleu-1.csv"
    assert lines[0].startswith("rank,system,BLEU-1 ↑,low,high")
    assert len(lines) == 3 and len(lines[1].split(",")[2]) > 6, "all digits"
    with tab.expect_download() as saved:
        board.get_by_role("button", name="SVG").click()
    drawing = saved.value.path().read_text(encoding="utf-8")
    assert saved.value.suggested_filename.endswith(".svg") and drawing.startswith("<svg")
    assert "var(--" not in drawing and "rgb(" in drawing, "colours are written out"
    tab.close()


@pytest.mark.browser
def test_no_legend_speaks_of_dark_where_dark_may_mean_the_page(pages: dict[str, Path]) -> None:
    for path in pages.values():
        text = path.read_text(encoding="utf-8").lower()
        assert "darker" not in text and "brighter" not in text, path


@pytest.mark.browser
def test_identifiers_are_not_shown_for_names(pages: dict[str, Path], browser: Any) -> None:
    tab = browser.new_page()
    for name, path in pages.items():
        tab.goto(path.as_uri())
        words = tab.evaluate(
            "[...document.querySelectorAll('h3, h4, th, .card, .about, option, figcaption, td')]"
            ".filter(n => !n.querySelector('code')).map(n => n.textContent).join(' ')"
        )
        for raw in ("best_f", "gives_evidence", "no_sound_alike", "segment_f1", "wake_score"):
            assert raw not in words, (name, raw)
    tab.close()
