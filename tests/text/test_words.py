"""Words and their marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.text.words import fold, normalise, tokens, trailing_marks


def pairs(text):
    return [(token.word, token.mark) for token in tokens(text)]


def test_marks_go_to_the_word_before_them():
    assert pairs("Well , yes . Go!") == [("well", ","), ("yes", "."), ("go", "!")]


def test_marks_before_the_first_word_are_lost():
    assert pairs("... so it is") == [("so", ""), ("it", ""), ("is", "")]


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Mr. Smith came. He left.", ["came", "left"]),
        ("Harry S. Truman spoke.", ["spoke"]),
        ("It was plan b. We went.", ["b", "went"]),
        ("So did I. We went.", ["i", "went"]),
        ("at 8 p.m. we left. Done.", ["left", "done"]),
        ("He said: “stop.” Then he stopped.", ["stop", "stopped"]),
        ("It cost 3.5 million. Cheap.", ["million", "cheap"]),
        ("We must carry on.Our leader said so.", ["on", "so"]),
    ],
)
def test_a_full_stop_ends_a_sentence_unless_it_abbreviates(text, ends):
    assert [token.word for token in tokens(text) if "." in token.mark] == ends


def test_other_scripts_have_marks_too():
    assert pairs("Привет！ Как дела？") == [("привет", "!"), ("как", ""), ("дела", "?")]


def test_words_keep_inner_marks_and_lose_outer_ones():
    assert normalise("(U.S.)") == "u.s"
    assert normalise("10:30,") == "10:30"
    assert fold("Don’t") == "don't"


def test_a_lone_dash_is_a_token_but_no_word():
    found = tokens("peace - however")
    assert [token.is_word for token in found] == [True, False, True]


def test_quotes_are_passed_over_on_the_way_to_the_mark():
    assert trailing_marks('end?")') == "?"


@given(st.text())
def test_any_text_gives_words_without_spaces(text):
    assert all(token.word and not token.word.isspace() for token in tokens(text))
