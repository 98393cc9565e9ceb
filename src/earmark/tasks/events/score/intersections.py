"""Intersection-based F1: output and reference events that overlap enough."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from earmark.score.metric import Metric, count_one
from earmark.stats import rates
from earmark.task.options import changed, option
from earmark.tasks.events.score import tallies
from earmark.tasks.events.score.sides import EventSides, lay_out
from earmark.tasks.events.score.tallies import Average, ByLabel, LabelCounts
from earmark.values import checks

# A share that no event reaches: without the option there are no cross-triggers.
NEVER = 2.0


class Criteria(NamedTuple):
    """The shares at which overlaps count, as the kernels take them."""

    detection: float
    coverage: float
    cross: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapOptions:
    """How far events must overlap."""

    detection: float = option(
        0.7, "Share of an output event that must be right (the paper's DTC), 0 < x <= 1."
    )
    coverage: float = option(
        0.7, "Share of a reference event that must be covered (GTC), 0 < x <= 1."
    )
    cross: float | None = option(
        None,
        "Share of a false positive that must lie on another label to be a cross-trigger (CTTC).",
    )

    def criteria(self) -> Criteria:
        """Return the three shares, checked; without `cross` the last is never reached."""
        cross = NEVER if self.cross is None else checks.within(self.cross, 1e-6, 1, what="cross")
        return Criteria(
            float(checks.within(self.detection, 1e-6, 1, what="detection")),
            float(checks.within(self.coverage, 1e-6, 1, what="coverage")),
            float(cross),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class IntersectionOptions(OverlapOptions):
    """How far events must overlap to be counted, and how labels are averaged."""

    average: Average = option(
        "macro", "`micro` pools the events of all labels, `macro` averages the labels' own values."
    )


def intersection_f1(options: IntersectionOptions = IntersectionOptions(), **changes: Any) -> Metric:
    """Build the F1 of events that overlap enough, whatever their exact borders.

    An output event counts when at least `detection` of it lies on reference events of its label,
    and is a false positive otherwise; a reference event is a true positive when at least `coverage`
    of it lies on output events that count. Cross-triggers are counted in the details and change no
    F1, being false positives already.

    Definition
    ----------
    Bilen, Ferroni, Tuveri, Azcarreta and Krstulovic 2020, section 2. Used with 0.7 and with 0.1 by
    Martin-Morato, Harju and Mesaros 2021, table 2. Macro as in psds_eval 0.5.3.

    Undefined
    ---------
    nan when there is neither a reference nor an output event.

    Examples
    --------
    >>> from earmark.tasks.events.values import Event
    >>> metric = intersection_f1(detection=0.5, coverage=0.5)
    >>> metric([Event("dog", 0, 2)], [Event("dog", 1, 3)]).value
    1.0

    Notes
    -----
    Higher is better; 0 to 1. 0.7 asks for good borders, 0.1 for little more than the right place.
    """
    chosen = changed(options, changes)
    criteria, cross = chosen.criteria(), chosen.cross

    def count(sides: EventSides) -> LabelCounts:
        from earmark.tasks.events.score.kernels import count_intersections

        return sides.count_by(count_intersections, criteria)

    def parts(counts: ByLabel) -> dict[str, object]:
        crossed = {} if cross is None else {"cross_triggers": counts.substituted, "cross": cross}
        return {**tallies.parts(rates.f1)(counts), **crossed}

    return Metric(
        task="events",
        name="intersection_f1",
        count=count_one(lay_out, count),
        prepare=lay_out,
        count_prepared=count,
        rate=tallies.rated(rates.f1, chosen.average),
        labels=tallies.labels_in(rates.f1, chosen.average),
        options={name: value for name, value in asdict(chosen).items() if name != "cross"},
        average=chosen.average,
        undefined="there is neither a reference nor an output event",
        parts=parts,
    )
