"""The organiser's pages in a browser: signing in, the numbers, excluding somebody, pausing."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.web.places import (
    HOSTILE,
    PASSWORD,
    STUDIES,
    Place,
    answer_all,
    own_recordings,
    serving,
)
from tests.web.test_pages import check
from tests.web.test_questions import answer_words
from tests.web.visiting import Visitor, visitor

pytestmark = pytest.mark.browser

# A label that would run as a script; labels of one option may have no commas.
SCRIPT = "<img src=x onerror=window.pwned=1>"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with serving(STUDIES["context"](tmp_path_factory.mktemp("organised") / "talks")) as running:
        yield running


def sign_in(person: Visitor, place: Place) -> None:
    person.page.goto(f"{place.address}/organiser")
    person.page.wait_for_selector("#password")
    person.page.fill("#password", PASSWORD)
    person.keys("Enter")
    person.page.wait_for_selector("main[data-ready]")


@pytest.fixture(scope="module")
def session(place: Place, browser: Any) -> Any:
    """The cookies of an organiser who has signed in; a minute allows five tries."""
    with visitor(browser) as organiser:
        sign_in(organiser, place)
        return organiser.page.context.storage_state()


@contextmanager
def organising(browser: Any, place: Place, session: Any, **more: Any) -> Iterator[Visitor]:
    """The organiser at their page."""
    with visitor(browser, storage_state=session, **more) as organiser:
        organiser.page.goto(f"{place.address}/organiser")
        organiser.page.wait_for_selector("main[data-ready]")
        yield organiser


def test_the_organiser_signs_in_with_the_password_and_nothing_else(
    place: Place, browser: Any
) -> None:
    with visitor(browser) as person:
        person.page.goto(f"{place.address}/organiser")
        person.page.wait_for_selector("#password")
        check(person)
        person.page.fill("#password", "a guess")
        person.keys("Enter")
        person.page.wait_for_selector(".problem:has-text('not the organiser')")
        person.page.fill("#password", PASSWORD)
        person.keys("Enter")
        person.page.wait_for_selector("main[data-ready]")
        person.press("text=Sign out")
        person.page.wait_for_selector("#password")


def test_the_promise_of_the_plan_is_shown_with_its_range(
    place: Place, browser: Any, session: Any
) -> None:
    path = place.live.folder / "plan.json"
    ranges = {
        "answers": {"value": 1200, "low": 800, "high": 1900},
        "money": {"value": 144.0, "low": 96.0, "high": 228.0},
    }
    plan = {"groups": {}, "curve": [], "spread": {}, "currency": "EUR", **ranges}
    path.write_text(json.dumps(plan))
    try:
        with organising(browser, place, session) as organiser:
            shown = organiser.page.inner_text("main")
    finally:
        path.unlink()
    assert "The plan promised 1,200 (800–1,900) answers for €144.00 (€96.00–€228.00)" in shown


@pytest.mark.parametrize("width", [390, 1440])
def test_numbers_people_and_a_hostile_name_are_shown_as_text(
    place: Place, browser: Any, session: Any, width: int
) -> None:
    with visitor(browser) as person:
        link = f"{place.address}/?PROLIFIC_PID={quote(HOSTILE)}{width}&STUDY_ID=s&SESSION_ID=t"
        person.page.goto(link)
        person.on("start")
        person.press("label[for=consent]")
        person.press("button.primary")
        person.on("guide")
        person.press("button.primary")
        person.on("question")
        answer_words(person)
        person.settled(1)
    scheme = "dark" if width == 390 else "light"
    size = {"width": width, "height": 900}
    more = {"viewport": size, "color_scheme": scheme}
    with organising(browser, place, session, **more) as organiser:
        words = organiser.page.inner_text("main")
        assert "Answers by the hour" in words and "Who answers" in words
        assert f"{HOSTILE}{width}" in words
        assert organiser.page.locator("img").count() == 0
        assert organiser.page.evaluate("window.pwned") is None
        wide = organiser.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, "tables scroll inside their frames"
        check(organiser, sticks_out=False)


def test_somebody_is_excluded_for_a_reason_and_let_in_again(
    place: Place, browser: Any, session: Any
) -> None:
    with visitor(browser) as person, organising(browser, place, session) as organiser:
        person.begin(place)
        answer_words(person)
        person.settled(1)
        name = place.answers()[-1]["person"]
        organiser.page.reload()
        organiser.press(f"button[aria-label='Exclude {name}']")
        organiser.page.wait_for_selector("dialog[open]")
        check(organiser, sticks_out=False)
        organiser.page.fill("#why", "answers at random")
        organiser.press("dialog .primary")
        organiser.page.wait_for_selector(f"tr.excluded:has-text('{name}')")
        assert "answers at random" in organiser.page.inner_text("tr.excluded")
        person.page.reload()
        person.on("finished")
        assert "asking you no further questions" in person.page.inner_text("main")
        organiser.press(f"button[aria-label='Include {name} again']")
        organiser.page.wait_for_selector(f"button[aria-label='Exclude {name}']")
        person.page.reload()
        person.on("question")


def test_a_paused_study_asks_nobody_until_it_goes_on(
    place: Place, browser: Any, session: Any
) -> None:
    with visitor(browser) as person, organising(browser, place, session) as organiser:
        organiser.press("text=Pause asking")
        organiser.page.wait_for_selector(".tag[data-state=paused]")
        person.page.goto(place.address)
        person.press("label[for=consent]")
        person.press("button.primary")
        person.on("guide")
        person.press("button.primary")
        person.on("nothing")
        organiser.press("text=Go on asking")
        organiser.page.wait_for_selector(".tag[data-state=running]")
        person.press("button.primary")
        person.on("question")


def test_the_pay_list_is_a_table(place: Place, browser: Any, session: Any) -> None:
    with organising(browser, place, session) as organiser:
        with organiser.page.expect_download() as download:
            organiser.press("text=Pay list")
        assert "person" in download.value.path().read_text(encoding="utf-8").splitlines()[0]


def test_the_reference_is_said_in_words_and_can_be_searched(
    place: Place, browser: Any, session: Any
) -> None:
    flags = '{"is": "Flags", "at": [3, 5], "length": 40}'
    rows = [
        {"item": "bees", "value": flags, "doubt": 0.25, "answers": 4},
        {"item": HOSTILE, "value": "not <b>JSON</b>", "doubt": None, "answers": 1},
    ]
    document = json.dumps({"by": "majority", "rows": rows, "total": 2})
    with visitor(browser, storage_state=session) as organiser:
        organiser.page.route(
            "**/api/organiser/reference", lambda route: route.fulfill(body=document)
        )
        organiser.page.goto(f"{place.address}/organiser")
        organiser.page.wait_for_selector("#search")
        words = organiser.page.inner_text("main")
        assert "2 of 40 words do not fit" in words and "25%" in words
        assert HOSTILE in words and "not <b>JSON</b>" in words
        organiser.page.fill("#search", "BEES")
        table = organiser.page.locator("section:has(#search) tbody")
        assert table.locator("tr").count() == 1 and "bees" in table.inner_text()


def test_real_answers_make_the_reference_that_is_shown_and_a_hostile_label_is_text(
    tmp_path: Path, browser: Any
) -> None:
    study = own_recordings(tmp_path / "own", (SCRIPT, "bell"))
    with serving(study, {"people": 2}) as place:
        with visitor(browser) as person:
            person.page.goto(place.address)
            person.press("label[for=consent]")
            person.press("button.primary")
            person.on("guide")
            assert SCRIPT in person.page.inner_text(".classes")
            assert person.page.locator(".classes .chip").count() == 3, "the study's own examples"
            person.press(".classes .chip")
            person.page.wait_for_selector(".chip.playing")
            for number in (1, 2):
                person.press(f".check:nth-of-type({number})")
            person.press(".actions button.primary")
            person.on("question")
            person.press(".play")
            person.listens()
            assert SCRIPT in person.page.inner_text(".choice")
            person.press(".choice label")
            person.press(".actions button.primary")
            person.settled(1)
            assert person.page.locator("img").count() == 0
            assert person.page.evaluate("window.pwned") is None
        assert answer_all(place, lambda number: [SCRIPT]) > 0
        with visitor(browser) as organiser:
            sign_in(organiser, place)
            organiser.page.wait_for_selector("body[data-reference=ready] #search")
            table = organiser.page.inner_text("section:has(#search) tbody")
            assert "north" in table and "south" in table
            assert f"{SCRIPT} 0–11 s" in table, "everybody heard it in every window"
            assert organiser.page.locator(".strip svg rect").count() > 0
            assert organiser.page.locator("img").count() == 0
            assert organiser.page.evaluate("window.pwned") is None
            check(organiser, sticks_out=False)
