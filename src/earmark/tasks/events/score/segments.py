"""Segment-based metrics: what is active somewhere in a second (Mesaros et al. 2016)."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from earmark.score.metric import Metric, count_one
from earmark.stats import rates
from earmark.task.options import changed, option
from earmark.tasks.events.score import tallies
from earmark.tasks.events.score.sides import EventSides, lay_out
from earmark.tasks.events.score.tallies import Average, ByLabel, LabelCounts, Rate
from earmark.tasks.events.table import MICRO
from earmark.values.errors import InputError
from earmark.values.score import number

UNDEFINED = {
    "f1": "there is neither a reference nor an output event",
    "precision": "the output holds no event",
    "recall": "the reference holds no event",
    "error_rate": "the reference holds no event",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOptions:
    """How long a segment is, and how labels are averaged."""

    seconds: float = option(1.0, "Length of a segment.")
    average: Average = option(
        "micro",
        "`micro` pools the segments of all labels, `macro` averages the labels' own values.",
    )

    def __post_init__(self) -> None:
        if round(self.seconds * MICRO) <= 0:
            raise InputError("a segment's length must be > 0", got=self.seconds)


def segment_f1(options: SegmentOptions = SegmentOptions(), **changes: Any) -> Metric:
    """Build the F1 of active segments.

    A label is active in a segment when any of its events touches it.

    Definition
    ----------
    Mesaros, Heittola and Virtanen 2016, section 3.1; F = 2 TP / (2 TP + FP + FN) over segments.

    Undefined
    ---------
    nan when there is neither a reference nor an output event.

    Examples
    --------
    >>> from earmark.tasks.events.values import Event
    >>> segment_f1()([Event("car", 0.0, 2.5)], [Event("car", 1.0, 3.0)]).value
    0.8

    Notes
    -----
    Higher is better; 0 to 1. Lenient about borders, strict about long events.
    """
    return _segment_metric("f1", rates.f1, changed(options, changes))


def segment_precision(options: SegmentOptions = SegmentOptions(), **changes: Any) -> Metric:
    """Build the precision of active segments: the share of output segments that are right.

    Definition
    ----------
    Mesaros, Heittola and Virtanen 2016, section 3.1; TP / (TP + FP).

    Undefined
    ---------
    nan when the output holds no event.

    Examples
    --------
    >>> from earmark.tasks.events.values import Event
    >>> segment_precision()([Event("car", 0, 1)], [Event("car", 0, 2)]).value
    0.5
    """
    return _segment_metric("precision", rates.precision, changed(options, changes))


def segment_recall(options: SegmentOptions = SegmentOptions(), **changes: Any) -> Metric:
    """Build the recall of active segments: the share of reference segments in the output.

    Definition
    ----------
    Mesaros, Heittola and Virtanen 2016, section 3.1; TP / (TP + FN).

    Undefined
    ---------
    nan when the reference holds no event.

    Examples
    --------
    >>> from earmark.tasks.events.values import Event
    >>> segment_recall()([Event("car", 0, 2)], [Event("car", 0, 1)]).value
    0.5
    """
    return _segment_metric("recall", rates.recall, changed(options, changes))


def segment_error_rate(options: SegmentOptions = SegmentOptions(), **changes: Any) -> Metric:
    """Build the error rate: substitutions, deletions and insertions over reference segments.

    In each segment a false negative and a false positive of different labels make one substitution;
    what is left over is a deletion or an insertion. With `macro` there are no substitutions,
    because a label looked at alone cannot be taken for another.

    Definition
    ----------
    Mesaros, Heittola and Virtanen 2016, section 3.2; (S + D + I) / N with S = min(FN, FP),
    D = max(0, FN - FP), I = max(0, FP - FN) in each segment.

    Undefined
    ---------
    nan when the reference holds no event.

    Examples
    --------
    >>> from earmark.tasks.events.values import Event
    >>> segment_error_rate()([Event("car", 0, 1)], [Event("dog", 0, 1)]).value
    1.0

    Notes
    -----
    Lower is better; 0 at best, may exceed 1.
    """
    chosen = changed(options, changes)
    metric = _segment_metric("error_rate", rates.error_rate, chosen)
    if chosen.average == "micro":
        metric = replace(metric, rate=_micro_error_rate)
    return replace(metric, parts=_error_parts, higher_is_better=False, high=float("inf"))


def _segment_metric(name: str, rate: Rate, options: SegmentOptions) -> Metric:
    segment = round(options.seconds * MICRO)

    def count(sides: EventSides) -> LabelCounts:
        from earmark.tasks.events.score.kernels import count_segments

        return sides.count_by(count_segments, segment, seconds=options.seconds)

    return Metric(
        task="events",
        name=f"segment_{name}",
        count=count_one(lay_out, count),
        prepare=lay_out,
        count_prepared=count,
        rate=tallies.rated(rate, options.average),
        labels=tallies.labels_in(rate, options.average),
        options=asdict(options),
        average=options.average,
        undefined=UNDEFINED[name],
        parts=tallies.parts(rate),
    )


def _micro_error_rate(counts: ByLabel) -> float:
    total = counts.total
    wrong = total.false_negatives + total.false_positives - counts.substituted
    return rates.proportion(wrong, of=total.true_positives + total.false_negatives)


def _error_parts(counts: ByLabel) -> dict[str, object]:
    total = counts.total
    errors = {
        "substitutions": counts.substituted,
        "deletions": total.false_negatives - counts.substituted,
        "insertions": total.false_positives - counts.substituted,
    }
    expected = total.true_positives + total.false_negatives
    by_kind = {kind: number(rates.proportion(n, of=expected)) for kind, n in errors.items()}
    return {**by_kind, **tallies.parts(rates.error_rate)(counts)}
