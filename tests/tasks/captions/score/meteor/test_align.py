"""The alignment of two sentences, worked by hand with tables of our own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.kernels import plain
from earmark.tasks.captions.score.meteor.align import Lexicon, Sentence, counts_of
from earmark.tasks.captions.score.meteor.tables import WordTables

TABLES = WordTables(
    function_words=frozenset({"a", "the", "of"}),
    abbreviations={},
    synsets={"car": "7 9", "vehicle": "9", "dog": "1", "mouse": "3", "run": "4"},
    bases={"mice": ("mouse",)},
)
LEXICON = Lexicon(TABLES, lambda word: word.removesuffix("s"))
WORDS = ("a", "the", "dog", "dogs", "car", "vehicle", "mice", "mouse", "runs", "run")
# Positions in a row of counts.
SAME, STEM, SYNONYM, PARAPHRASE = (slice(4 + 4 * module, 8 + 4 * module) for module in range(4))


def row(reference, candidate, paraphrases=None):
    one, two = (Sentence.of(tuple(text.split()), LEXICON) for text in (reference, candidate))
    return counts_of(one, two, paraphrases or {})


def test_lengths_and_function_words_of_both_sides_come_first():
    assert row("the dog of a man", "a dog")[:4] == (2, 5, 1, 3)


def test_the_same_words_in_the_same_order_are_one_chunk():
    counts = row("a dog of mine", "a dog of mine")
    assert counts[SAME] == (2, 2, 2, 2)
    assert counts[-3:] == (1, 4, 4)


def test_words_that_change_places_are_chunks_of_their_own():
    """bell dog | dog bell: both match, each by itself."""
    assert row("bell dog", "dog bell")[-3:] == (2, 2, 2)


def test_a_stem_a_synonym_and_an_irregular_form_match_by_their_modules():
    assert row("bells", "bell")[STEM] == (1, 1, 0, 0)
    assert row("car", "vehicle")[SYNONYM] == (1, 1, 0, 0)
    assert row("mice", "mouse")[SYNONYM] == (1, 1, 0, 0)
    assert row("car", "dog")[-3:] == (0, 0, 0)


def test_a_word_that_matches_in_two_ways_of_half_a_point_is_left_out_as_the_original_does():
    """dogs and dog share a stem and a synset: half a point rounds to none, and costs a chunk."""
    assert row("dogs", "dog")[-3:] == (0, 0, 0)


def test_a_paraphrase_may_differ_in_length_and_is_looked_for_from_both_sides():
    assert row("the loud dog", "noisy dog", {"the loud": ["noisy"]})[PARAPHRASE] == (1, 1, 0, 1)
    assert row("noisy dog", "the loud dog", {"the loud": ["noisy"]})[PARAPHRASE] == (1, 1, 1, 0)


def test_a_same_word_is_preferred_to_a_stem():
    """The candidate's `dogs` could go to either; the same word counts more."""
    counts = row("dog dogs", "dogs")
    assert counts[SAME] == (1, 1, 0, 0)
    assert counts[STEM] == (0, 0, 0, 0)


def test_of_two_equal_words_the_one_that_makes_fewer_chunks_is_taken():
    """a dog a car | a car: the second `a` joins `car`, so that one chunk suffices."""
    assert row("a dog a car", "a car")[-3:] == (1, 2, 2)


@pytest.mark.parametrize("text", ["", "a"])
def test_a_sentence_without_words_matches_nothing(text):
    assert row(text, "")[-3:] == (0, 0, 0)
    assert row("", text)[-3:] == (0, 0, 0)


@settings(max_examples=100, deadline=None)
@given(*[st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)] * 2)
def test_the_compiled_search_and_the_plain_one_choose_the_same(one, two):
    """A command on few captions takes the plain one, because loading numba takes longer."""
    pair, paraphrases = (" ".join(one), " ".join(two)), {"dog": ["mice", "a dog"]}
    with plain():
        in_python = row(*pair, paraphrases)
    assert row(*pair, paraphrases) == in_python
