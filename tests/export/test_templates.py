"""The layout of a HIT, in a real browser: what is clicked is what is sent."""

import pytest
from tests.browser import chromium

from earmark.export.questions import BOXES, FOOT, HEAD, UNANSWERED, clickable, word_form

PIECES = [("Dogs", True), (" ", False), ("<b>", True), (" ", False), ("bark", True), (".", True)]
VALUE = "document.getElementById('answer').value"
SEND = "document.querySelector('crowd-form').dispatchEvent(new Event('submit', {cancelable: true}))"


@pytest.mark.browser
def test_words_are_marked_by_clicks_and_an_untouched_form_is_not_sent() -> None:
    words = word_form("words", "every word fits").replace("${words}", clickable(PIECES))
    page_text = (HEAD + words + UNANSWERED + FOOT).replace(
        "https://assets.crowd.aws/", "about:blank#"
    )
    with chromium() as browser:
        page = browser.new_page()
        page.set_content(page_text)
        assert page.inner_text("p") == "Dogs <b> bark."
        assert page.evaluate(SEND) is False
        assert page.is_visible("text=Please answer first.")
        page.click("text=bark")
        page.click("text=Dogs")
        assert page.evaluate(VALUE) == "#0|#2"
        page.click("text=bark")
        assert page.evaluate(VALUE) == "#0"
        assert page.evaluate(SEND) is True
        page.check("#none")
        assert page.evaluate(VALUE) == "none"
        assert page.locator(".w.on").count() == 0


@pytest.mark.browser
def test_boxes_of_which_none_is_ticked_are_not_sent() -> None:
    box = '<input type="checkbox" name="labels" value="dog">'
    page_text = (HEAD + box + BOXES + UNANSWERED + FOOT).replace("https://assets.crowd.aws/", "#")
    with chromium() as browser:
        page = browser.new_page()
        page.set_content(page_text)
        assert page.evaluate(SEND) is False
        page.check("input")
        assert page.evaluate(SEND) is True
