"""Segment-based metrics: what is active somewhere in a second (Mesaros et al. 2016)."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from earmark.score.metric import Metric
from earmark.stats import rates
from earmark.task.options import takes
from earmark.tasks.events.score import tallies
from earmark.tasks.events.score.tallies import Average, ByLabel, Rate
from earmark.values.errors import InputError

MICRO = 1_000_000
UNDEFINED = {
    "f1": "there is neither a reference nor an output event",
    "precision": "the output holds no event",
    "recall": "the reference holds no event",
    "error_rate": "the reference holds no event",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOptions:
    """What metrics on segments take.

    Parameters
    ----------
    seconds
        Length of a segment.
    average
        `micro` pools the segments of all labels, `macro` averages the labels' own values.
    """

    seconds: float = 1.0
    average: Average = "micro"


@takes(SegmentOptions)
def segment_f1(options: SegmentOptions) -> Metric:
    """F1 of active segments.

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
    return _segment_metric("f1", rates.f1, options)


@takes(SegmentOptions)
def segment_precision(options: SegmentOptions) -> Metric:
    """Share of output segments that are right.

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
    return _segment_metric("precision", rates.precision, options)


@takes(SegmentOptions)
def segment_recall(options: SegmentOptions) -> Metric:
    """Share of reference segments that were found.

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
    return _segment_metric("recall", rates.recall, options)


@takes(SegmentOptions)
def segment_error_rate(options: SegmentOptions) -> Metric:
    """Substitutions, deletions and insertions over reference segments.

    In each segment a miss and a false alarm of different labels make one substitution; what is
    left over is a deletion or an insertion. With `macro` there are no substitutions, because a
    label looked at alone cannot be taken for another.

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
    metric = _segment_metric("error_rate", rates.error_rate, options)
    if options.average != "macro":
        resampled = tallies.resampler(_micro_error_rate)
        metric = replace(metric, rate=_micro_error_rate, rate_resamples=resampled)
    return replace(metric, parts=_error_parts, higher_is_better=False, high=float("inf"))


def _segment_metric(name: str, rate: Rate, options: SegmentOptions) -> Metric:
    together = count_all(options.seconds)
    whole = tallies.rated(rate, options.average)
    return Metric(
        task="events",
        name=f"segment_{name}",
        count=counter(together),
        count_all=together,
        rate=whole,
        options=asdict(options),
        average=options.average,
        undefined=UNDEFINED[name],
        parts=tallies.parts(rate),
        rate_resamples=tallies.resampler(whole),
    )


CountAll = Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, ByLabel]]


def counter(together: CountAll) -> Callable[[Any, Any], ByLabel]:
    """The count of one item, by way of the count of all."""
    return lambda reference, output: together({"item": reference}, {"item": output})["item"]


def count_all(seconds: float) -> CountAll:
    """Counts of all recordings at once, for segments of that length."""
    segment = round(seconds * MICRO)
    if segment <= 0:
        raise InputError("a segment must last longer than nothing", got=seconds)

    def count(references: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, ByLabel]:
        from earmark.tasks.events.score.flat import flat
        from earmark.tasks.events.score.kernels import count_segments

        laid = flat(references, outputs)
        if not laid.labels:
            return {item: ByLabel() for item in laid.items}
        table, swaps = count_segments(laid.reference, laid.output, len(laid.labels), segment)
        return laid.tallies(table, swaps)

    return count


def _micro_error_rate(counts: ByLabel) -> float:
    total = counts.total
    wrong = total.false_negatives + total.false_positives - counts.substituted
    return rates.proportion(wrong, of=total.true_positives + total.false_negatives)


def _error_parts(counts: ByLabel) -> dict[str, object]:
    total = counts.total
    wrong = {
        "substitutions": counts.substituted,
        "deletions": total.false_negatives - counts.substituted,
        "insertions": total.false_positives - counts.substituted,
    }
    expected = total.true_positives + total.false_negatives
    told = {k: tallies.rates_json(rates.proportion(n, of=expected)) for k, n in wrong.items()}
    return {**told, **tallies.parts(rates.error_rate)(counts)}
