"""The detector: counts and vectors of a corpus, and trees that weigh what they say of a noun."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from earmark.arrays import Floats
from earmark.task.task import Json
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.discourse.corpus import passage_arrays
from earmark.tasks.context.run.discourse.features import feature_matrices
from earmark.tasks.context.run.discourse.ngram_counts import (
    ContextCounts,
    CorpusCounts,
    HashCounts,
)
from earmark.tasks.context.run.discourse.similarity import FoldTopics
from earmark.tasks.context.run.discourse.trees import BoostedTrees
from earmark.tasks.context.run.discourse.vectors import TopicVectors
from earmark.tasks.context.values import Passage
from earmark.values.errors import InputError

NAME = "discourse"
SHIPPED = Path(__file__).parents[2] / "models" / "discourse-speeches.npz"
# Which features the trees may look at: all, or those of the words beside the noun alone.
Family = Literal["all", "local"]
FAMILIES: tuple[Family, ...] = ("all", "local")
# Vectors are stored as signed bytes, which suffices for cosines: 127 stands for 1.
BYTE = 127


@dataclass(frozen=True, slots=True)
class Detector:
    """What was counted and learnt; trees and a threshold for each family of features."""

    counts: CorpusCounts
    topics: TopicVectors
    trees: Mapping[Family, BoostedTrees]
    thresholds: Mapping[Family, float]

    def scores(self, passages: Sequence[Passage], family: Family) -> list[Floats]:
        """Return per passage a score per token: a probability for nouns, 0 for all others."""
        corpus = passage_arrays(passages)
        scores = np.zeros(len(corpus.types))
        if len(corpus.nouns):
            counts = ContextCounts.of(self.counts, corpus)
            topics = FoldTopics.same(self.topics, len(passages))
            matrices = feature_matrices(corpus, counts, topics)
            rows = matrices.all if family == "all" else matrices.local
            scores[corpus.nouns] = self.trees[family].probabilities(rows)
        return np.split(scores, corpus.starts[1:-1])


def save(path: Path, detector: Detector, card: Json) -> None:
    """Write a detector and its card to one file."""
    arrays = {
        **detector.counts.ngrams.arrays("grams"),
        **detector.counts.documents.arrays("documents"),
        "topics.keys": detector.topics.keys,
        "topics.vectors": np.round(detector.topics.vectors * BYTE).astype(np.int8),
        "nouns": np.array([detector.counts.nouns]),
    }
    for family, trees in detector.trees.items():
        arrays.update(trees.arrays(f"trees.{family}"))
    model_file.save(path, card, arrays)


def load(path: Path) -> Detector:
    """Return the detector of a file."""
    card, arrays = model_file.load(path, system=NAME)
    try:
        return _unpacked(card, arrays)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError("the file is no model of this task", at=path, got=error) from error


def _unpacked(card: Json, arrays: Mapping[str, Any]) -> Detector:
    counts = CorpusCounts(
        HashCounts.from_arrays(arrays, "grams"),
        HashCounts.from_arrays(arrays, "documents"),
        float(arrays["nouns"][0]),
    )
    keys, vectors = arrays["topics.keys"], arrays["topics.vectors"]
    if keys.ndim != 1 or vectors.ndim != 2 or len(keys) != len(vectors):
        raise ValueError(f"{keys.shape} words with vectors of {vectors.shape}")
    topics = TopicVectors(keys, vectors.astype(np.float32) / BYTE)
    trees = {family: BoostedTrees.from_arrays(arrays, f"trees.{family}") for family in FAMILIES}
    return Detector(counts, topics, trees, {f: float(card["thresholds"][f]) for f in FAMILIES})
