"""The network is cut, replies are lost, pages reloaded: nothing is lost, nothing is there twice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.web.places import STUDIES, Place, serving
from tests.web.test_questions import answer_events, answer_words
from tests.web.visiting import visitor

pytestmark = pytest.mark.browser


def test_answers_given_without_network_arrive_once_when_it_is_back(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("events")
    before = len(place.answers())
    with visitor(browser) as person:
        person.begin(place)
        person.page.wait_for_selector("body[data-ahead=ready]")  # the next clip has come
        person.page.context.set_offline(True)
        answer_events(person)
        person.page.wait_for_selector("#saved[data-state=waiting]")
        assert "1 answer is safe on this device" in person.page.inner_text("#saved")
        person.on("question")
        answer_events(person)  # the clip that was loaded ahead plays without network
        person.on("offline")
        assert "2 answers are safe" in person.page.inner_text("#saved")
        assert len(place.answers()) == before
        person.page.context.set_offline(False)
        person.on("question")
        person.settled(2)
        answer_events(person)
        person.settled(3)
    rows = place.answers()[before:]
    assert [row["value"] for row in rows] == [{"labels": ["siren"]}] * 3
    assert len({row["unit"] for row in rows}) == 3 and all(row["counts"] for row in rows)


def test_an_answer_whose_reply_is_lost_is_sent_again_and_stored_once(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("boundaries")
    before = len(place.answers())
    keys: list[str] = []

    def lose_the_first_two_replies(route: Any) -> None:
        keys.append(route.request.post_data_json["key"])
        reply = route.fetch()
        if len(keys) <= 2:
            route.abort("connectionreset")
        else:
            route.fulfill(response=reply)

    with visitor(browser) as person:
        person.begin(place)
        person.page.route("**/api/answers", lose_the_first_two_replies)
        answer_words(person)
        person.settled(1)
        person.page.unroute("**/api/answers")
    assert len(keys) == 3 and len(set(keys)) == 1
    assert len(place.answers()) == before + 1


def test_a_page_closed_without_network_sends_its_answers_when_it_is_opened_again(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("boundaries")
    before = len(place.answers())
    with visitor(browser) as person:
        person.begin(place)
        person.page.context.set_offline(True)
        answer_words(person)
        person.page.wait_for_selector("#saved[data-state=waiting]")
        person.page.goto("about:blank")
        person.page.context.set_offline(False)
        person.page.goto(place.address)
        person.page.wait_for_selector("#saved[data-state=saved]", state="attached")
        person.page.wait_for_selector("body[data-page=question], body[data-page=nothing]")
    assert len(place.answers()) == before + 1


def test_a_reload_keeps_the_question_and_what_was_marked(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("context")
    with visitor(browser) as person:
        person.begin(place)
        words = person.page.inner_text(".words")
        person.press(".word:nth-of-type(2)")
        person.press(".word:nth-of-type(4)")
        person.page.wait_for_timeout(200)  # until the draft is written
        person.page.reload()
        person.on("question")
        assert person.page.inner_text(".words") == words
        pressed = person.page.locator(".word[aria-pressed=true]")
        assert pressed.count() == 2
        person.press("button.primary")
        person.settled(1)
    assert place.answers()[-1]["value"] == {"marked": [1, 3]}


def test_the_next_clip_is_loaded_while_this_one_is_answered(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("captions")
    clips: list[str] = []
    with visitor(browser) as person:
        person.page.on("request", lambda r: clips.append(r.url) if "/api/media/" in r.url else None)
        person.begin(place)
        person.page.wait_for_selector("body[data-ahead=ready]")
        assert len(set(clips)) == 2, "this question's and the next one's"


def test_a_busy_server_is_asked_again_later(places: Callable[[str], Place], browser: Any) -> None:
    place = places("context")
    before, tries = len(place.answers()), [0]

    def busy_at_first(route: Any) -> None:
        tries[0] += 1
        if tries[0] == 1:
            route.fulfill(status=429, headers={"Retry-After": "1"}, body="{}")
        else:
            route.continue_()

    with visitor(browser) as person:
        person.begin(place)
        person.page.route("**/api/answers", busy_at_first)
        answer_words(person)
        person.settled(1)
    assert tries[0] == 2 and len(place.answers()) == before + 1


def test_what_the_server_refuses_is_shown_with_its_reason_and_not_lost(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("context")
    reason = '{"error": {"what": "this answer was <b>odd</b>", "fix": "look again"}}'
    with visitor(browser) as person:
        person.begin(place)
        words = person.page.inner_text(".words")
        held: list[Any] = []
        person.page.route("**/api/answers", lambda route: held.append(route), times=1)
        answer_words(person)
        # the answer is refused while the next question is shown; then this one comes back
        person.sees_another(1)
        held[0].fulfill(status=422, body=reason)
        answer_words(person)
        person.page.wait_for_selector(".problem:not([hidden])")
        assert person.page.inner_text(".words") == words
        assert "This answer was <b>odd</b>. Look again." in person.page.inner_text(".problem")
        assert person.page.locator(".word[aria-pressed=true]").count() == 1
        person.press("text=Leave this question out")
        person.page.wait_for_selector(".problem", state="hidden")
        person.on("question")


def test_a_reload_without_network_opens_the_question_that_was_shown(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("boundaries")
    before = len(place.answers())
    with visitor(browser) as person:
        person.begin(place)
        words = person.page.inner_text(".words")
        person.page.wait_for_selector("body[data-kept=yes]")  # the worker has the pages
        person.page.context.set_offline(True)
        person.page.reload()
        person.on("question")
        assert person.page.inner_text(".words") == words
        answer_words(person)
        person.page.wait_for_selector("#saved[data-state=waiting]")
        person.page.context.set_offline(False)
        person.settled(1)
    assert len(place.answers()) == before + 1


def test_a_browser_that_keeps_nothing_says_so_and_answers_arrive_all_the_same(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("context")
    before = len(place.answers())
    with visitor(browser) as person:
        person.page.add_init_script(
            "Object.defineProperty(window, 'indexedDB', {value: undefined})"
        )
        person.begin(place)
        person.page.context.set_offline(True)
        answer_words(person)
        person.page.wait_for_selector(".note:has-text('leave the page open')")
        person.page.context.set_offline(False)
        person.settled(1)
    assert len(place.answers()) == before + 1


def test_a_late_answer_is_kept_aside_and_the_page_says_so(tmp_path: Path, browser: Any) -> None:
    with serving(STUDIES["context"](tmp_path / "talks"), {"minutes": 0.05}) as place:
        with visitor(browser) as person:
            person.begin(place)
            person.page.wait_for_timeout(6000)  # the question's time is three seconds
            answer_words(person)
            person.page.wait_for_selector(".note:has-text('after its time was over')")
            person.on("question")
        (row,) = place.answers()
        assert not row["counts"]


def test_answers_of_a_session_that_ran_out_are_sent_when_somebody_starts_again(
    places: Callable[[str], Place], browser: Any
) -> None:
    place = places("context")
    before = len(place.answers())
    with visitor(browser) as person:
        person.begin(place)
        refusal = '{"error": {"what": "a token must be valid"}}'
        held: list[Any] = []
        person.page.route("**/api/answers", lambda route: held.append(route), times=1)
        answer_words(person)
        person.sees_another(1)
        held[0].fulfill(status=401, body=refusal)
        answer_words(person)  # the next one, whose answer arrives
        person.on("expired")
        person.press("button.primary")
        person.on("start")
        person.press("label[for=consent]")
        person.press("button.primary")
        person.on("guide")
        person.page.wait_for_selector("#saved[data-state=saved]", state="attached")
        person.press("button.primary")
        person.on("question")
    assert len(place.answers()) == before + 2
