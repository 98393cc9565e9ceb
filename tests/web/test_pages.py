"""Every page that people see: for screen readers, on a phone and on a desk, light and dark."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.places import HOSTILE, STUDIES, Place, serving
from tests.web.test_questions import ANSWER
from tests.web.visiting import Visitor, visitor

from earmark.study import Study

pytestmark = pytest.mark.browser

GRAVE = ("serious", "critical")
# what sticks out of the screen, and letters that are too small to read
LOOK = """() => {
  const problems = [], wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) problems.push(`the page is ${wide} px wide on a screen of ${innerWidth}`);
  for (const node of document.querySelectorAll("body *")) {
    if (!node.checkVisibility() || node.closest(".unseen, .skip")) continue;
    const box = node.getBoundingClientRect();
    if (box.right > innerWidth + 1) problems.push(`${node.tagName}.${node.className} sticks out`);
    const own = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (own && parseFloat(getComputedStyle(node).fontSize) < 11) problems.push(node.textContent);
  }
  return problems;
}"""
# fingers need 24 px at least (WCAG 2.2, target size); words in a text are excepted there
SMALL = """() => [...document.querySelectorAll("button:not(.word, .link), select, .choice")]
  .filter((node) => node.checkVisibility())
  .map((node) => [node, node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([node, box]) => `${node.className} ${box.width}x${box.height}`)"""


def check(person: Visitor, *, sticks_out: bool = True) -> None:
    """Assert that axe finds nothing grave, nothing sticks out, and everything can be touched."""
    from axe_playwright_python.sync_playwright import Axe

    name = person.page.get_attribute("body", "data-page") or "page"
    title = "".join(c if c.isalnum() else "-" for c in person.page.title())[:60]
    person.keep_picture(f"{name}-{title}-{person.way}")
    found = [
        (one["id"], node["html"], node["failureSummary"])
        for one in Axe().run(person.page).response["violations"]
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]
    assert found == []
    if sticks_out:  # tables that scroll inside a frame do
        assert person.page.evaluate(LOOK) == []
    assert person.page.evaluate(SMALL) == []


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("task", STUDIES)
def test_start_guide_and_question_can_be_read_by_everybody(
    places: Callable[[str], Place], browser: Any, task: str, width: int
) -> None:
    scheme = "dark" if width == 390 else "light"
    way = "touch" if width == 390 else "mouse"
    with visitor(browser, way, color_scheme=scheme) as person:
        person.page.goto(places(task).address)
        person.on("start")
        check(person)
        person.begin(places(task))
        check(person)
        for word in person.page.locator(".word").all()[:2]:
            word.click()
        person.press(".actions button.primary")  # where something is missing, that is said
        if task not in ("boundaries", "context"):
            person.page.wait_for_selector(".problem:not([hidden])")
            check(person)


def test_the_guide_can_be_read_by_everybody_and_its_examples_play(
    places: Callable[[str], Place], browser: Any
) -> None:
    with visitor(browser, color_scheme="dark") as person:
        person.page.goto(places("events").address)
        person.press("label[for=consent]")
        person.press("button.primary")
        person.on("guide")
        check(person)
        assert person.page.locator(".classes .chip").count() == 24
        person.press(".classes .chip")
        person.page.wait_for_selector(".chip.playing")
        person.press("button.primary")
        assert "tick these first" in person.page.inner_text(".problem")


def test_nobody_is_asked_without_consent(places: Callable[[str], Place], browser: Any) -> None:
    with visitor(browser) as person:
        person.page.goto(places("context").address)
        person.on("start")
        person.keys("Enter")
        assert "Please tick the box" in person.page.inner_text(".problem")
        assert person.page.evaluate("document.activeElement.id") == "consent"
        assert person.page.get_attribute("body", "data-page") == "start"


@pytest.fixture
def short(tmp_path: Path) -> Study:
    """A study of one question."""
    (tmp_path / "talk.txt").write_text("It was a quiet day. Nobody came.", encoding="utf-8")
    study = Study.create(tmp_path / "short", task="boundaries")
    study.make(text=(tmp_path / "talk.txt",))
    study.ask(people=1)
    return study


def test_the_ends_of_the_way_nothing_now_finished_withdrawn(short: Study, browser: Any) -> None:
    with serving(short, {"people": 1}) as place, visitor(browser) as first:
        with visitor(browser, "touch", color_scheme="dark") as second:
            first.begin(place)
            # the only question is with the first person
            second.page.goto(place.address)
            second.press("label[for=consent]")
            second.press("button.primary")
            second.on("guide")
            second.press("button.primary")
            second.on("nothing")
            check(second)
            first.press(".word:nth-of-type(5)")
            first.press("button.primary")
            first.on("finished")
            check(first)
            code = first.page.get_attribute("[data-code]", "data-code")
            assert code and len(code) >= 6
            second.press("button.primary")
            second.on("finished")
            check(second)
            assert "This study is closed" in second.page.inner_text("main")
            assert second.page.locator("[data-code]").count() == 0
        first.press("footer a")
        first.page.wait_for_selector("#code")
        check(first)
        first.press("button.primary")
        assert "tick the box" in first.page.inner_text(".problem")
        first.press("label[for=sure]")
        first.press("button.primary")
        first.page.wait_for_selector("text=1 answer was deleted")
        assert place.answers() == []
        first.page.goto(place.address)
        first.on("start")


def test_a_study_asks_in_german_by_one_file_of_texts(tmp_path: Path, browser: Any) -> None:
    study = STUDIES["events"](tmp_path / "strasse")
    own = 'language = "de"\ntitle = "Straßenklänge"\n[label]\nsiren = "Martinshorn"\n'
    (study.folder / "texts.toml").write_text(own, encoding="utf-8")
    with serving(study) as place, visitor(browser) as person:
        person.begin(place)
        assert person.page.get_attribute("html", "lang") == "de"
        assert person.page.inner_text("h1") == "Welche dieser Geräusche hören Sie?"
        words = person.page.inner_text("body")
        for text in ("Straßenklänge", "Martinshorn", "Hundegebell", "Absenden und weiter"):
            assert text in words
        for english in ("Send", "None of these", "Play", "answers", "Keyboard"):
            assert english not in words
        ANSWER["events"](person)
        person.settled(1)


def test_scripts_in_captions_words_and_names_do_not_run(tmp_path: Path, browser: Any) -> None:
    quoted = HOSTILE.replace('"', '""')
    rows = [f'"{number}{quoted}","{number} {quoted}"' for number in (1, 2)]
    table = "\n".join(["item,caption", *rows]) + "\n"
    (tmp_path / "captions.csv").write_text(table, encoding="utf-8")
    study = Study.create(tmp_path / HOSTILE.replace("/", ""), task="captions")
    study.make(captions=tmp_path / "captions.csv")
    study.ask(people=1)
    with serving(study, {"people": 1}) as place, visitor(browser) as person:
        person.begin(place)
        assert person.page.locator(".choice.caption").first.inner_text().count("<img src=x") == 1
        assert "<img src=x" in person.page.inner_text(".brand")
        assert person.page.locator("img").count() == 0
        assert person.page.evaluate("window.pwned") is None


def test_pages_are_usable_without_single_key_shortcuts(
    places: Callable[[str], Place], browser: Any
) -> None:
    with visitor(browser) as person:
        person.begin(places("captions"))
        person.press("#shortcuts-on")
        person.keys("1")
        assert person.page.locator("input:checked[type=radio]").count() == 0
        person.press("#shortcuts-on")
        person.keys("1")
        assert person.page.locator("input:checked[type=radio]").count() == 1


def test_a_sixth_task_brings_its_own_page(tmp_path: Path, sixth: Path, browser: Any) -> None:
    study = Study.create(tmp_path / "tosses", task="coins")
    study.make(tosses=3)
    study.ask(people=1)
    with serving(study, {"people": 1}) as place, visitor(browser) as person:
        person.begin(place)
        assert person.page.inner_text("h1") == "Which side is up?"
        person.keys("Enter")
        assert "Please choose a side." in person.page.inner_text(".problem")
        person.keys("t", "Enter")
        person.settled(1)
        assert place.answers()[0]["value"] == {"side": "tails"}


@pytest.mark.parametrize("wanted", [True, False])
def test_a_picture_of_the_sound_is_shown_only_if_the_study_says_so(
    tmp_path: Path, browser: Any, wanted: bool
) -> None:
    study = STUDIES["events"](tmp_path / "street")
    with serving(study, {"spectrogram": wanted}) as place, visitor(browser) as person:
        person.begin(place)
        assert person.page.locator("canvas").count() == wanted
        if wanted:
            person.page.wait_for_function("() => document.querySelector('canvas').width === 400")
            shades = person.page.evaluate(
                "new Set(document.querySelector('canvas').getContext('2d')"
                ".getImageData(0, 0, 400, 64).data).size"
            )
            assert shades > 20, "it is drawn"
            check(person)
