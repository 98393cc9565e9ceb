"""The detector with a language model: its trees, its threshold, and the detector beneath it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earmark.arrays import Floats
from earmark.learn.threads import limited_threads
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.discourse.corpus import passage_arrays
from earmark.tasks.context.run.discourse.detector import Detector
from earmark.tasks.context.run.discourse.trees import BoostedTrees
from earmark.tasks.context.run.far.features import FEATURES, Matrix, language_features
from earmark.tasks.context.values import Passage
from earmark.text.causal_model import CausalModel
from earmark.values.errors import InputError

NAME = "discourse-lm"
SHIPPED = Path(__file__).parents[2] / "models" / "discourse-lm.npz"
# Probabilities of the detector beneath are cut off here before their log odds are taken.
SURE = 1e-4


@dataclass(frozen=True, slots=True)
class FarDetector:
    """Trees over what a language model and the discourse detector say of a noun."""

    trees: BoostedTrees
    threshold: float

    def scores(
        self, passages: Sequence[Passage], beneath: Detector, model: CausalModel
    ) -> Iterator[Floats]:
        """Yield per passage a score per token: a probability for nouns, 0 for all others."""
        for passage, rows, nouns in noun_rows(passages, beneath, model):
            scores = np.zeros(len(passage.tokens))
            if len(nouns):
                scores[nouns] = self.trees.probabilities(rows)
            yield scores


def noun_rows(
    passages: Sequence[Passage], beneath: Detector, model: CausalModel
) -> Iterator[tuple[Passage, Matrix, list[int]]]:
    """Yield each passage with a row of features for each noun, and the nouns' tokens."""
    known = beneath.scores(passages, "all")
    pairs = zip(passages, known, strict=True)
    for passage, score in track(pairs, label="read", total=len(passages)):
        corpus = passage_arrays([passage])
        nouns = corpus.nouns.tolist()
        with limited_threads(1):
            rows = language_features(model, passage, corpus)
        share = np.clip(np.asarray(score)[nouns], SURE, 1 - SURE)
        yield (
            passage,
            np.column_stack([rows, np.log(share / (1 - share))]).astype(np.float32),
            nouns,
        )


def save_far(path: Path, detector: FarDetector, card: Json) -> None:
    """Write a detector and its card to one file."""
    model_file.save(path, {**card, "features": list(FEATURES)}, detector.trees.arrays("trees"))


def load_far(path: Path) -> FarDetector:
    """Return the detector of a file."""
    card, arrays = model_file.load(path, system=NAME)
    if card.get("features") != list(FEATURES):
        raise InputError("the model was trained with other features", at=path, fix="train it again")
    return FarDetector(BoostedTrees.from_arrays(arrays, "trees"), float(card["threshold"]))
