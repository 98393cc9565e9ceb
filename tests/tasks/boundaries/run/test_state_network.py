"""A small network over a language model's states: trained, stored, and read again."""

import json

import numpy as np
import pytest
from tests.text import tiny_llama

from earmark.stats.draw import stream
from earmark.tasks.boundaries.run.hypotheses import WordPieces
from earmark.tasks.boundaries.run.language_model import EndOptions, end_probabilities
from earmark.tasks.boundaries.run.state_network import (
    StateModel,
    build_network,
    read_state_model,
    write_state_model,
)
from earmark.tasks.boundaries.run.word_states import AT_ONCE, EARLY, word_states
from earmark.text.causal_model import load_causal_model
from earmark.values.errors import InputError

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")


@pytest.fixture
def file(tmp_path):
    return tiny_llama.write(tmp_path / "tiny.gguf", tiny_llama.weights())


def sentences(seed, count):
    """Sentences that end with `stop` or `end`, of a few short words."""
    draw = stream(seed, "sentences")
    words = ["we", "sat", "down", "here", "now"]
    return [
        " ".join([*(words[draw.integers(5)] for _ in range(draw.integers(2, 6))), last])
        for last in (("stop", "end")[draw.integers(2)] for _ in range(count))
    ]


def test_a_state_is_the_models_own_after_so_many_layers(file):
    model = load_causal_model(file)
    pieces = WordPieces(model)
    rows = word_states(model, pieces, ["we", "sat"], depth=1)
    text = [model.first, *pieces.opening, *pieces.of("we"), *pieces.of("sat")]
    with torch.inference_mode():
        states = model.network.states(torch.tensor([text]), depth=1)[0, -1]
    expected = states / states.pow(2).mean().sqrt()
    assert rows[1] == pytest.approx(expected.numpy(), abs=1e-2)
    assert not rows[2].any()
    deeper = word_states(model, pieces, ["we", "sat"], depth=2)
    assert np.abs(deeper[1] - rows[1]).max() > 0.1


def test_a_long_text_is_read_in_parts_that_begin_some_words_early(file):
    model = load_causal_model(file)
    pieces = WordPieces(model)
    letters = [chr(97 + k % 7) for k in range(AT_ONCE + 5)]
    whole = word_states(model, pieces, letters, depth=2)
    second = word_states(model, pieces, letters[AT_ONCE - EARLY :], depth=2)
    assert whole[AT_ONCE:] == pytest.approx(second[EARLY:], abs=1e-2)


def test_the_network_learns_and_its_weights_are_used(earmark, file, tmp_path):
    text = tmp_path / "talk.txt"
    text.write_text(". ".join(sentences(1, 900)) + ".\n")
    weights = tmp_path / "weights.safetensors"
    code, out, err = earmark(
        "train", "boundaries", "language-model", "--text", text, "--model", file, "--depth", 2,
        "--epochs", 20, "--width", 32, "--hidden", 16, "--dropout", 0.1, "--out", weights,
        "--seed", 3, "--json",
    )  # fmt: skip
    assert code == 0, err
    assert json.loads(out)["card"]["held_out_f1"] > 0.7
    model = load_causal_model(file)
    words = " ".join(sentences(2, 30)).split()
    is_end = np.isin(words, ["stop", "end"])
    log_odds = read_state_model(weights).log_odds(model, WordPieces(model), words)
    assert log_odds[is_end].mean() > log_odds[~is_end].mean() + 0.5
    # they are part of what the system says
    options = EndOptions(model=file, weights=weights)
    (trained,) = end_probabilities(model, [words], options)
    (untrained,) = end_probabilities(model, [words], EndOptions(model=file))
    gained = np.log(trained[:-1]) - np.log(untrained[:-1])
    assert gained[is_end[:-1]].mean() > gained[~is_end[:-1]].mean()


def test_a_depth_that_the_model_has_not_is_refused(earmark, file, tmp_path):
    text = tmp_path / "talk.txt"
    text.write_text(". ".join(sentences(1, 20)) + ".\n")
    code, _, err = earmark(
        "train", "boundaries", "language-model", "--text", text, "--model", file, "--depth", 3,
        "--out", tmp_path / "weights",
    )  # fmt: skip
    assert code == 2
    assert "depth is a number of layers" in err


def test_weights_of_another_model_are_refused(file, tmp_path):
    sizes = {"states": 8, "width": 4, "hidden": 2, "dropout": 0.0}
    path = tmp_path / "weights.safetensors"
    write_state_model(StateModel(2, sizes, build_network(sizes), {}), path)
    model = load_causal_model(file)
    with pytest.raises(InputError, match="another language model"):
        read_state_model(path).log_odds(model, WordPieces(model), ["we"])
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="train boundaries language-model"):
        read_state_model(path)
