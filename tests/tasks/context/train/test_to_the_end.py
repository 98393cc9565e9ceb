"""The paper's networks are trained until the development loss has stopped falling."""

import math

import numpy as np
import pytest
from tests.tasks.context.making import TINY, train

from earmark.learn.threads import seeded
from earmark.task.progress import notes_to
from earmark.tasks.context.run import model_file
from earmark.tasks.context.train.examples import split_training
from earmark.tasks.context.train.lstm import train_classifier, train_language_model
from earmark.values.errors import InputError

TRAINERS = [train_classifier, train_language_model]


def taught(tmp_path, development_losses, *, epochs, patience=2):
    """Teach a network whose development losses are these; return it and what its card says."""
    import torch

    from earmark.tasks.context.run import lstm, lstm_language_model
    from earmark.tasks.context.train.to_the_end import Lesson, Schooling, learn

    draw = np.random.default_rng(3)
    chunks = [lstm.Chunk(0, 9 * k, draw.integers(2, 40, 9)) for k in range(200)]
    left = iter(development_losses)
    lesson = Lesson(
        chunks,
        lstm_language_model.loss_of,
        chunks[:1],
        lambda net, batch: torch.tensor(next(left)),
    )
    with seeded(5):
        net = lstm_language_model.build(lstm.LstmShape(40, 4, 6, 20), "full")
        course = learn(net, lesson, Schooling(epochs, patience, 5, tmp_path / "c", {}))
    (tmp_path / "c").unlink()
    return lstm.arrays_of(net), course


def interrupted(trainer, training, out, *, at, **options):
    """Train and end it when the development loss is measured for that time."""
    seen = []

    def show(line):
        seen.append(line)
        if len(seen) == at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), notes_to(show):
        train(trainer, training, out, seed=1, **options, **TINY)
    assert not out.exists()


def test_training_ends_after_its_patience_with_the_weights_of_the_best_epoch(tmp_path):
    losses = [3.0, 2.0, 2.5, 2.25, 1.0]
    weights, course = taught(tmp_path, losses, epochs=9)
    assert course["development_losses"] == losses[:4]
    assert (course["epochs"], course["best_epoch"], course["ended_by"]) == (4, 2, "patience")
    best, two = taught(tmp_path, losses, epochs=2)
    assert two["ended_by"] == "epochs"
    assert all(np.array_equal(weights[name], best[name]) for name in best)
    longer, course = taught(tmp_path, losses, epochs=5, patience=3)
    assert (course["best_epoch"], course["ended_by"]) == (5, "epochs")
    assert any(not np.array_equal(longer[name], best[name]) for name in best)


def test_a_fraction_of_an_epoch_has_fewer_batches(tmp_path):
    _, half = taught(tmp_path, [2.0, 1.0], epochs=1.5)
    _, full = taught(tmp_path, [2.0, 1.0], epochs=2)
    assert (half["epochs"], full["epochs"]) == (1.5, 2)
    assert half["losses"][0] == full["losses"][0]
    assert half["losses"][1] != full["losses"][1]


def test_a_development_loss_that_is_no_number_is_an_error(tmp_path):
    with pytest.raises(InputError, match="learnt nothing"):
        taught(tmp_path, [math.nan] * 3, epochs=3)


@pytest.mark.parametrize("softmax", ["adaptive", "sampled", "full"])
def test_the_card_lists_the_perplexity_of_the_development_text_before_it_was_changed(
    training, tmp_path, softmax
):
    from earmark.tasks.context.run import lstm, lstm_language_model

    out = tmp_path / "m"
    card = train(train_language_model, training, out, seed=1, epochs=3, softmax=softmax, **TINY)
    assert len(card["development_losses"]) == len(card["losses"]) == card["epochs"] == 3
    perplexities = [math.exp(loss) for loss in card["development_losses"]]
    assert card["development_perplexities"] == perplexities
    assert card["best_epoch"] == 1 + perplexities.index(min(perplexities))
    stored, arrays = model_file.load(out, system="language-model")
    numbers = lstm.number_words(stored["words"])
    net = lstm_language_model.build(lstm.LstmShape(**stored["shape"]), softmax, arrays)
    text = split_training(training, None).held_out.originals()
    rows = lstm_language_model.surprisals(net, text, numbers, TINY["longest"])
    # the weights were rounded to half precision when they were stored
    assert math.exp(np.concatenate(rows).mean()) == pytest.approx(min(perplexities), rel=1e-3)


@pytest.mark.parametrize("trainer", TRAINERS)
def test_a_training_that_was_killed_goes_on_to_the_same_bytes(training, tmp_path, trainer):
    train(trainer, training, tmp_path / "whole", seed=1, epochs=3, **TINY)
    interrupted(trainer, training, tmp_path / "m", at=3, epochs=3)
    assert (tmp_path / "m.checkpoint").exists()
    train(trainer, training, tmp_path / "m", seed=1, epochs=3, **TINY)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()
    assert not (tmp_path / "m.checkpoint").exists()


def test_a_training_that_was_killed_ends_with_the_epochs_that_it_has(training, tmp_path):
    train(train_classifier, training, tmp_path / "two", seed=1, epochs=2, **TINY)
    interrupted(train_classifier, training, tmp_path / "m", at=3)
    train(train_classifier, training, tmp_path / "m", seed=1, epochs=2, **TINY)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_checkpoint_of_another_training_is_not_gone_on_from(training, tmp_path):
    train(train_classifier, training, tmp_path / "whole", seed=2, epochs=1, **TINY)
    interrupted(train_classifier, training, tmp_path / "m", at=2)
    train(train_classifier, training, tmp_path / "m", seed=2, epochs=1, **TINY)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.parametrize("wrong", [{"epochs": 0}, {"epochs": math.inf}, {"patience": 0}])
def test_a_training_has_a_number_of_epochs_and_a_patience(training, tmp_path, wrong):
    with pytest.raises(InputError, match="must be"):
        train(train_classifier, training, tmp_path / "m", seed=1, **wrong, **TINY)
