import numpy as np
import pytest

from earmark.text.nouns import noun_stems, same_noun, written_like
from earmark.text.tags import Sentence, load, measure, read_tagged, shape, shipped, train
from earmark.text.tokens import sentences, tokenise
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
    Sentence(("the", "dog", "runs"), ("DT", "NN", "VBZ")),
    Sentence(("a", "cat", "sleeps"), ("DT", "NN", "VBZ")),
    Sentence(("dogs", "run"), ("NNS", "VBP")),
] * 8


def test_a_tagger_learns_is_kept_and_is_the_same_again(tmp_path):
    tagger = train(CORPUS, seed=1, rows=1 << 10)
    tagger.save(tmp_path / "t.npz")
    again = load(tmp_path / "t.npz")
    assert again.tag(("the", "cat", "runs")) == ("DT", "NN", "VBZ")
    assert np.array_equal(again.weights, train(CORPUS, seed=1, rows=1 << 10).weights)
    assert measure(again, CORPUS)["accuracy"] == 1.0


def test_the_kernel_tags_as_its_plain_version():
    from earmark.text import tag_kernel

    tagger = shipped()
    tokens, _ = tokenise("Whether a machine listens is a question of patience.")
    types = tagger._types(tokens)
    starts = np.array([0, len(tokens)])
    given = (types, starts, tagger.forms, tagger.known, tagger.weights)
    assert tag_kernel.decode(*given).tolist() == tagger.codes(tokens).tolist()


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
    from earmark.tasks.context.train.tagger import train_tagger

    bank = shared / "data" / "text" / "ud_ewt" / "ewt_train.conllu"
    train_tagger(None, out=tmp_path / "tags-ewt.npz", seed=7, text=(bank,))
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
    ("text", "tokens"),
    [
        ("I can't, she's gone.", "I ca n't , she 's gone ."),
        ("Mr. Smith's 1,000 U.S. far-east trips...", "Mr. Smith 's 1,000 U.S. far-east trips ..."),
        ("O’Brien didn’t go (Laughter)", "O’Brien did n’t go ( Laughter )"),
        ("in the 1990s -- at 10:30", "in the 1990s -- at 10:30"),
    ],
)
def test_tokens_and_their_places(text, tokens):
    found, offsets = tokenise(text)
    assert " ".join(found) == tokens
    assert [text[a:b] for a, b in offsets.reshape(-1, 2)] == list(found)


def test_sentences_cover_all_tokens_once():
    tokens = tuple('He said : " Go ! " Then ? ! He left'.split())
    spans = sentences(tokens)
    assert spans == ((0, 6), (6, 9), (9, 11)) or [b for _, b in spans][-1] == len(tokens)
    assert [k for a, b in spans for k in range(a, b)] == list(range(len(tokens)))
    assert sentences(()) == ()


def test_forms_of_one_noun_are_known():
    pairs = [("city", "cities"), ("life", "lives"), ("Box", "boxes"), ("man", "men"), ("a", "A")]
    assert all(same_noun(one, two) for one, two in pairs)
    assert not same_noun("class", "clas")
    assert "glass" in noun_stems("glass")
    assert written_like("rome", "Paris") == "Rome"
