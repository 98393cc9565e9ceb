"""The timeline's player in a real browser: the line follows the sound, a click moves the sound."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from earmark.study import Study


def chromium() -> Any:
    """The browser of tests/browser.py, wherever the tests are run from."""
    path = Path(__file__).parents[2] / "browser.py"
    spec = importlib.util.spec_from_file_location("browser_of_the_tests", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.chromium()


@pytest.mark.browser
def test_a_click_into_the_picture_moves_the_sound_and_the_line_follows(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "street", task="events", seed=2)
    study.make("soundscapes", recordings=1, seconds=20.0)
    figure = study.task.report["timeline"](study)
    page_file = tmp_path / "page.html"
    page_file.write_text(f"<!doctype html><meta charset=utf-8>{figure.body}", encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(page_file.as_uri())
        page.wait_for_function("document.querySelector('audio').duration > 19")
        before = float(page.locator("line.now").get_attribute("x1"))
        box = page.locator("svg:has(line.now)").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + 40)
        page.wait_for_function("document.querySelector('audio').currentTime > 5")
        page.wait_for_function(
            f"+document.querySelector('line.now').getAttribute('x1') > {before} + 100"
        )
        at = page.evaluate("document.querySelector('audio').currentTime")
        assert 8 < at < 14 and not errors
