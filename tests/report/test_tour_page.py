"""What the page of the tour shows."""

from earmark import tasks
from earmark.report import tour_page
from earmark.report.figure import Figure
from earmark.report.study_page import Card
from earmark.report.svg import element
from earmark.report.tour_page import Chapter


def test_a_failure_is_shown_as_it_was_said_and_others_with_their_pictures() -> None:
    failed = tour_page.failed_chapter(tasks.load("events"), "<Error> & so on", seconds=3.4)
    figure = Figure("A picture", element("p", "drawn"), script="let once = 1;")
    done = Chapter(
        "captions", "asks?", 1.0, Card("", "0.5", "best"), "About.", "c d/x.html", (figure, figure)
    )
    page = tour_page.page([failed, done])
    assert "<pre>&lt;Error&gt; &amp; so on</pre>" in page and "· 3 s" in page
    assert 'href="c%20d/x.html"' in page and "<p>drawn</p>" in page
    assert page.count("let once = 1;") == 1
    assert '<a href="#events">Events</a>' in page and '<section id="events">' in page
