"""Event-based F1: output events that begin, and end, where a reference event does."""

from collections.abc import Mapping
from typing import Any

from earmark.score.metric import Metric
from earmark.stats import rates
from earmark.tasks.events.score import tallies
from earmark.tasks.events.score.segments import CountAll, counter
from earmark.tasks.events.score.tallies import Average, ByLabel
from earmark.values import checks

MICRO = 1_000_000


def event_f1(
    *,
    collar: float = 0.2,
    collar_share: float = 0.2,
    offsets: bool = True,
    average: Average = "micro",
) -> Metric:
    """F1 of events whose borders lie within a collar; each event is paired once at most.

    Parameters
    ----------
    collar
        Seconds by which an onset may be off, on each side; an offset too.
    collar_share
        Share of the reference event's length by which an offset may be off, when that is more.
    offsets
        Whether offsets are looked at; without, onsets alone decide.
    average
        `micro` pools the events of all labels, `macro` averages the labels' own values.

    Definition
    ----------
    Mesaros, Heittola and Virtanen 2016, section 4. Pairs are chosen so that there are as many as
    possible (sed_eval 0.2.1, "optimal"). Times are compared in whole microseconds: an onset that is
    off by exactly the collar counts.

    Undefined
    ---------
    nan when there is neither a reference nor an output event.

    Examples
    --------
    >>> from earmark.tasks.events.values import Event
    >>> event_f1(collar=0.5)([Event("dog", 1, 2)], [Event("dog", 1.4, 2.1)]).value
    1.0

    Notes
    -----
    Higher is better; 0 to 1. Harsh on long events with vague borders.
    """
    together = _count_all(collar, collar_share, offsets)
    rate = tallies.rated(rates.f1, average)
    return Metric(
        task="events",
        name="event_f1",
        count=counter(together),
        count_all=together,
        rate=rate,
        options={
            "collar": collar,
            "collar_share": collar_share,
            "offsets": offsets,
            "average": average,
        },
        average=average,
        undefined="there is neither a reference nor an output event",
        parts=tallies.parts(rates.f1),
        rate_resamples=tallies.resampler(rate),
    )


def _count_all(collar: float, collar_share: float, offsets: bool) -> CountAll:
    checks.within(collar, 0, 1e6, what="a collar")
    checks.within(collar_share, 0, 1, what="a collar's share")
    slack = (float(round(collar * MICRO)) if offsets else -1.0, float(collar_share))

    def count(references: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, ByLabel]:
        from earmark.tasks.events.score.flat import flat
        from earmark.tasks.events.score.kernels import count_collars

        laid = flat(references, outputs)
        if not laid.labels:
            return {item: ByLabel() for item in laid.items}
        size = len(laid.labels)
        table = count_collars(laid.reference, laid.output, size, round(collar * MICRO), slack)
        return laid.tallies(table)

    return count
