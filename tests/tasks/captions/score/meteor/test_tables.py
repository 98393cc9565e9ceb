"""METEOR's tables: base forms, and paraphrases with and without an index."""

import gzip
import zipfile

import numpy as np
import pytest

from earmark.tasks.captions.score.meteor import tables

ROWS = (("a dog", "dog"), ("a dog", "the dog"), ("dog", "hound"), ("the dog", "a dog"))


@pytest.fixture
def place(tmp_path):
    """A folder with the layout of the package: a jar of word lists, and paraphrases."""
    with zipfile.ZipFile(tmp_path / tables.JAR, "w") as jar:
        jar.writestr("function/english.words", "a\nthe\n")
        jar.writestr("nonbreaking/english.prefixes", "# a comment\n\nMr\nNo #NUMERIC_ONLY#\n")
        jar.writestr("synonym/english.synsets", "bark\n01 02\nmouse\n03\nhope\n04\n")
        jar.writestr("synonym/english.exceptions", "mouse\nmice\n")
    (tmp_path / "data").mkdir()
    text = "".join(f"0.5\n{phrase}\n{other}\n" for phrase, other in ROWS)
    (tmp_path / tables.PARAPHRASES).write_bytes(gzip.compress(text.encode()))
    return tmp_path


def test_word_lists_are_read_from_the_jar(place):
    words = tables.read_words(place)
    assert words.function_words == {"a", "the"}
    assert words.abbreviations == {"Mr": 1, "No": 2}


@pytest.mark.parametrize(
    ("word", "synsets"),
    [
        ("bark", {"01", "02"}),
        ("barks", {"01", "02"}),
        ("barking", {"01", "02"}),
        ("mice", {"03"}),
        ("hoping", {"04"}),
        ("hopped", set()),
        ("ss", set()),
    ],
)
def test_synsets_are_those_of_the_word_and_of_its_base_form(place, word, synsets):
    assert tables.read_words(place).synsets_of(word) == synsets


def test_paraphrases_are_those_whose_both_phrases_occur_in_the_order_of_the_table(
    place, tmp_path, monkeypatch
):
    wanted = {"a dog", "dog", "the dog"}
    expected = {"a dog": ["dog", "the dog"], "the dog": ["a dog"]}
    monkeypatch.setenv("EARMARK_CACHE", "off")
    assert tables.paraphrases(place, wanted) == expected
    monkeypatch.setenv("EARMARK_CACHE", str(tmp_path / "cache"))
    assert tables.paraphrases(place, wanted) == expected
    (index,) = (tmp_path / "cache").iterdir()
    assert np.load(index).shape == (2, len(ROWS))
    (place / tables.PARAPHRASES).unlink()  # the index is enough from now on
    assert tables.paraphrases(place, wanted) == expected


def test_a_damaged_index_costs_time_and_no_result(place, tmp_path, monkeypatch):
    monkeypatch.setenv("EARMARK_CACHE", str(tmp_path / "cache"))
    tables.paraphrases(place, {"dog"})
    (index,) = (tmp_path / "cache").iterdir()
    index.write_bytes(b"nonsense")
    assert tables.paraphrases(place, {"dog", "hound"}) == {"dog": ["hound"]}
