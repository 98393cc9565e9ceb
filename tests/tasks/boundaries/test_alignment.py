"""Boundaries carried onto another text's words."""

import pytest

from earmark.tasks.boundaries.alignment import place, place_on_words
from earmark.tasks.boundaries.formats.marked import text_of_lines
from earmark.tasks.boundaries.values import Boundaries
from earmark.values.errors import InputError

BASE = text_of_lines(["so we went home", "why not", "it was late"])


def test_the_same_words_need_no_alignment() -> None:
    placed = place(BASE, BASE, BASE.boundaries(), at="a")
    assert placed.boundaries == BASE.boundaries()
    assert placed.error_rate == 0


def test_a_boundary_before_the_first_word_of_the_base_is_lost() -> None:
    other = text_of_lines(["well", "so we went home", "why not", "it was late"])
    placed = place(BASE, other, other.boundaries(), at="a")
    assert placed.lost == 1
    assert placed.boundaries == BASE.boundaries()


def test_without_boundaries_no_share_of_them_is_near_an_error() -> None:
    other = text_of_lines(["so he went home why not it was late"])
    placed = place(BASE, other, Boundaries(9), at="a")
    assert placed.as_json()["share_of_boundaries_near_errors"] is None


def test_a_text_is_placed_on_the_words_of_a_transcript() -> None:
    text = text_of_lines(["so we went hom", "why not it was late"])
    assert place_on_words(BASE.words, text, at="a").after == {3, 8}
    with pytest.raises(InputError, match="the same words, or nearly so"):
        place_on_words(("other", "words"), text, at="a")
