"""Tags: whether a sound was there at all."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from earmark.score.metric import Metric
from earmark.stats import rates
from earmark.task.options import takes
from earmark.tasks.events.score import tallies
from earmark.tasks.events.score.tallies import Average, ByLabel, Rate
from earmark.tasks.events.values import Event, Tags, Timeline, as_timeline
from earmark.values.counts import Hits


@dataclass(frozen=True, slots=True, kw_only=True)
class TagOptions:
    """What metrics on tags take.

    Parameters
    ----------
    average
        `micro` pools all labels, `macro` averages the labels' own values.
    """

    average: Average = "micro"


@takes(TagOptions)
def tag_f1(options: TagOptions) -> Metric:
    """F1 of the labels that an item holds, whenever they sound.

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
    return _tag_metric("f1", rates.f1, options, "neither side holds a label")


@takes(TagOptions)
def tag_precision(options: TagOptions) -> Metric:
    """Share of the labels put out that are right.

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
    return _tag_metric("precision", rates.precision, options, "the output holds no label")


@takes(TagOptions)
def tag_recall(options: TagOptions) -> Metric:
    """Share of the reference's labels that were found.

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
    return _tag_metric("recall", rates.recall, options, "the reference holds no label")


def _tag_metric(name: str, rate: Rate, options: TagOptions, undefined: str) -> Metric:
    whole = tallies.rated(rate, options.average)
    return Metric(
        task="events",
        name=f"tag_{name}",
        count=count_tags,
        rate=whole,
        options=asdict(options),
        average=options.average,
        undefined=undefined,
        parts=tallies.parts(rate),
        rate_resamples=tallies.resampler(whole),
    )


def count_tags(reference: Any, output: Any) -> ByLabel:
    """Tally the labels of one item."""
    expected, heard = labels_of(reference), labels_of(output)
    return ByLabel.of(
        {
            label: Hits(
                int(label in expected and label in heard),
                int(label not in heard),
                int(label not in expected),
            )
            for label in sorted(expected | heard)
        }
    )


def labels_of(value: Tags | Timeline | Iterable[Event]) -> frozenset[str]:
    """The labels of a window's tags, or of everything in a timeline."""
    return value.labels if isinstance(value, Tags) else frozenset(as_timeline(value).labels)
