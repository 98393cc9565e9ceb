"""Training of the paper's two networks: the classifier and the language model."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from earmark.learn.threads import seeded
from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.context.run import classifier, language_model, model_file
from earmark.tasks.context.run.nouns import only_nouns
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.examples import DevelopOptions, split_training


@dataclass(frozen=True, slots=True, kw_only=True)
class LstmOptions(DevelopOptions):
    """Sizes of the network, the paper's by default, and how long it is trained."""

    epochs: float = option(1.5, "Epochs, passes over the training data; a fraction is allowed.")
    vocabulary: int = option(30_000, "Words that the network knows.")
    embedding: int = option(256, "Dimensions of a word.")
    units: int = option(512, "LSTM units.")
    longest: int = option(50, "Words of a sentence that the network sees at once.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModelTraining(LstmOptions):
    """How the language model is trained."""

    epochs: float = option(1.0, "Epochs, passes over the training data; a fraction is allowed.")
    softmax: Literal["adaptive", "sampled", "full"] = option(
        "adaptive",
        "adaptive or sampled train ten times faster on a CPU than the paper's full softmax.",
    )


def train_classifier(
    train_on: Training | None,
    options: LstmOptions = LstmOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train the classifier on a study whose swaps are known; return the model's card.

    The text is cut every `longest` words, whether a sentence ends there or not.
    """
    from earmark.tasks.context.run import lstm, lstm_classifier

    learn, held_out = split_training(train_on, options.develop)
    documents = [passage.tokens for passage in learn.passages]
    words = lstm.words_by_frequency(documents, options.vocabulary)
    numbers = lstm.number_words(words)
    shape = lstm.LstmShape(options.vocabulary, options.embedding, options.units, options.longest)
    with seeded(seed):
        net = lstm_classifier.build(shape)
        chunks = lstm.cut(documents, numbers, options.longest, by_sentence=False)
        loss_of = lstm_classifier.loss_over(learn.labels)
        losses = lstm.fit(net, chunks, loss_of, epochs=options.epochs, seed=seed)
        developed = [passage.tokens for passage in held_out.passages]
        scores = lstm_classifier.probabilities(net, developed, numbers, options.longest)
    card = {
        "system": classifier.NAME,
        "shape": asdict(shape),
        "epochs": options.epochs,
        "losses": losses,
        "documents": len(learn.passages),
        "threshold": best_threshold(np.concatenate(scores), np.concatenate(held_out.labels)),
        "seed": seed,
    }
    model_file.save(out, {**card, "words": words}, lstm.arrays_of(net))
    return card


def train_language_model(
    train_on: Training | None,
    options: LanguageModelTraining = LanguageModelTraining(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train the language model on the unmodified text of a study; return the model's card."""
    from earmark.tasks.context.run import lstm, lstm_language_model

    learn, held_out = split_training(train_on, options.develop)
    documents = learn.originals()
    words = lstm.words_by_frequency(documents, options.vocabulary)
    numbers = lstm.number_words(words)
    known = len(words) + lstm.FIRST_WORD
    shape = lstm.LstmShape(known, options.embedding, options.units, options.longest)
    with seeded(seed):
        net = lstm_language_model.build(shape, options.softmax)
        chunks = lstm.cut(documents, numbers, options.longest)
        loss_of = lstm_language_model.loss_of
        losses = lstm.fit(net, chunks, loss_of, epochs=options.epochs, seed=seed)
        developed = [passage.tokens for passage in held_out.passages]
        scores = lstm_language_model.surprisals(net, developed, numbers, options.longest)
    of_nouns = [only_nouns(p, row) for p, row in zip(held_out.passages, scores, strict=True)]
    labels = np.concatenate(held_out.labels)
    card = {
        "system": language_model.NAME,
        "shape": asdict(shape),
        "softmax": options.softmax,
        "epochs": options.epochs,
        "losses": losses,
        "documents": len(documents),
        "threshold": best_threshold(np.concatenate(scores), labels),
        "threshold_nouns": best_threshold(np.concatenate(of_nouns), labels),
        "seed": seed,
    }
    model_file.save(out, {**card, "words": words}, lstm.arrays_of(net))
    return card
