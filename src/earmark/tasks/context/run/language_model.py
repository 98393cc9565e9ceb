"""The paper's unsupervised baseline: an LSTM language model; surprise is the score (section 5)."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from earmark.task.options import described_like
from earmark.task.task import Json, Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.classifier import train_classifier
from earmark.tasks.context.run.ngrams import only_nouns
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.examples import told
from earmark.tasks.context.values import Passage, Scores
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "language-model"


def language_model(
    items: Sequence[Item],
    *,
    train_on: Training | None,
    seed: int,
    model: Path | None = None,
    nouns: bool = False,
) -> Iterator[Output[Scores]]:
    """How surprising each word is to the LSTM language model.

    Parameters
    ----------
    model
        A model that `earmark train context language-model` wrote.
    nouns
        Score nouns only; every other word gets the lowest score.
    """
    from earmark.tasks.context.run import lstm, predicting

    card, arrays = model_file.load(model_file.needed(model, NAME), system=NAME)
    lstm.prepared(seed)
    net = predicting.build(lstm.Shape(**card["shape"]), card["softmax"], arrays)
    numbers = lstm.number_words(card["words"])
    longest = int(card["shape"]["longest"])
    for item in items:
        passage = Passage.of(item)
        surprise = predicting.surprises(net, [passage.tokens], numbers, longest)[0]
        scores = only_nouns(passage, surprise) if nouns else surprise
        threshold = card["threshold_nouns" if nouns else "threshold"]
        choices = predicting.choices(net, item, passage, numbers, longest)
        told_so = tuple(surprise.tolist())
        yield Output(NAME, item.id, Scores(tuple(scores.tolist()), threshold, told_so, choices))


@described_like(train_classifier)
def train_language_model(  # noqa: PLR0913
    train_on: Training | None,
    *,
    out: Path,
    seed: int,
    develop: Path | None = None,
    softmax: Literal["adaptive", "sampled", "full"] = "adaptive",
    epochs: float = 1.0,
    vocabulary: int = 30_000,
    embedding: int = 256,
    units: int = 512,
    longest: int = 50,
) -> Json:
    """Train the language model on the unmodified text of a study.

    Parameters
    ----------
    softmax
        adaptive or sampled train ten times faster on a CPU than the paper's full softmax.
    """
    from earmark.tasks.context.run import lstm, predicting

    learn, held_out = told(train_on, develop)
    lstm.prepared(seed)
    originals = learn.originals()
    words = lstm.words_by_frequency(originals, vocabulary)
    numbers = lstm.number_words(words)
    shape = lstm.Shape(len(words) + lstm.FIRST_WORD, embedding, units, longest)
    net = predicting.build(shape, softmax)
    chunks = lstm.cut(originals, numbers, longest)
    losses = lstm.fit(net, chunks, predicting.loss_of, epochs=epochs, seed=seed)
    net.eval()
    rows = predicting.surprises(net, [p.tokens for p in held_out.passages], numbers, longest)
    nouns = [only_nouns(p, row) for p, row in zip(held_out.passages, rows, strict=True)]
    truth = np.concatenate(held_out.labels)
    card = {
        "system": NAME,
        "shape": {n: getattr(shape, n) for n in ("vocabulary", "embedding", "units", "longest")},
        "softmax": softmax,
        "epochs": epochs,
        "losses": losses,
        "documents": len(originals),
        "threshold": best_threshold(np.concatenate(rows), truth),
        "threshold_nouns": best_threshold(np.concatenate(nouns), truth),
        "seed": seed,
    }
    model_file.save(out, {**card, "words": words}, lstm.arrays_of(net))
    return card
