"""Event-based F1: output events that begin, and end, where a reference event does."""

from dataclasses import asdict, dataclass
from typing import Any

from earmark.score.metric import Metric, count_one
from earmark.stats import rates
from earmark.task.options import changed, option
from earmark.tasks.events.score import tallies
from earmark.tasks.events.score.sides import EventSides, lay_out
from earmark.tasks.events.score.tallies import Average, LabelCounts
from earmark.tasks.events.table import MICRO
from earmark.values import checks

# An offset collar that tells the kernel not to look at offsets.
IGNORED = -1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CollarOptions:
    """How far the borders of two events may be apart, and how labels are averaged."""

    collar: float = option(0.2, "Seconds by which an onset, or an offset, may be off on each side.")
    collar_share: float = option(
        0.2, "Share of the reference event's length by which an offset may be off, if that is more."
    )
    offsets: bool = option(True, "Whether offsets are looked at; without, onsets alone decide.")
    average: Average = option(
        "micro", "`micro` pools the events of all labels, `macro` averages the labels' own values."
    )

    def __post_init__(self) -> None:
        checks.within(self.collar, 0, 1e6, what="a collar")
        checks.within(self.collar_share, 0, 1, what="a collar's share")


def event_f1(options: CollarOptions = CollarOptions(), **changes: Any) -> Metric:
    """Build the F1 of events whose borders lie within a collar; each event is paired at most once.

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
    chosen = changed(options, changes)
    collar = round(chosen.collar * MICRO)
    offset_collar = float(collar) if chosen.offsets else IGNORED

    def count(sides: EventSides) -> LabelCounts:
        from earmark.tasks.events.score.kernels import count_collars

        slack = (offset_collar, float(chosen.collar_share))
        return sides.count_by(count_collars, collar, slack)

    return Metric(
        task="events",
        name="event_f1",
        count=count_one(lay_out, count),
        prepare=lay_out,
        count_prepared=count,
        rate=tallies.rated(rates.f1, chosen.average),
        labels=tallies.labels_in(rates.f1, chosen.average),
        options=asdict(chosen),
        average=chosen.average,
        undefined="there is neither a reference nor an output event",
        parts=tallies.parts(rates.f1),
    )
