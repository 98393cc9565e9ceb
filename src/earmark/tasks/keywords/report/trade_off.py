"""What other thresholds would do: the detection error trade-off (DET)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from markupsafe import Markup

from earmark.report.figure import Figure
from earmark.report.svg import COLUMN, Scale, colour, drawing, element, legend, text
from earmark.task.view import View
from earmark.tasks.keywords.report.pairs import Outputs, pairs_by_system
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.errors import InputError
from earmark.values.reference import Reference

if TYPE_CHECKING:
    from earmark.tasks.keywords.score.curve import Point

LOWEST, HIGHEST = 0.005, 0.9  # ends of both axes: a normal deviate has no place for 0 and 1
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9)
HEIGHT, LEFT, RIGHT, BOTTOM, TOP = 360, 46, 12, 48, 32


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """The error rates of a system's own decisions."""

    miss: float
    false_alarm: float


@dataclass(frozen=True, slots=True)
class TradeOff:
    """A system's error rates at every threshold, and those of its own decisions."""

    points: list["Point"]
    decided: ErrorRates


def draw_trade_off(view: View) -> Figure | None:
    """Return miss rate against false-alarm rate for every threshold, one line per system."""
    curves = dict(_trade_offs(view.truth(), view.outputs()))
    if not curves:
        return None
    ends = (_probit(LOWEST), _probit(HIGHEST))
    x, y = Scale(ends, (LEFT, COLUMN - RIGHT)), Scale(ends, (HEIGHT - BOTTOM, TOP))
    parts = [*_axes(x, y)]
    for index, (name, curve) in enumerate(curves.items()):
        parts.append(_line(curve.points, x, y, colour(index)))
        parts.append(_dot(curve.decided, x, y, colour(index), name))
    label = "Detection error trade-off of " + ", ".join(curves)
    return Figure(
        "What any threshold could do",
        drawing(*parts, width=COLUMN, height=HEIGHT, label=label) + legend(list(curves)),
        "Detection error trade-off, mean over speakers, on normal-deviate axes: lower left is "
        "better. The dot is the system's own decisions. Where a line meets the edge, there are "
        "too few trials to measure lower rates.",
    )


def _trade_offs(truth: Reference[Trial] | None, outputs: Outputs) -> Iterator[tuple[str, TradeOff]]:
    from earmark.tasks.keywords.score.curve import det_points

    for name, pairs in pairs_by_system(truth, outputs):
        try:
            points = det_points(pairs)
        except InputError:  # decisions without scores have no thresholds
            continue
        yield name, TradeOff(points, _error_rates(pairs))


def _error_rates(pairs: Sequence[tuple[Trial, Verdict]]) -> ErrorRates:
    """Return the mean over speakers of both error rates."""
    from earmark.tasks.keywords.score.tallies import count_trial

    counts = [count_trial(trial, verdict) for trial, verdict in pairs]
    tallies = list(sum(counts[1:], counts[0]).speakers.values())
    return ErrorRates(
        math.fsum(tally.miss_rate for tally in tallies) / len(tallies),
        math.fsum(tally.false_alarm_rate for tally in tallies) / len(tallies),
    )


def _probit(rate: float) -> float:
    return NormalDist().inv_cdf(min(max(rate, LOWEST), HIGHEST))


def _axes(x: Scale, y: Scale) -> Iterator[Markup]:
    (left, right), (bottom, top) = x.places, y.places
    for rate in TICKS:
        across, up, label = x(_probit(rate)), y(_probit(rate)), f"{100 * rate:g}"
        yield element("line", x1=across, x2=across, y1=top, y2=bottom, class_="grid")
        yield element("line", x1=left, x2=right, y1=up, y2=up, class_="grid")
        yield text(label, across, bottom + 18, class_="tick", text_anchor="middle")
        yield text(label, left - 8, up + 4, class_="tick", text_anchor="end")
    middle = (left + right) / 2
    yield text("false-alarm rate (%)", middle, HEIGHT - 8, class_="axis", text_anchor="middle")
    yield text("miss rate (%)", 4, top - 12, class_="axis")


def _line(points: Sequence["Point"], x: Scale, y: Scale, stroke: str) -> Markup:
    corners = [(x(_probit(p.false_alarm_rate)), y(_probit(p.miss_rate))) for p in points]
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    return element("polyline", points=path, fill="none", stroke=stroke, stroke_width=2)


def _dot(rates: ErrorRates, x: Scale, y: Scale, fill: str, name: str) -> Markup:
    hint = f"{name}: miss rate {rates.miss:.1%}, false-alarm rate {rates.false_alarm:.1%}"
    centre = {"cx": x(_probit(rates.false_alarm)), "cy": y(_probit(rates.miss))}
    return element("circle", element("title", hint), **centre, r=5, fill=fill)
