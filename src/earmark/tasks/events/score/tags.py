"""Tags: whether a sound was there at all."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from earmark.arrays import Bools
from earmark.score.metric import Metric, count_one
from earmark.stats import rates
from earmark.task.options import changed, option
from earmark.tasks.events.score import tallies
from earmark.tasks.events.score.tallies import Average, LabelCounts, Rate, label_counts
from earmark.tasks.events.table import EventTable
from earmark.tasks.events.values import Event, Tags, Timeline, as_timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class TagOptions:
    """How labels are averaged."""

    average: Average = option(
        "micro", "`micro` pools all labels, `macro` averages the labels' own values."
    )


def tag_f1(options: TagOptions = TagOptions(), **changes: Any) -> Metric:
    """Build the F1 of the labels that an item holds, whenever they sound.

    Definition
    ----------
    F = 2 TP / (2 TP + FP + FN) over (item, label) pairs; Martin-Morato et al. 2021, section 3.2.

    Undefined
    ---------
    nan when neither side holds a label.

    Examples
    --------
    >>> tag_f1()(Tags({"dog", "siren"}), Tags({"dog"})).value
    0.6666666666666666
    """
    return _tag_metric("f1", rates.f1, changed(options, changes), "neither side holds a label")


def tag_precision(options: TagOptions = TagOptions(), **changes: Any) -> Metric:
    """Build the precision of labels: the share of the output's labels that are right.

    Definition
    ----------
    TP / (TP + FP) over (item, label) pairs; Martin-Morato et al. 2021, section 3.2.

    Undefined
    ---------
    nan when the output holds no label.

    Examples
    --------
    >>> tag_precision()(Tags({"dog", "siren"}), Tags({"dog"})).value
    1.0
    """
    return _tag_metric(
        "precision", rates.precision, changed(options, changes), "the output holds no label"
    )


def tag_recall(options: TagOptions = TagOptions(), **changes: Any) -> Metric:
    """Build the recall of labels: the share of the reference's labels in the output.

    Definition
    ----------
    TP / (TP + FN) over (item, label) pairs; Martin-Morato et al. 2021, section 3.2.

    Undefined
    ---------
    nan when the reference holds no label.

    Examples
    --------
    >>> tag_recall()(Tags({"dog", "siren"}), Tags({"dog"})).value
    0.5
    """
    return _tag_metric(
        "recall", rates.recall, changed(options, changes), "the reference holds no label"
    )


def _tag_metric(name: str, rate: Rate, options: TagOptions, undefined: str) -> Metric:
    return Metric(
        task="events",
        name=f"tag_{name}",
        count=count_one(lay_out_tags, count_tags),
        prepare=lay_out_tags,
        count_prepared=count_tags,
        rate=tallies.rated(rate, options.average),
        labels=tallies.labels_in(rate, options.average),
        options=asdict(options),
        average=options.average,
        undefined=undefined,
        parts=tallies.parts(rate),
    )


@dataclass(frozen=True, slots=True, eq=False)
class TagSides:
    """Which labels each item has, on both sides."""

    items: tuple[str, ...]
    labels: tuple[str, ...]
    reference: Bools  # (items, labels)
    output: Bools  # (items, labels)


def lay_out_tags(reference: Mapping[str, Any], output: Mapping[str, Any]) -> TagSides:
    """Lay the labels of two sides with the same items, in the same order, out as arrays."""
    sides = [_tags(side) for side in (reference, output)]
    labels = sorted({label for names, _ in sides for label in names})
    arrays = []
    for names, holds in sides:
        whole = np.zeros((len(reference), len(labels)), dtype=bool)
        whole[:, [labels.index(label) for label in names]] = holds
        arrays.append(whole)
    return TagSides(tuple(reference), tuple(labels), *arrays)


def _tags(side: Mapping[str, Any]) -> tuple[tuple[str, ...], Bools]:
    """Return the labels of a side, and which item has which: (items, labels)."""
    if isinstance(side, EventTable):
        holds = np.zeros((len(side), len(side.events.labels)), dtype=bool)
        holds[side.events.recording, side.events.label] = True
        return side.events.labels, holds
    tags = [tags_of(value) for value in side.values()]
    labels = tuple(sorted({label for each in tags for label in each}))
    return labels, np.array([[label in each for label in labels] for each in tags], dtype=bool)


def count_tags(sides: TagSides) -> LabelCounts:
    """Count the labels of all items."""
    both = sides.reference & sides.output
    kinds = (both, sides.reference & ~sides.output, sides.output & ~sides.reference)
    return label_counts(sides.items, sides.labels, np.stack(kinds, axis=2).astype(np.int64))


def tags_of(value: Tags | Timeline | Iterable[Event]) -> frozenset[str]:
    """Return the labels of a window's tags, or of everything in a timeline."""
    return value.labels if isinstance(value, Tags) else frozenset(as_timeline(value).labels)
