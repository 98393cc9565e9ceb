"""Training of the networks on labelled texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch

from earmark.arrays import Bools, Floats, Floats32, Ints
from earmark.learn.batches import cut_starts, shuffled, take_pieces
from earmark.learn.fit import TrainingPlan, TrainingResult, fit
from earmark.learn.threads import seeded
from earmark.stats.draw import stream
from earmark.stats.rates import f1
from earmark.tasks.boundaries.run.labelled import SENTENCE_ENDS, HeldOutSplit, LabelledText
from earmark.tasks.boundaries.run.model import BoundaryModel, NetworkShape, end_probabilities
from earmark.tasks.boundaries.run.noise import TextNoise
from earmark.tasks.boundaries.run.vocabulary import NetworkVocabulary, join_contractions
from earmark.values.counts import Hits

# Pieces per step. A short text gives few pieces: then smaller batches, so that an epoch has about
# FEWEST_BATCHES steps. Chosen by hand; not tuned.
BATCH, SMALLEST_BATCH, FEWEST_BATCHES = 64, 8, 20
IGNORED = -1  # the class of padding, which no loss counts


StartVectors = Callable[[Sequence[str], int], Floats32]


class EncodedText(NamedTuple):
    """A text as the networks read it."""

    rows: Any  # (words + 1, 1 + affixes), or (words + 1, width) of a language model's states
    classes: Ints  # (words,)


class Batch(NamedTuple):
    """Pieces of texts."""

    rows: torch.Tensor  # (pieces, size + 1, 1 + affixes)
    classes: torch.Tensor  # (pieces, size)


@dataclass(frozen=True, slots=True)
class FittedModel:
    """A trained model, and how its training went."""

    model: BoundaryModel
    result: TrainingResult


def fit_model(
    texts: HeldOutSplit,
    *,
    shape: NetworkShape,
    plan: TrainingPlan,
    seed: int,
    vectors: StartVectors | None = None,
    noise: float = 0.0,
) -> FittedModel:
    """Train a network; the held-out texts choose the epoch and the threshold.

    `vectors` returns what the vectors of words begin with: (words, width) -> (words, width).
    `noise` is the word error rate of a recogniser's errors in the training texts, new ones in every
    epoch; the held-out texts have none.
    """
    joined = [_joined(text) for text in texts.training]
    vocabulary = NetworkVocabulary.of(
        (word for text in joined for word in text.words), most=shape.vocabulary
    )
    epoch_texts = _epochs(joined, vocabulary, noise=noise, seed=seed)
    held_out = [_encoded(_joined(text), vocabulary) for text in texts.held_out]
    ends = np.isin(np.concatenate([text.classes for text in held_out]), SENTENCE_ENDS)  # (words,)

    def batches(epoch: int) -> list[Batch]:
        return shuffled_batches(epoch_texts(epoch), shape.size, stream(seed, "epoch", epoch))

    def best(network: torch.nn.Module) -> "Threshold":
        parts = [end_probabilities(network, text.rows, size=shape.size) for text in held_out]
        return best_threshold(np.concatenate(parts), ends)

    with seeded(seed):
        network = shape.build(vocabulary)
        if vectors is not None:
            start = vectors(vocabulary.words, int(shape.sizes["width"]))
            network.words.start_from(torch.from_numpy(start))
        result = fit(
            network, batches, classification_loss, check=lambda net: best(net).f1, plan=plan
        )
        threshold = best(network).probability
    return FittedModel(BoundaryModel(shape, vocabulary, network, threshold, {}), result)


def _joined(text: LabelledText) -> LabelledText:
    words, last = join_contractions(text.words)
    return LabelledText(words, np.asarray(text.classes, dtype=np.int64)[last].tolist())


def _encoded(text: LabelledText, vocabulary: NetworkVocabulary) -> EncodedText:
    classes = np.asarray(text.classes, dtype=np.int64)
    return EncodedText(vocabulary.encode(text.words), classes)


def _epochs(
    texts: Sequence[LabelledText], vocabulary: NetworkVocabulary, *, noise: float, seed: int
) -> Callable[[int], list[EncodedText]]:
    """Return what gives the texts of an epoch: the same in each, or each time with new errors."""
    if not noise:
        clean = [_encoded(text, vocabulary) for text in texts]
        return lambda epoch: clean
    errors = TextNoise.of(texts, rate=noise)

    def noisy(epoch: int) -> list[EncodedText]:
        return [
            _encoded(errors.corrupt(text, stream(seed, "noise", epoch, number)), vocabulary)
            for number, text in enumerate(texts)
        ]

    return noisy


class Threshold(NamedTuple):
    """The probability from which a sentence ends, and the F1 of ends at it."""

    probability: float
    f1: float


def best_threshold(probabilities: Floats, ends: Bools) -> Threshold:
    """Return the threshold with the best F1 of ends; nan as F1 where there are none.

    Examples
    --------
    >>> best_threshold(np.array([0.9, 0.2, 0.6]), np.array([True, False, True]))
    Threshold(probability=0.6, f1=1.0)
    """
    order = np.argsort(-probabilities, kind="stable")
    true_positives = np.cumsum(ends[order])
    total = int(ends.sum())
    values = [
        f1(Hits(int(hits), total - int(hits), rank - int(hits)))
        for rank, hits in enumerate(true_positives, start=1)
    ]
    best = int(np.argmax(values)) if total else 0
    return Threshold(
        float(probabilities[order[best]]), float(values[best]) if total else float("nan")
    )


def shuffled_batches(
    texts: Sequence[EncodedText], size: int, generator: np.random.Generator
) -> list[Batch]:
    """Return an epoch: every text cut at a new place, all pieces shuffled together."""
    row_pieces, class_pieces = [], []
    for text in texts:
        starts = cut_starts(len(text.classes), size=size, offset=int(generator.integers(size)))
        row_pieces.append(take_pieces(text.rows, starts, size=size + 1))
        class_pieces.append(take_pieces(text.classes, starts, size=size, fill=IGNORED))
    rows, classes = np.concatenate(row_pieces), np.concatenate(class_pieces)
    order = np.arange(len(rows), dtype=np.int64)
    batch = min(BATCH, max(SMALLEST_BATCH, len(rows) // FEWEST_BATCHES))
    return [
        Batch(torch.from_numpy(rows[part]), torch.from_numpy(classes[part]))
        for part in shuffled(order, generator, batch=batch)
    ]


def classification_loss(network: torch.nn.Module, batch: Batch) -> torch.Tensor:
    """Return the cross entropy of the classes; padding does not count."""
    scores = network(batch.rows)  # (pieces, size, classes)
    return torch.nn.functional.cross_entropy(
        scores.reshape(-1, scores.shape[-1]), batch.classes.reshape(-1), ignore_index=IGNORED
    )
