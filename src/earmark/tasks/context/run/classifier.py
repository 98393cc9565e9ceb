"""The paper's supervised baseline: does this word belong here, yes or no (section 5, (2))."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from earmark.task.task import Json, Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.examples import passages, told
from earmark.tasks.context.values import Scores
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "classifier"


def classifier(
    items: Sequence[Item], *, train_on: Training | None, seed: int, model: Path | None = None
) -> Iterator[Output[Scores]]:
    """The probability that each word is out of context, by the trained classifier.

    Parameters
    ----------
    model
        A model that `earmark train context classifier` wrote.
    """
    from earmark.tasks.context.run import lstm, marking

    card, arrays = model_file.load(model_file.needed(model, NAME), system=NAME)
    numbers = lstm.number_words(card["words"])
    shape = lstm.Shape(**card["shape"])
    lstm.prepared(seed)
    net = marking.build(shape, arrays)
    documents = passages(items)
    scores = marking.probabilities(net, [p.tokens for p in documents], numbers, shape)
    for passage, row in zip(documents, scores, strict=True):
        yield Output(NAME, passage.id, Scores(tuple(row.tolist()), card.get("threshold")))


def train_classifier(  # noqa: PLR0913
    train_on: Training | None,
    *,
    out: Path,
    seed: int,
    develop: Path | None = None,
    epochs: float = 1.5,
    vocabulary: int = 30_000,
    embedding: int = 256,
    units: int = 512,
    longest: int = 50,
) -> Json:
    """Train the classifier on a study whose swaps are known.

    The text is cut every `longest` words; the output starts from how rare swaps are.

    Parameters
    ----------
    develop
        A study to choose the threshold on; without one, every tenth document is held out.
    epochs
        Passes over the training data; a part of one is allowed.
    vocabulary
        Words that the network knows.
    embedding
        Dimensions of a word.
    units
        LSTM units.
    longest
        Words of a sentence that the network sees at once.
    """
    from earmark.tasks.context.run import lstm, marking

    lesson, held_out = told(train_on, develop)
    shape = lstm.Shape(vocabulary, embedding, units, longest)
    lstm.prepared(seed)
    words = lstm.words_by_frequency([p.tokens for p in lesson.passages], vocabulary)
    numbers = lstm.number_words(words)
    net = marking.build(shape)
    chunks = lstm.cut([p.tokens for p in lesson.passages], numbers, longest, stream=True)
    losses = lstm.fit(net, chunks, marking.loss_over(lesson), epochs=epochs, seed=seed)
    net.eval()
    scores = marking.probabilities(net, [p.tokens for p in held_out.passages], numbers, shape)
    threshold = best_threshold(np.concatenate(scores), np.concatenate(held_out.labels))
    card = {
        "system": NAME,
        "shape": {n: getattr(shape, n) for n in ("vocabulary", "embedding", "units", "longest")},
        "epochs": epochs,
        "losses": losses,
        "documents": len(lesson.passages),
        "threshold": threshold,
        "seed": seed,
    }
    model_file.save(out, {**card, "words": words}, lstm.arrays_of(net))
    return card
