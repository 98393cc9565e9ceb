import math

import numpy as np
import pytest
from tests.tasks.context.making import TINY, complete, run, train

from earmark.tasks.context.run.language_model import language_model
from earmark.tasks.context.train.lstm import train_language_model


@pytest.mark.parametrize("softmax", ["adaptive", "sampled", "full"])
def test_the_language_model_learns_with_each_softmax(training, tmp_path, softmax):
    card = train(
        train_language_model, training, tmp_path / "m", seed=1, epochs=40, softmax=softmax, **TINY
    )
    assert card["losses"][-1] < card["losses"][0] - 0.3
    found = run(language_model, training, model=tmp_path / "m")
    assert complete(found, training)
    surprise = [s for value in found.values() for s in value.surprise]
    assert 2 < math.exp(np.mean(surprise)) < card["shape"]["vocabulary"]
    assert all(0 <= c.rank_first <= 1 for value in found.values() for c in value.choices)


def test_probabilities_of_the_language_model_sum_to_one():
    import torch

    from earmark.tasks.context.run import lstm, lstm_language_model

    for softmax in ("adaptive", "sampled", "full"):
        net = lstm_language_model.build(lstm.LstmShape(50, 4, 6, 10), softmax)
        logs = net.head.log_prob(torch.randn(3, 6))
        assert torch.exp(logs).sum(-1).detach().numpy() == pytest.approx(1.0, abs=1e-5)


def test_surprisal_is_minus_the_log_probability_of_each_word():
    import torch

    from earmark.tasks.context.run import lstm, lstm_language_model

    for softmax in ("adaptive", "sampled", "full"):
        head = lstm_language_model.build(lstm.LstmShape(2500, 4, 6, 10), softmax).head
        states, words = torch.randn(2500, 6), torch.arange(2500)
        with torch.inference_mode():
            logs = head.log_prob(states).diagonal()
            assert torch.allclose(head.surprisal(states, words), -logs, atol=1e-5)


def test_places_where_the_network_knows_both_words_are_compared(training, tmp_path):
    from earmark.tasks.context.run import model_file

    small = {**TINY, "vocabulary": 200}
    train(train_language_model, training, tmp_path / "m", seed=1, epochs=0.1, **small)
    known = set(model_file.load(tmp_path / "m", system="language-model")[0]["words"])
    found = run(language_model, training, model=tmp_path / "m")
    swaps = {
        (item, swap.at): {swap.was, swap.now} <= known
        for item, truth in training.reference.values.items()
        for swap in truth.swaps
    }
    assert set(swaps.values()) == {False, True}
    compared = {(item, choice.at) for item, value in found.items() for choice in value.choices}
    assert compared == {place for place, both_known in swaps.items() if both_known}
