"""Intersection-based F1: output and reference events that overlap enough."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from earmark.score.metric import Metric
from earmark.stats import rates
from earmark.task.options import takes
from earmark.tasks.events.score import tallies
from earmark.tasks.events.score.segments import CountAll, counter
from earmark.tasks.events.score.tallies import Average, ByLabel
from earmark.values import checks

NEVER = 2.0
Criteria = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapOptions:
    """How far events must overlap.

    Parameters
    ----------
    detection
        Share of an output event that must be right (the paper's DTC), 0 < x <= 1.
    coverage
        Share of a reference event that must be covered (GTC), 0 < x <= 1.
    cross
        Share of a made-up event that must lie on another label to be called a cross-trigger
        (CTTC).
    """

    detection: float = 0.7
    coverage: float = 0.7
    cross: float | None = None

    def criteria(self) -> Criteria:
        """The three shares, checked; without `cross` the last is never reached."""
        cross = NEVER if self.cross is None else checks.within(self.cross, 1e-6, 1, what="cross")
        return (
            float(checks.within(self.detection, 1e-6, 1, what="detection")),
            float(checks.within(self.coverage, 1e-6, 1, what="coverage")),
            float(cross),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class IntersectionOptions(OverlapOptions):
    """How far events must overlap to be counted, and how labels are averaged.

    Parameters
    ----------
    average
        `micro` pools the events of all labels, `macro` averages the labels' own values.
    """

    average: Average = "macro"


@takes(IntersectionOptions)
def intersection_f1(options: IntersectionOptions) -> Metric:
    """F1 of events that overlap enough, whatever their exact borders.

    An output event counts when at least `detection` of it lies on reference events of its label,
    and is made up otherwise; a reference event is found when at least `coverage` of it lies on
    output events that count. Cross-triggers are counted in the details and change no F1, being made
    up already.

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
    cross, together = options.cross, _count_all(options.criteria())
    rate = tallies.rated(rates.f1, options.average)

    def parts(counts: ByLabel) -> dict[str, object]:
        crossed = {} if cross is None else {"cross_triggers": counts.substituted, "cross": cross}
        return {**tallies.parts(rates.f1)(counts), **crossed}

    return Metric(
        task="events",
        name="intersection_f1",
        count=counter(together),
        count_all=together,
        rate=rate,
        options={name: value for name, value in asdict(options).items() if name != "cross"},
        average=options.average,
        undefined="there is neither a reference nor an output event",
        parts=parts,
        rate_resamples=tallies.resampler(rate),
    )


def _count_all(criteria: Criteria) -> CountAll:
    def count(references: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, ByLabel]:
        from earmark.tasks.events.score.flat import flat
        from earmark.tasks.events.score.kernels import count_intersections

        laid = flat(references, outputs)
        if not laid.labels:
            return {item: ByLabel() for item in laid.items}
        table, crossed = count_intersections(
            laid.reference, laid.output, len(laid.labels), criteria
        )
        return laid.tallies(table, crossed)

    return count
