"""The detector as a system: trained from a study, kept in one file, run on another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from earmark.stats.draw import stream
from earmark.task.options import described_like
from earmark.task.task import Json, Training
from earmark.tasks.context.run import model_file
from earmark.tasks.context.run.discourse.corpus import Flat, flatten, word_key
from earmark.tasks.context.run.discourse.features import all_columns
from earmark.tasks.context.run.discourse.ngram_counts import Known, Seen, Table
from earmark.tasks.context.run.discourse.trees import Trees, grow
from earmark.tasks.context.run.discourse.vectors import Topics, learn_topics
from earmark.tasks.context.score.curve import best_threshold
from earmark.tasks.context.train.examples import Lesson, lesson, part, passages, told
from earmark.tasks.context.values import Passage, Scores
from earmark.text.tags import shipped
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

Array = Any
NAME = "discourse"
SHIPPED = Path(__file__).parents[2] / "models" / "discourse-speeches.npz"
FAMILIES = ("all", "local")
FOLDS = 4
WITHIN = 5
KEPT = 0.35
FEW = 200


@dataclass(frozen=True, slots=True)
class Detector:
    """Counts and vectors of a corpus, trees over all columns and over the local ones alone."""

    seen: Seen
    topics: Topics
    trees: dict[str, Trees]
    thresholds: dict[str, float]

    def scores(self, found: Sequence[Passage], family: str) -> list[Array]:
        """One score a token: a probability for nouns, 0 for everything else."""
        flat = flat_of(found)
        columns = _columns(flat, self.seen, [self.topics] * len(found), None, None)
        rows = np.zeros(len(flat.types))
        if len(flat.nouns):
            rows[flat.nouns] = self.trees[family].score(columns[family])
        return np.split(rows, flat.starts[1:-1])


def discourse(
    items: Sequence[Item], *, train_on: Training | None, seed: int, model: Path | None = None
) -> Iterator[Output[Scores]]:
    """Nouns that do not belong, by n-grams, the document's memory and likeness to the discourse.

    With a reference to learn from and no model, every passage is scored by a detector that was
    trained on other documents; a small study teaches it to weigh, and the shipped model brings
    what is known of words.

    Parameters
    ----------
    model
        A model that `earmark train context discourse` wrote; by default the shipped one.
    """
    return _run(items, train_on, seed, model, "all")


@described_like(discourse)
def local(
    items: Sequence[Item], *, train_on: Training | None, seed: int, model: Path | None = None
) -> Iterator[Output[Scores]]:
    """The same detector when it may look at the neighbouring words only.

    The gap to `discourse` says how much of the corruption needs context to be seen.
    """
    return _run(items, train_on, seed, model, "local")


def train_discourse(
    train_on: Training | None,
    *,
    out: Path,
    seed: int,
    develop: Path | None = None,
    trees: int = 400,
) -> Json:
    """Train the detector on a study whose swaps are known.

    Parameters
    ----------
    develop
        A study to choose the threshold on; without one, every tenth document is held out.
    trees
        Trees of the gradient boosting.
    """
    learn, held_out = told(train_on, develop)
    detector = fit(learn, held_out, seed=seed, trees=trees)
    card = {
        "system": NAME,
        "documents": len(learn.passages),
        "threshold": detector.thresholds["all"],
        "thresholds": detector.thresholds,
        "trees": trees,
        "seed": seed,
    }
    save(out, detector, card)
    return card


def fit_trees(learn: Lesson, held_out: Lesson, known: Detector, *, seed: int) -> Detector:
    """Few passages teach trees alone; what is known of words comes from another detector."""
    flat = flat_of(learn.passages)
    labels = np.concatenate(learn.labels)[flat.nouns]
    columns = _columns(flat, known.seen, [known.topics] * len(learn.passages), None, None)
    few: dict[str, Any] = {"trees": 60, "rate": 0.08, "leaves": 6}
    grown = {name: grow(columns[name], labels, seed=seed, **few) for name in FAMILIES}
    return with_thresholds(Detector(known.seen, known.topics, grown, {}), held_out)


def fit(learn: Lesson, held_out: Lesson, *, seed: int, trees: int = 400) -> Detector:
    """A detector from passages with known swaps; thresholds from those held out."""
    flat = flat_of(learn.passages)
    originals = _flat(learn.originals(), [p.tags for p in learn.passages])
    seen = Seen.of(originals)
    fold = np.arange(len(learn.passages)) % FOLDS
    parts = [learn_topics(originals, chosen=fold != k, seed=seed) for k in range(FOLDS)]
    labels = np.concatenate(learn.labels)[flat.nouns]
    rows = np.flatnonzero((labels == 1) | (stream(seed, "kept").random(len(labels)) < KEPT))
    if not labels.any():
        raise InputError("a detector learns from swapped nouns", got="none in the training data")
    columns = _columns(flat, seen, [parts[k] for k in fold], originals, rows)
    grown = {name: grow(columns[name], labels[rows], seed=seed, trees=trees) for name in FAMILIES}
    return with_thresholds(Detector(seen, learn_topics(originals, seed=seed), grown, {}), held_out)


def with_thresholds(detector: Detector, held_out: Lesson) -> Detector:
    """The detector with the best cut of each family on passages that it did not learn from."""
    truth = np.concatenate(held_out.labels)
    for name in FAMILIES:
        scores = np.concatenate(detector.scores(held_out.passages, name))
        detector.thresholds[name] = best_threshold(scores, truth)
    return detector


def flat_of(found: Sequence[Passage]) -> Flat:
    """Passages in a row, tagged as they stand unless they brought tags."""
    return _flat([p.tokens for p in found], [p.tags for p in found])


def _flat(documents: Sequence[Sequence[str]], tags: Sequence[Sequence[str] | None]) -> Flat:
    tagger = shipped()
    tagged = [tagger.tag(d) if t is None else t for d, t in zip(documents, tags, strict=True)]
    return flatten(documents, tagged)


def _columns(
    flat: Flat, seen: Seen, topics: Sequence[Topics], originals: Flat | None, rows: Array | None
) -> dict[str, Array]:
    """The matrix of all columns and of the local ones."""
    keys = np.array([word_key(word) for word in flat.words], np.uint64)
    tables: dict[int, Array] = {}
    for one in topics:
        tables.setdefault(id(one), one.of(keys))
    chosen = np.arange(len(flat.nouns)) if rows is None else rows
    known = Known.of(seen, flat, originals)
    found = all_columns(flat, known, [tables[id(one)] for one in topics], chosen)
    near, far = found["local"].matrix(), found["context"].matrix()
    return {"local": near, "all": np.concatenate([near, far], axis=1)}


def _run(
    items: Sequence[Item], train_on: Training | None, seed: int, model: Path | None, family: str
) -> Iterator[Output[Scores]]:
    label = NAME if family == "all" else "local"
    if model is None and train_on is not None:
        yield from _within(train_on, seed, family, label)
        return
    detector = load(model or SHIPPED)
    found = passages(items)
    for passage, row in zip(found, detector.scores(found, family), strict=True):
        scores = Scores(tuple(row.tolist()), detector.thresholds[family])
        yield Output(label, passage.id, scores)


def _within(train_on: Training, seed: int, family: str, label: str) -> Iterator[Output[Scores]]:
    """Every passage by a detector that never saw it, nor anything else of its document."""
    whole = lesson(train_on.items, train_on.reference.values)
    groups = sorted({item.group for item in train_on.items})
    if len(groups) < WITHIN:
        raise InputError(
            "learning within a study takes at least five documents", got=f"{len(groups)} documents"
        )
    group = {item.id: groups.index(item.group) % WITHIN for item in train_on.items}
    fold = np.array([group[p.id] for p in whole.passages])
    known = load(SHIPPED)
    for k in range(WITHIN):
        own, held_out = part(whole, fold == k), part(whole, fold == (k + 1) % WITHIN)
        others = part(whole, (fold != k) & (fold != (k + 1) % WITHIN))
        if len(whole.passages) < FEW:
            detector = fit_trees(others, held_out, known, seed=seed)
        else:
            detector = fit(others, held_out, seed=seed)
        for passage, row in zip(own.passages, detector.scores(own.passages, family), strict=True):
            scores = Scores(tuple(row.tolist()), detector.thresholds[family])
            yield Output(label, passage.id, scores)


def save(path: Path, detector: Detector, card: Json) -> None:
    """Keep a detector in one file."""
    arrays = {
        **detector.seen.grams.arrays("grams"),
        **detector.seen.documents.arrays("documents"),
        "topics.keys": detector.topics.keys,
        "topics.vectors": np.round(detector.topics.vectors * 127).astype(np.int8),
        "nouns": np.array([detector.seen.nouns]),
    }
    for name, trees in detector.trees.items():
        arrays.update(trees.arrays(f"trees.{name}"))
    model_file.save(path, card, arrays)


def load(path: Path) -> Detector:
    """The detector in a file."""
    card, kept = model_file.load(path, system=NAME)
    seen = Seen(
        Table.from_arrays(kept, "grams"),
        Table.from_arrays(kept, "documents"),
        float(kept["nouns"][0]),
    )
    topics = Topics(kept["topics.keys"], kept["topics.vectors"].astype(np.float32) / 127)
    trees = {name: Trees.from_arrays(kept, f"trees.{name}") for name in FAMILIES}
    return Detector(seen, topics, trees, dict(card["thresholds"]))
