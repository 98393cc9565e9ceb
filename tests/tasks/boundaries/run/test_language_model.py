"""A language model as a system: on a tiny one drawn at random, and on the packaged one."""

import math

import numpy as np
import pytest
from tests.text import tiny_llama

from earmark.task.extras import MissingExtra
from earmark.tasks.boundaries.run import hypotheses
from earmark.tasks.boundaries.run.language_model import (
    EARLY,
    STRETCH,
    EndOptions,
    end_probabilities,
    language_model,
    read_stretches,
)
from earmark.tasks.boundaries.values import Transcript, item_of
from earmark.text.causal_model import load_causal_model, packaged_weights
from earmark.values.errors import InputError

torch = pytest.importorskip("torch")
pytest.importorskip("tokenizers")


UNTRAINED = EndOptions(untrained=True)


@pytest.fixture
def file(tmp_path):
    return tiny_llama.write(tmp_path / "tiny.gguf", tiny_llama.weights())


def log_probability(model, text, more):
    """The log probability of `more` after `text`, read from the start."""
    before, after = [model.first, *model.pieces(text)], model.pieces(more)
    with torch.inference_mode():
        states = model.network.states(torch.tensor([[*before, *after]]))[0]
        logs = model.network.log_probabilities(states)
    rows = torch.arange(len(before) - 1, len(before) + len(after) - 1)
    return float(logs[rows, after].sum())


def test_the_odds_are_those_of_an_end_against_going_on(file, monkeypatch):
    monkeypatch.setattr(hypotheses, "OPENING", "Hi. ")
    model = load_causal_model(file)
    (odds,) = end_probabilities(model, [["we", "sat", "down", "we"]], UNTRAINED)
    ways = {way: log_probability(model, "Hi. We", way) for way in (". Sat", " sat", ", sat")}
    marks = {mark: log_probability(model, "Hi. We", mark) for mark in ".,?"}
    rest = {way: log_probability(model, f"Hi. We{way}", " down we") for way in ways}
    ending = math.log(math.exp(marks["."]) + math.exp(marks["?"]))
    end = ways[". Sat"] - marks["."] + ending + rest[". Sat"]
    # going on with a name: its first letter here, what follows as after a full stop
    name = log_probability(model, "Hi. We", " ") + log_probability(model, "Hi. We.", " Sat down we")
    name -= log_probability(model, "Hi. We.", " ")
    on = np.logaddexp.reduce([ways[" sat"] + rest[" sat"], ways[", sat"] + rest[", sat"], name])
    assert math.log(odds[0] / (1 - odds[0])) == pytest.approx(end - on, abs=1e-3)


def test_texts_beside_each_other_and_long_ones_are_judged_word_by_word(file, monkeypatch):
    monkeypatch.setattr(hypotheses, "UNLIKELY", -math.inf)
    model = load_causal_model(file)
    letters = [chr(97 + k % 7) for k in range(STRETCH + 3)]
    options = EndOptions(look_ahead=1, untrained=True)
    together = end_probabilities(model, [letters, letters[:5], ["a"]], options)
    assert [len(part) for part in together] == [len(letters), 5, 1]
    assert (together[0][:-1] > 0).all()
    (alone,) = end_probabilities(model, [letters[:5]], options)
    assert together[1] == pytest.approx(alone, abs=1e-5)
    # the second stretch is judged as a text that begins some words before it
    (second,) = end_probabilities(model, [letters[STRETCH - EARLY :]], options)
    assert together[0][STRETCH:] == pytest.approx(second[EARLY:], abs=1e-5)


def test_a_contraction_that_is_written_apart_is_never_an_end(file):
    items = [item_of(Transcript(("we", "'re", "here", "now")), "a")]
    options = EndOptions(model=file, threshold=1e-9)
    (output,) = language_model(items, options, train_on=None, seed=0)
    assert 0 not in output.value.after
    assert 3 in output.value.after


@pytest.mark.parametrize("wrong", [{"threshold": 1.0}, {"look_ahead": 0}])
def test_options_that_mean_nothing_are_refused(wrong):
    with pytest.raises(InputError):
        EndOptions(**wrong)


@pytest.mark.slow
def test_the_packaged_model_finds_the_ends_of_plain_sentences():
    try:
        packaged_weights()
    except MissingExtra as missing:
        pytest.skip(str(missing))
    text = "i can see it in their eyes they want to ask me something what should i tell them"
    items = [item_of(Transcript(tuple(text.split())), "a")]
    (output,) = language_model(items, train_on=None, seed=0)
    assert output.value.after == {6, 12, 17}


def test_what_is_known_beforehand_is_added_and_spares_the_model_the_question(file):
    model = load_causal_model(file)
    ways = hypotheses.Ways(hypotheses.WordPieces(model), 0.0, weight=0.5)
    words = ["we", "sat", "down", "we", "left", "it"]
    prior = [0.0, -9.0, -9.0, 2.0, -9.0, 0.0]
    plain, informed = (hypotheses.Stretch(words, len(words), ways, known) for known in ((), prior))
    asked = []
    for stretch in (plain, informed):
        list(read_stretches(model, [stretch], ways.pieces))
        asked.append(stretch.log_odds)
    assert asked[1][0] == pytest.approx(asked[0][0], abs=1e-5)
    # -9 cannot be made up for by half of the most that the model is trusted with
    assert asked[1][1:3] == pytest.approx([-9 - 0.5 * hypotheses.MOST] * 2, abs=1)
    assert asked[1][3] > asked[1][2] + 5
    sure = hypotheses.Stretch(words, len(words), ways, [0.0, 9.0, 9.0, 9.0, 9.0, 9.0])
    list(read_stretches(model, [sure], ways.pieces))
    assert sure.log_odds[1:] == pytest.approx([9 + 0.5 * hypotheses.MOST] * 4)


def test_a_model_of_your_own_is_run_untrained_unless_weights_are_given(file, tmp_path):
    items = [item_of(Transcript(("we", "sat", "down", "now")), "a")]
    (own,) = language_model(items, EndOptions(model=file), train_on=None, seed=0)
    (plain,) = language_model(items, EndOptions(model=file, untrained=True), train_on=None, seed=0)
    assert own.value == plain.value
    with pytest.raises(InputError, match="train boundaries language-model"):
        wrong = EndOptions(model=file, weights=file)
        list(language_model(items, wrong, train_on=None, seed=0))
