"""The pages of a challenge in a real browser: light and dark, on a phone and on a desk."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs earmark[web]")

from tests.browser import chromium
from tests.web.challenges import Contest, contest
from tests.web.visiting import DESK, PHONE

pytestmark = [pytest.mark.usefixtures("sixth"), pytest.mark.browser]
HEADS = "hand-*) echo heads;;"
SOME = "hand-1) echo heads;;"
LOOKS = [(scheme, size) for scheme in ("light", "dark") for size in ("phone", "desk")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture
def coins(tmp_path: Path) -> Iterator[Contest]:
    with contest(tmp_path) as opened:
        yield opened


class Team:
    """A team at its page; `problems` are what the browser complained of."""

    def __init__(self, browser: Any, look: tuple[str, str]) -> None:
        scheme, size = look
        self.name = f"{scheme}-{size}"
        self.context = browser.new_context(
            color_scheme=scheme, **(PHONE if size == "phone" else DESK)
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def looks_right(self, name: str) -> None:
        """Nothing is wider than the screen, nothing fails axe; keep a picture if asked to."""
        if place := os.environ.get("EARMARK_PICTURES"):
            self.page.screenshot(path=f"{place}/{name}-{self.name}.png", full_page=True)
        widths = "() => [document.documentElement.scrollWidth, innerWidth]"
        wide, screen = self.page.evaluate(widths)
        assert wide <= screen, name
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page)
        assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("look", LOOKS, ids="-".join)
def test_a_team_signs_in_hands_in_sees_its_scores_and_stands_on_the_board(
    look: tuple[str, str], coins: Contest, browser: Any
) -> None:
    team = Team(browser, look)
    page = team.page
    page.goto(f"{coins.address}/team")
    team.looks_right("sign-in")
    page.fill("#token", coins.tokens["larks"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector("#file")
    page.wait_for_selector(".phases section")
    partial = "hand-1) echo no word was heard >&2; exit 3;; hand-*) echo heads;;"
    page.set_input_files("#file", coins.zipped(partial))
    page.get_by_role("button", name="Hand in").click()
    page.wait_for_selector(".badge[data-state=submitted]")
    coins.work()
    page.wait_for_selector(".badge[data-state=scored]")
    page.locator(".entry summary").click()
    page.wait_for_selector("pre.log")
    assert "no word was heard" in page.inner_text("pre.log")
    assert "1 of 3 parts failed" in page.inner_text(".why")
    assert "heads_f1" in page.inner_text(".scores")
    team.looks_right("team")
    for name, words in (("owls", SOME), ("wrens", HEADS)):
        coins.challenge.submit(name, coins.zipped(words, name), phase="feedback")
    coins.work()
    page.goto(f"{coins.address}/board")
    text = page.inner_text("main")
    assert "larks" in text and "always (baseline)" in text and "NOT ISOLATED" in text
    team.looks_right("board")
    assert team.problems == []
    team.context.close()


def test_a_blind_phase_shows_its_team_and_everybody_that_it_was_handed_in(
    coins: Contest, browser: Any
) -> None:
    team = Team(browser, ("light", "desk"))
    page = team.page
    page.goto(f"{coins.address}/team")
    page.fill("#token", coins.tokens["larks"])
    page.keyboard.press("Enter")
    page.wait_for_selector(".phases section")
    page.select_option("#phase", "final")
    page.set_input_files("#file", coins.zipped(HEADS))
    page.get_by_role("button", name="Hand in").click()
    page.wait_for_selector(".badge[data-state=submitted]")
    coins.work()
    page.wait_for_selector(".badge[data-state=finished]")
    page.locator(".entry summary").click()
    words = page.inner_text(".entry")
    assert "heads_f1" not in words and "listening" not in words
    page.goto(f"{coins.address}/board?phase=final")
    text = page.inner_text("main")
    assert "Blind: nobody sees a score" in text and "larks" in text and "heads_f1" not in text
    team.looks_right("blind")
    assert team.problems == []
    team.context.close()


def test_a_wrong_token_and_a_wrong_file_are_refused_in_words(coins: Contest, browser: Any) -> None:
    team = Team(browser, ("light", "phone"))
    page = team.page
    page.goto(f"{coins.address}/team")
    page.fill("#token", "team-wrong")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector("[role=alert]:not([hidden])")
    assert "No team has this token" in page.inner_text("[role=alert]")
    page.fill("#token", coins.tokens["larks"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector(".phases section")
    page.get_by_role("button", name="Hand in").click()
    assert "Choose the zip" in page.inner_text("[role=alert]")
    path = coins.folder / "bad.zip"
    path.write_bytes(b"no zip")
    page.set_input_files("#file", path)
    page.get_by_role("button", name="Hand in").click()
    page.wait_for_selector(".badge[data-state=submitted]")
    coins.work()
    page.wait_for_selector(".badge[data-state=failed]")
    assert "a submission is a zip" in page.inner_text(".why")
    team.context.close()
