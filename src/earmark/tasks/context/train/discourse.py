"""Training of the detector: on a study of its own, or within the study that it is run on."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from earmark.stats.draw import stream
from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.context.run.discourse.corpus import passage_arrays, tagged_arrays
from earmark.tasks.context.run.discourse.detector import (
    FAMILIES,
    NAME,
    SHIPPED,
    Detector,
    counts_to_judge,
    load,
    save,
)
from earmark.tasks.context.run.discourse.features import feature_matrices
from earmark.tasks.context.run.discourse.ngram_counts import ContextCounts, CorpusCounts
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.boosting import SMALL_STUDY, BoostingOptions, grow_trees
from earmark.tasks.context.train.examples import (
    DevelopOptions,
    LabelledPassages,
    labelled_passages,
    split_training,
)
from earmark.tasks.context.values import Passage
from earmark.values.errors import InputError

# Folds when a detector learns within a study: one is scored, one chooses the threshold.
STUDY_FOLDS = 5
# The share of nouns in place that trees learn from; all swapped ones are. Features of all of them
# would take three times as long, and nouns in place outnumber the others fifty to one anyway.
NEGATIVES = 0.35
# Passages from which on a study teaches its own counts too, not trees alone.
ENOUGH_PASSAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscourseTraining(DevelopOptions):
    """How the detector is trained."""

    trees: int = option(400, "Trees of the gradient boosting.")
    leaves: int = option(31, "Leaves of each tree; few where it is run on another kind of text.")
    also: tuple[Path, ...] = option((), "Further studies to learn from, of other kinds of text.")


def train_discourse(
    train_on: Training | None,
    options: DiscourseTraining = DiscourseTraining(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train the detector on a study whose swaps are known; return the model's card."""
    learn, held_out = split_training(train_on, options.develop, options.also)
    boosting = BoostingOptions(trees=options.trees, leaves=options.leaves)
    detector = fit(learn, held_out, boosting, seed=seed)
    card = {
        "system": NAME,
        "documents": len(learn.passages),
        "threshold": detector.thresholds["all"],
        "thresholds": dict(detector.thresholds),
        "trees": options.trees,
        "leaves": options.leaves,
        "seed": seed,
    }
    save(out, detector, card)
    return card


def cross_trained(
    train_on: Training, *, seed: int
) -> Iterator[tuple[Detector, tuple[Passage, ...]]]:
    """Yield detectors with the passages they may score: none that they were trained on.

    Passages of one document are always in the same fold.
    """
    labelled = labelled_passages(train_on.items, train_on.reference.values)
    groups = sorted({item.group for item in train_on.items})
    if len(groups) < STUDY_FOLDS:
        raise InputError(
            "learning within a study takes at least five documents", got=f"{len(groups)} documents"
        )
    fold_of = {item.id: groups.index(item.group) % STUDY_FOLDS for item in train_on.items}
    fold = np.array([fold_of[passage.id] for passage in labelled.passages])
    shipped = load(SHIPPED)
    for scored in range(STUDY_FOLDS):
        developed = (scored + 1) % STUDY_FOLDS
        held_out = labelled.subset(fold == developed)
        learn = labelled.subset((fold != scored) & (fold != developed))
        if len(labelled.passages) < ENOUGH_PASSAGES:
            detector = fit_trees(learn, held_out, shipped, seed=seed)
        else:
            detector = fit(learn, held_out, seed=seed)
        yield detector, labelled.subset(fold == scored).passages


def fit(
    learn: LabelledPassages,
    held_out: LabelledPassages,
    boosting: BoostingOptions = BoostingOptions(),
    *,
    seed: int,
) -> Detector:
    """Return a detector that counts and learns everything from these passages.

    Counts come from the text before it was changed. What a document contributed to them is left
    out again while its own nouns are judged.
    """
    corpus = passage_arrays(learn.passages)
    originals = tagged_arrays(learn.originals(), [p.tags for p in learn.passages])
    labels = np.concatenate(learn.labels)[corpus.nouns]
    if not labels.any():
        raise InputError("a detector learns from swapped nouns", got="none in the training data")
    counts = CorpusCounts.of(originals)
    drawn = stream(seed, "kept").random(len(labels)) < NEGATIVES
    rows = np.flatnonzero((labels == 1) | drawn)
    matrices = feature_matrices(corpus, ContextCounts.of(counts, corpus, originals), rows)
    grown = {
        family: grow_trees(getattr(matrices, family), labels[rows], boosting, seed=seed)
        for family in FAMILIES
    }
    detector = Detector(counts, grown, {})
    return with_thresholds(detector, held_out)


def fit_trees(
    learn: LabelledPassages, held_out: LabelledPassages, known: Detector, *, seed: int
) -> Detector:
    """Return a detector that learns trees from few passages, with another's counts."""
    corpus = passage_arrays(learn.passages)
    labels = np.concatenate(learn.labels)[corpus.nouns]
    matrices = feature_matrices(corpus, counts_to_judge(known.counts, corpus))
    grown = {
        family: grow_trees(getattr(matrices, family), labels, SMALL_STUDY, seed=seed)
        for family in FAMILIES
    }
    return with_thresholds(replace(known, trees=grown, thresholds={}), held_out)


def with_thresholds(detector: Detector, held_out: LabelledPassages) -> Detector:
    """Return the detector with each family's threshold of the best F on held-out passages."""
    labels = np.concatenate(held_out.labels)
    thresholds = {
        family: best_threshold(np.concatenate(detector.scores(held_out.passages, family)), labels)
        for family in FAMILIES
    }
    return replace(detector, thresholds=thresholds)
