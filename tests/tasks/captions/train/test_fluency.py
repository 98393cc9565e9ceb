import numpy as np
import pytest

from earmark.stats.draw import stream
from earmark.tasks.captions.score.fluency.detector import load
from earmark.tasks.captions.train.disfluencies import WAYS
from earmark.tasks.captions.train.fluency import train_detector
from earmark.tasks.captions.train.other_text import other_sentences
from earmark.values.errors import InputError


def test_each_way_of_making_disfluent_changes_the_caption():
    words = "a dog barks and a man speaks in the background".split()
    pool = [["rain", "falls"], ["a", "bell", "rings"]]
    for way, share in WAYS:
        assert way(list(words), stream(1, way.__name__), pool) != words
        assert share > 0


def test_the_same_seed_gives_the_same_detector(tmp_path):
    whos = ("a dog", "a man", "rain", "an engine", "two birds")
    does = ("runs", "is heard", "sounds", "stops", "starts again", "is loud")
    places = ("in a room", "nearby", "on the street", "while a bell rings")
    texts = [f"{a} {b} {c}" for a in whos for b in does for c in places]
    for name in ("one", "two"):
        train_detector(texts, out=tmp_path / name, seed=3)
    one, two = load(tmp_path / "one"), load(tmp_path / "two")
    np.testing.assert_array_equal(one.weights, two.weights)
    train_detector(texts, out=tmp_path / "three", seed=4)
    assert not np.array_equal(one.weights, load(tmp_path / "three").weights)
    assert (
        one.probabilities(["a dog runs in a"])[0] > one.probabilities(["a dog runs in a room"])[0]
    )


def test_too_few_captions_are_refused(tmp_path):
    with pytest.raises(InputError, match="needs captions to learn from"):
        train_detector(["a dog"], out=tmp_path, seed=1)


def test_sentences_of_other_text_are_as_long_as_captions(tmp_path):
    speech = tmp_path / "speech.txt"
    speech.write_text(
        "Thank you. We meet here today, with open hearts. In 1790 there were 13 of us at the time."
    )
    assert other_sentences([speech], seed=1) == ["we meet here today , with open hearts"]


def test_a_text_without_sentences_is_refused(tmp_path):
    empty = tmp_path / "list.txt"
    empty.write_text("one two three")
    with pytest.raises(InputError, match="sentences that are as long as captions"):
        other_sentences([empty], seed=1)
