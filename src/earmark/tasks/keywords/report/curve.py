"""What any threshold could do, as a picture."""

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from earmark.report.figure import Figure
from earmark.report.svg import Scale, drawing, element, text
from earmark.task.view import View
from earmark.tasks.keywords.report.pairs import paired
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.keywords.score.curve import Point

BORDERS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9)
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 560, 420, 64, 48, 16


def det_curve(view: View) -> Figure | None:
    """Miss rate against false-alarm rate for every threshold, one line for each system."""
    curves = {name: found for name, found in _curves(view)}
    if not curves:
        return None
    x = Scale((_probit(BORDERS[0]), _probit(BORDERS[-1])), (LEFT, WIDTH - 12))
    y = Scale((_probit(BORDERS[0]), _probit(BORDERS[-1])), (HEIGHT - BOTTOM, TOP))
    parts = [*_axes(x, y)]
    for index, (name, (points, verdict)) in enumerate(curves.items()):
        colour = f"var(--c{index % 6 + 1})"
        parts.append(_line(points, x, y, colour))
        parts.append(_dot(verdict, x, y, colour, name))
        parts += _legend(name, index, colour)
    label = "Detection error trade-off of " + ", ".join(curves)
    return Figure(
        "What any threshold could do",
        drawing(*parts, width=WIDTH, height=HEIGHT, label=label),
        "Detection error trade-off, speakers averaged, on normal-deviate axes: towards the lower "
        "left is better. The dot is where the system's own decisions lie. Where a line meets the "
        "edge, fewer errors of that kind could not be told apart with this many trials.",
    )


def _curves(view: View) -> Iterator[tuple[str, tuple[list["Point"], tuple[float, float]]]]:
    from earmark.tasks.keywords.score.curve import det_points

    for name, pairs in paired(view):
        try:
            points = det_points(pairs)
        except InputError:
            continue
        yield name, (points, _rates(pairs))


def _rates(pairs: Sequence[tuple[Trial, Verdict]]) -> tuple[float, float]:
    """Miss and false-alarm rate of the decisions, speakers averaged."""
    from earmark.tasks.keywords.score.tallies import count_trial

    counts = [count_trial(trial, verdict) for trial, verdict in pairs]
    tallies = list(sum(counts[1:], counts[0]).speakers.values())
    size = len(tallies)
    return (
        math.fsum(t.miss_rate for t in tallies) / size,
        math.fsum(t.false_alarm_rate for t in tallies) / size,
    )


def _probit(share: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(min(max(share, BORDERS[0]), BORDERS[-1]))


def _axes(x: Scale, y: Scale) -> Iterator[str]:
    for share in BORDERS:
        at = _probit(share)
        told = f"{share:.1%}" if share < 0.01 else f"{share:.0%}"
        yield element("line", x1=x(at), x2=x(at), y1=TOP, y2=HEIGHT - BOTTOM, stroke="var(--faint)")
        yield element("line", x1=LEFT, x2=WIDTH - 12, y1=y(at), y2=y(at), stroke="var(--faint)")
        yield text(told, x(at), HEIGHT - BOTTOM + 16, text_anchor="middle", font_size=11)
        yield text(told, LEFT - 6, y(at) + 4, text_anchor="end", font_size=11)
    middle = (LEFT + WIDTH) / 2
    yield text("false-alarm rate", middle, HEIGHT - 10, text_anchor="middle", font_size=12)
    up = HEIGHT / 2
    yield text(
        "miss rate", 14, up, text_anchor="middle", font_size=12, transform=f"rotate(-90 14 {up})"
    )


def _line(points: Sequence["Point"], x: Scale, y: Scale, colour: str) -> str:
    places = [(x(_probit(p.false_alarm_rate)), y(_probit(p.miss_rate))) for p in points]
    steps = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    return element("polyline", points=steps, fill="none", stroke=colour, stroke_width=2)


def _dot(rates: tuple[float, float], x: Scale, y: Scale, colour: str, name: str) -> str:
    miss, alarm = rates
    told = f"{name}: miss rate {miss:.1%}, false-alarm rate {alarm:.1%}"
    title = element("title", escape(told))
    return element("circle", title, cx=x(_probit(alarm)), cy=y(_probit(miss)), r=5, fill=colour)


def _legend(name: str, index: int, colour: str) -> list[str]:
    at = TOP + 16 + 18 * index
    return [
        element("rect", x=WIDTH - 130, y=at - 9, width=12, height=4, fill=colour),
        text(name, WIDTH - 112, at - 3, font_size=12),
    ]
