"""A real browser for tests, or a skip that says why there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium(*flags: str) -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright."""
    place = shutil.which("chromium")
    if place is None:
        pytest.skip("needs Debian's chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=place, args=[*FLAGS, *flags])
        yield browser
        browser.close()


@contextmanager
def another(browser: Any, *flags: str) -> Iterator[Any]:
    """A second Chromium beside one that is open, with flags of its own."""
    place = shutil.which("chromium")
    opened = browser.browser_type.launch(executable_path=place, args=[*FLAGS, *flags])
    try:
        yield opened
    finally:
        opened.close()
