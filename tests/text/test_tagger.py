from typing import Any

import numpy as np
import pytest

from earmark.text.penn_tokens import tokenise
from earmark.text.tagger import TaggedSentence, load, measure, read_tagged, shape, shipped, train
from earmark.values.errors import InputError


def test_the_shipped_tagger_knows_nouns_and_verbs():
    tokens, _ = tokenise("The alliances are not fixed, and NATO sends its plans.")
    tags = dict(zip(tokens, shipped().tag(tokens), strict=True))
    assert (tags["alliances"], tags["plans"], tags["NATO"]) == ("NNS", "NNS", "NNP")
    assert tags["sends"].startswith("V")


def test_a_token_is_tagged_the_same_whatever_was_tagged_before():
    tokens, _ = tokenise("A dog barks. The cats sleep.")
    first = shipped().tag(tokens)
    shipped().tag(tuple(f"zzz{k}" for k in range(6000)))
    assert shipped().tag(tokens) == first


CORPUS = [
    TaggedSentence(("the", "dog", "runs"), ("DT", "NN", "VBZ")),
    TaggedSentence(("a", "cat", "sleeps"), ("DT", "NN", "VBZ")),
    TaggedSentence(("dogs", "run"), ("NNS", "VBP")),
] * 8


def test_a_tagger_learns_is_kept_and_is_the_same_again(tmp_path):
    tagger = train(CORPUS, seed=1, rows=1 << 10)
    tagger.save(tmp_path / "t.npz")
    again = load(tmp_path / "t.npz")
    assert again.tag(("the", "cat", "runs")) == ("DT", "NN", "VBZ")
    assert np.array_equal(again.weights, train(CORPUS, seed=1, rows=1 << 10).weights)
    assert measure(again, CORPUS)["accuracy"] == 1.0


def test_the_kernel_tags_as_its_plain_version():
    from earmark.text import tagger_kernel

    tagger = shipped()
    tokens, _ = tokenise("Whether a machine listens is a question of patience.")
    types = tagger.type_numbers(tokens)
    starts = np.array([0, len(tokens)])
    given = (types, starts, tagger.forms, tagger.known, tagger.weights)
    assert tagger_kernel.decode(*given).tolist() == tagger.codes(tokens).tolist()


def test_a_tagger_that_is_not_there_is_a_clear_error(tmp_path):
    with pytest.raises(InputError, match="there is no tagger here"):
        load(tmp_path / "nothing.npz")


@pytest.mark.shared
def test_the_shipped_tagger_on_ewt(shared):
    found = measure(shipped(), read_tagged(shared / "data" / "text" / "ud_ewt" / "ewt_test.conllu"))
    assert found["accuracy"] > 0.93
    assert found["noun_precision"] > 0.95
    assert found["noun_recall"] > 0.955


@pytest.mark.shared
@pytest.mark.slow
def test_the_shipped_tagger_is_what_training_gives(shared, tmp_path):
    from earmark.tasks.context.train.tagger import TaggerOptions, train_tagger

    bank = shared / "data" / "text" / "ud_ewt" / "ewt_train.conllu"
    options = TaggerOptions(text=(bank,))
    train_tagger(None, options, out=tmp_path / "tags-ewt.npz", seed=7)
    assert np.array_equal(load(tmp_path / "tags-ewt.npz").weights, shipped().weights)


def test_shapes_of_words():
    assert [shape(w) for w in ("x", "Xy", "XY", "1990s", "a-b", "?")] == [
        "a",
        "Aa",
        "A",
        "a0",
        "a-",
        ".",
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"weights": np.zeros((60, 2), np.int8)},  # no power of two: rows beyond the table
        {"weights": np.zeros((64, 9), np.int8)},
        {"weights": np.zeros((64, 2), np.float64)},
        {"weights": np.zeros(64, np.int8)},
        {"sure": np.array([5], np.int16)},
        {"sure": np.array([-1], np.int16)},
    ],
)
def test_a_table_that_the_loop_would_leave_is_refused(tmp_path, changes) -> None:
    arrays: dict[str, Any] = {
        "names": np.array(["NN", "VB"]),
        "weights": np.zeros((64, 2), np.int8),
        "words": np.array(["dog"]),
        "sure": np.array([0], np.int16),
    }
    path = tmp_path / "tagger.npz"
    np.savez_compressed(path, **arrays)
    assert load(path).tag(("dog",)) == ("NN",)
    np.savez_compressed(path, **{**arrays, **changes})
    with pytest.raises(InputError, match="a tagger is a file that `train` wrote"):
        load(path)
