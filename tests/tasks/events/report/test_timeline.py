"""The timeline's player in a real browser: the line follows the sound, a click moves the sound."""

from pathlib import Path
from typing import Any

import pytest
from tests.browser import chromium

from earmark.study import Study
from earmark.tasks.events.report.timeline import draw_timeline


def wait_until(page: Any, condition: str) -> None:
    """Wait up to ten seconds; `wait_for_function` needs eval, which the page's policy forbids."""
    for _ in range(200):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"not within ten seconds: {condition}")


@pytest.mark.browser
def test_a_click_into_the_picture_moves_the_sound_and_the_line_follows(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "street", task="events", seed=2)
    study.make("soundscapes", recordings=1, seconds=20.0)
    page_file = study.report()
    figure = draw_timeline(study)
    assert figure is not None and figure.script in page_file.read_text(encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(page_file.as_uri())
        wait_until(page, "document.querySelector('audio').duration > 19")
        before = float(page.locator("line.now").get_attribute("x1"))
        picture = page.locator("svg:has(line.now)")
        picture.scroll_into_view_if_needed()
        box = picture.bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 40)
        wait_until(page, "document.querySelector('audio').currentTime > 5")
        wait_until(page, f"+document.querySelector('line.now').getAttribute('x1') > {before} + 100")
        seconds = page.evaluate("document.querySelector('audio').currentTime")
        assert 8 < seconds < 14 and not errors
