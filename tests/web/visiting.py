"""A visitor: a page in a browser, used by mouse, by keyboard alone, or by touch."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.web.places import Place

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
DESK = {"viewport": {"width": 1440, "height": 900}}
PATIENCE = 60_000  # ms; machines that test are busy
MOST_TABS = 80  # from the top of a page to anything on it


class Visitor:
    """Somebody at a page; `problems` are what the browser complained of."""

    def __init__(self, page: Any, way: str) -> None:
        self.page, self.way = page, way
        self.problems: list[str] = []
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.set_default_timeout(PATIENCE)

    def _note(self, kind: str, text: str) -> None:
        # a network that is cut, and a take that is refused, are part of some tests
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.problems.append(text)

    def keep_picture(self, name: str) -> None:
        """Keep a picture of the page where EARMARK_PICTURES says, to be looked at."""
        if place := os.environ.get("EARMARK_PICTURES"):
            self.page.screenshot(path=f"{place}/{name}.png", full_page=self.way != "touch")

    def press(self, selector: str) -> None:
        """Click or touch."""
        target = self.page.locator(selector).first
        if self.way == "touch":
            target.tap()
        else:
            target.click()

    def tab_to(self, selector: str) -> None:
        """Press Tab until the focus is there."""
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"Tab never comes to {selector}")

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def listens(self) -> None:
        """Wait until the clip plays: an answer before that is refused."""
        self.page.wait_for_selector(".player.playing")

    def sees_another(self, answers: int) -> None:
        """Wait until so many answers were given, sent or not, and another question is shown."""
        self._counts(answers)
        self.on("question")

    def on(self, name: str) -> None:
        """Wait until that page is shown."""
        self.page.wait_for_selector(f"body[data-page={name}]")

    def begin(self, place: Place) -> None:
        """Consent, read the guide, come to the first question."""
        self.page.goto(place.address)
        self.on("start")
        if self.way == "keyboard":
            self.tab_to("#consent")
            self.keys("Space", "Enter")
            self.on("guide")
            for number in range(self.page.locator(".check input").count()):
                self.tab_to(f".check:nth-of-type({number + 1}) input")
                self.keys("Space")
            self.keys("Enter")
        else:
            self.press("label[for=consent]")
            self.press("button.primary")
            self.on("guide")
            for number in range(self.page.locator(".check input").count()):
                self.press(f".check:nth-of-type({number + 1})")
            self.press("button.primary")
        self.on("question")

    def _counts(self, answers: int) -> None:
        self.page.wait_for_function(
            "n => document.getElementById('counter').textContent.startsWith(n + ' ')", arg=answers
        )

    def settled(self, answers: int) -> None:
        """Wait until the server has so many answers, and what follows them is shown."""
        self._counts(answers)
        self.page.wait_for_selector("#saved[data-state=saved]", state="attached")
        self.page.wait_for_selector("body:not([data-page=sent])")


@contextmanager
def visitor(browser: Any, way: str = "mouse", **more: Any) -> Iterator[Visitor]:
    """Open a page for one person, on a phone if they use touch; nothing may be complained of."""
    context = browser.new_context(**{**(PHONE if way == "touch" else DESK), **more})
    try:
        someone = Visitor(context.new_page(), way)
        yield someone
        assert someone.problems == []
    finally:
        context.close()
