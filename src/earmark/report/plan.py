"""How much is enough, drawn: power and the smallest difference by number of groups."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from earmark.report.figure import Figure
from earmark.report.render import page_style, render
from earmark.report.svg import COLUMN, Scale, axes, drawing, element, joined, text
from earmark.task.task import Json
from earmark.values.answer import Ballots
from earmark.values.errors import InputError

LEFT, RIGHT = 46, 16
TOP, BOTTOM = 34, 220  # of the axes of a chart
HEIGHT = 272  # of a chart with its words; the second is below the first
# A detectable difference grows without bound towards few groups: what is above is not drawn.
STEEPEST = 4

Point = tuple[float, float]


def plan_figure(plan: Json, ballots: Ballots[Any] | None) -> Figure:
    """Return the plan of a study as a figure, with what was asked so far beside it.

    Raise InputError if plan.json, which has no digest, was edited into something else.
    """
    try:
        body = render(
            "earmark.report/plan.html",
            chart=plan_drawing(plan),
            columns=["", "planned", "so far"],
            rows=list(_rows(plan, _so_far(plan, ballots))),
        )
        return Figure("How much is enough", body, _caption(plan), wide=True)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            "a plan must be as Earmark wrote it",
            at="plan.json",
            got=f"{type(error).__name__}: {error}",
            fix="plan again: earmark plan STUDY",
        ) from error


def _so_far(plan: Json, ballots: Ballots[Any] | None) -> dict[str, str]:
    """Return what answers there are and what they cost, at the planned time and pay."""
    if ballots is None or not ballots.answers or "answers" not in plan:
        return {}
    count, recipe = len(ballots.answers), plan["made_by"]["recipe"]
    asked = len({answer.item for answer in ballots.answers})
    return {
        "answers per question": f"{count / asked:.1f}",
        "answers": f"{count:,}",
        "hours": f"{count * plan['seconds_per_answer'] / 3600:,.1f}",
        "money": f"{count * recipe['pay'] * (1 + recipe['fee']):,.2f}",
    }


def plan_picture(plan: Json) -> str:
    """Return the drawing as an SVG file that stands by itself, in light or dark."""
    style = page_style()
    light, dark = re.findall(r":root(?:\[[^]]*\])? \{(.*?)\}", style, flags=re.DOTALL)[:2]
    rules = " ".join(line for line in style.splitlines() if line.startswith("svg "))
    css = (
        f":root {{{light}}} @media (prefers-color-scheme: dark) {{:root {{{dark}}}}} "
        f"svg {{background: var(--panel); font-family: sans-serif}} {rules}"
    )
    opening, _, rest = str(plan_drawing(plan)).partition(">")
    return f"{opening}>{element('style', Markup(css))}{rest}\n"


def plan_drawing(plan: Json) -> Markup:
    """Return two charts, one below the other: power, and the smallest difference that is seen."""
    curve = [row for row in plan["curve"] if row["detectable"] is not None]
    x = Scale((0, curve[-1]["groups"]), (LEFT, COLUMN - RIGHT))
    title = f"number of {plan['unit']}s"
    charts = [_power_chart(plan, curve, x, title), _difference_chart(plan, curve, x, title)]
    return drawing(*charts, width=COLUMN, height=2 * HEIGHT, label="How much is enough")


def _power_chart(plan: Json, curve: Sequence[Json], x: Scale, title: str) -> Markup:
    y = Scale((0, 1), (BOTTOM, TOP))
    parts = [axes(x, y, x_title=title, y_title=f"power to see {plan['difference']:g}")]
    if "power_low" in curve[0]:
        edge = [(row["groups"], row["power_high"]) for row in curve]
        edge += [(row["groups"], row["power_low"]) for row in reversed(curve)]
        name = "with the lower and upper bound of the spread"
        parts.append(
            element(
                "polygon",
                element("title", name),
                points=_places(edge, x, y),
                fill="var(--accent)",
                opacity=0.15,
            )
        )
    parts.append(_line([(row["groups"], row["power"]) for row in curve], x, y))
    parts.append(_mark(plan["groups"]["value"], plan["power"], x, y, "planned", below=True))
    return joined(parts)


def _difference_chart(plan: Json, curve: Sequence[Json], x: Scale, title: str) -> Markup:
    highest = STEEPEST * plan["difference"]
    points = [(row["groups"], row["detectable"]) for row in curve if row["detectable"] <= highest]
    y = Scale((0, highest), (BOTTOM + HEIGHT, TOP + HEIGHT))
    frame = axes(x, y, x_title=title, y_title=f"smallest difference with power {plan['power']:g}")
    parts = [frame, _line(points, x, y)]
    parts.append(_mark(plan["groups"]["value"], plan["difference"], x, y, "planned"))
    present = plan["present"]["groups"]
    if plan["detectable"] is not None and plan["detectable"] <= highest:
        parts.append(_mark(present, plan["detectable"], x, y, "now"))
    return joined(parts)


def _line(points: Sequence[Point], x: Scale, y: Scale) -> Markup:
    pen = {"fill": "none", "stroke": "var(--accent)", "stroke_width": 2.2}
    return element("polyline", points=_places(points, x, y), **pen)


def _places(points: Sequence[Point], x: Scale, y: Scale) -> str:
    return " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)


def _mark(
    groups: float, value: float, x: Scale, y: Scale, word: str, *, below: bool = False
) -> Markup:
    """Return a dot on the curve with its number of groups beside it, off the curve."""
    across, down = x(groups), y(value)
    dot = element("circle", cx=across, cy=down, r=5, fill="var(--accent)")
    words = f"{word}: {groups:,}"
    beside = down + 18 if below else down - 10
    if across > COLUMN * 0.7:
        return dot + text(words, COLUMN - RIGHT, beside, text_anchor="end", class_="value")
    return dot + text(words, across + 8, beside, class_="value")


def _rows(plan: Json, spent: Mapping[str, str]) -> Iterator[list[str]]:
    yield [f"{plan['unit']}s", _between(plan["groups"]), f"{plan['present']['groups']:,}"]
    if plan["items"] != plan["groups"]:
        yield ["items", _between(plan["items"]), f"{plan['present']['items']:,}"]
    if "answers" in plan:
        per = f"{plan['answers_per_question']['value']}"
        yield ["answers per question", per, spent.get("answers per question", "–")]
        yield ["answers", _between(plan["answers"]), spent.get("answers", "–")]
        yield ["hours", _between(plan["hours"], ",.1f"), spent.get("hours", "–")]
        money = f"money, {plan['currency']}"
        yield [money, _between(plan["money"], ",.2f"), spent.get("money", "–")]


def _between(numbers: Json, form: str = ",") -> str:
    value = format(numbers["value"], form)
    if numbers["low"] is None:
        return value
    return f"{value} [{numbers['low']:{form}}, {numbers['high']:{form}}]"


def _caption(plan: Json) -> str:
    spread = plan["spread"]
    by = f" of {plan['metric']}" if plan["metric"] else ""
    against = f" against {plan['reference']}" if plan["reference"] else ""
    goal = (
        f"Planned to see a difference{by} of {plan['difference']:g}{against} with probability "
        f"{plan['power']:g} at level {plan['level']:g}, corrected for {plan['pairs']} "
        f"{'pair' if plan['pairs'] == 1 else 'pairs'} of systems."
    )
    if spread["low"] is None:
        return f"{goal} The spread of the difference, {spread['value']:g}, was stated."
    return (
        f"{goal} The spread of the difference is that of {spread['from']}; "
        "brackets, and the band, are what its 95 % interval means. What was asked so far is "
        "counted at the planned time and pay."
    )
