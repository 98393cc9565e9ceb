"""Each of the five questions, from consent to what is stored: by mouse, by keyboard, by touch."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.web.places import STUDIES, Place
from tests.web.visiting import Visitor, visitor

WAYS = ("mouse", "keyboard", "touch")
WORDS = ("boundaries", "context")


def answer_events(person: Visitor) -> None:
    if person.way == "keyboard":
        person.keys("p")
        person.listens()
        person.keys("5", "1", "1", "Enter")  # siren; car horn and not
    else:
        person.press(".play")
        person.listens()
        person.press(".choice:has([value=siren]) label")
        person.press("button.primary")


def answer_captions(person: Visitor) -> None:
    if person.way == "keyboard":
        person.keys("p")
        person.listens()
        person.keys("1", "2", "Enter")
    else:
        person.press(".play")
        person.listens()
        person.press(".choice:has([value=second]) label")
        person.press("button.primary")


def answer_words(person: Visitor) -> None:
    if person.way == "keyboard":
        person.keys("w", "ArrowRight", "ArrowRight", "Space", "Control+Enter")
    else:
        person.press(".word:nth-of-type(3)")
        person.press("button.primary")


def answer_keywords(person: Visitor) -> None:
    record = "button.record"
    if person.way == "keyboard":
        if not person.page.locator("#language").input_value():
            person.tab_to("#language")
            person.keys("E")
            person.tab_to(record)
        person.keys("r")
    else:
        person.page.locator("#language").select_option("English")
        person.press(record)
    person.page.wait_for_selector("button.record.on")
    person.page.wait_for_timeout(900)  # of speaking
    person.keys("r") if person.way == "keyboard" else person.press(record)
    person.page.wait_for_selector(".take .player")
    if person.way == "keyboard":
        person.keys("p", "Control+Enter")
    else:
        person.press(".take .play")
        person.press(".actions button.primary")


ANSWER = {
    "events": answer_events,
    "captions": answer_captions,
    "boundaries": answer_words,
    "context": answer_words,
    "keywords": answer_keywords,
}
VALUES: dict[str, dict[str, Any]] = {
    "events": {"labels": ["siren"]},
    "captions": {"winner": "second"},
    "boundaries": {"after": [2]},
    "context": {"marked": [2]},
}


@pytest.mark.browser
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("task", STUDIES)
def test_a_question_is_answered_from_consent_to_storage(
    places: Callable[[str], Place], browser: Any, task: str, way: str
) -> None:
    place = places(task)
    before = len(place.answers())
    with visitor(browser, way) as person:
        person.begin(place)
        for number in (1, 2):
            assert person.page.evaluate("document.activeElement.tagName") == "H1"
            ANSWER[task](person)
            person.settled(number)
    rows = place.answers()[before:]
    assert len(rows) == 2 and len({row["unit"] for row in rows}) == 2
    assert len({row["person"] for row in rows}) == 1 and len({row["key"] for row in rows}) == 2
    assert all(row["counts"] and 0 < row["seconds"] < 60 for row in rows)
    if task in VALUES:
        assert [row["value"] for row in rows] == [VALUES[task]] * 2
    else:
        assert all(row["value"]["language"] == "English" for row in rows)
