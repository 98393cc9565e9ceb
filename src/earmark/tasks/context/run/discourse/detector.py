"""The detector: counts of a corpus, and trees that weigh what they say of a noun."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from earmark.arrays import Floats
from earmark.task.task import Json
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.discourse.corpus import CorpusArrays, passage_arrays
from earmark.tasks.context.run.discourse.features import FEATURES, feature_matrices
from earmark.tasks.context.run.discourse.ngram_counts import (
    ContextCounts,
    CorpusCounts,
    HashCounts,
)
from earmark.tasks.context.run.discourse.trees import BoostedTrees
from earmark.tasks.context.values import Passage
from earmark.values.errors import InputError

NAME = "discourse"
SHIPPED = Path(__file__).parents[2] / "models" / "discourse.npz"
# Which features the trees may look at: all, or those of the words beside the noun alone.
Family = Literal["all", "local"]
FAMILIES: tuple[Family, ...] = ("all", "local")


@dataclass(frozen=True, slots=True)
class Detector:
    """What was counted and learnt; trees and a threshold for each family of features."""

    counts: CorpusCounts
    trees: Mapping[Family, BoostedTrees]
    thresholds: Mapping[Family, float]

    def scores(
        self, passages: Sequence[Passage], family: Family, *, alone: bool = False
    ) -> list[Floats]:
        """Return per passage a score per token: a probability for nouns, 0 for all others.

        The other passages count beside the corpus that was learnt from, without their labels: they
        are of the same kind as the one that is judged. With `alone` they do not.
        """
        corpus = passage_arrays(passages)
        scores = np.zeros(len(corpus.types))
        if len(corpus.nouns):
            counts = counts_to_judge(self.counts, corpus, alone=alone)
            matrices = feature_matrices(corpus, counts)
            rows = matrices.all if family == "all" else matrices.local
            scores[corpus.nouns] = self.trees[family].probabilities(rows)
        return np.split(scores, corpus.starts[1:-1])


def counts_to_judge(
    known: CorpusCounts, judged: CorpusArrays, *, alone: bool = False
) -> ContextCounts:
    """Return what passages are judged by: what is known, and what the others of them hold."""
    if alone:
        return ContextCounts.of(known, judged)
    return ContextCounts.of(known.plus(CorpusCounts.of(judged)), judged, judged)


def save(path: Path, detector: Detector, card: Json) -> None:
    """Write a detector and its card to one file."""
    arrays = {
        **detector.counts.ngrams.arrays("grams"),
        **detector.counts.documents.arrays("documents"),
        "nouns": np.array([detector.counts.nouns]),
    }
    for family, trees in detector.trees.items():
        arrays.update(trees.arrays(f"trees.{family}"))
    model_file.save(path, {**card, "features": FEATURES}, arrays)


def load(path: Path) -> Detector:
    """Return the detector of a file."""
    card, arrays = model_file.load(path, system=NAME)
    if card.get("features") != FEATURES:
        raise InputError("the model was trained with other features", at=path, fix="train it again")
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
    trees = {family: BoostedTrees.from_arrays(arrays, f"trees.{family}") for family in FAMILIES}
    return Detector(counts, trees, {f: float(card["thresholds"][f]) for f in FAMILIES})
