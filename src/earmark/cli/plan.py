"""earmark plan."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from earmark.cli.commands import Offer, command, study_argument
from earmark.cli.terminal import Terminal
from earmark.task.options import fields_of
from earmark.task.task import Json
from earmark.values.names import counted

ROWS = 5  # of the curve, on a terminal


def run_plan(terminal: Terminal, values: dict[str, Any], options: dict[str, Any]) -> None:
    """Say how much is enough, and draw it."""
    from earmark.study import Study

    study = Study.open(values["study"], seed=values["seed"])
    result = study.plan(**options)
    if values["picture"]:
        from earmark.files.folder import write_file
        from earmark.report.plan import plan_picture

        write_file(values["picture"], plan_picture(result))
    terminal.result(result, lambda: _lines(result))


def _lines(result: Json) -> Iterator[str]:
    unit, spread = result["unit"], result["spread"]
    by = f" in {result['metric']}" if result["metric"] else ""
    systems = counted(result["systems"], "system")
    yield (
        f"to see a difference of {result['difference']:g}{by} with probability "
        f"{result['power']:g} at level {result['level']:g}, among {systems}:"
    )
    rows = [(f"{unit}s", _between(result["groups"]))]
    if result["items"] != result["groups"]:
        rows.append(("items", _between(result["items"])))
    if "answers" in result:
        per = result["answers_per_question"]
        rows.append(("answers", _between(result["answers"])))
        rows.append(("", f"{per['value']} per question, {per['from']}"))
        rows.append(("hours", _between(result["hours"], ",.1f")))
        rows.append(("money", f"{_between(result['money'], ',.2f')} {result['currency']}"))
    yield from (f"  {name:<12} {words}" for name, words in rows)
    yield from _basis(result, spread)
    for row in result.get("answers_per_question", {}).get("agreement", []):
        value = "no reference" if row["value"] is None else f"{row['value']:.3f}"
        yield f"  {counted(row['answers'], 'answer'):<12} {value}"
    yield f"  {unit + 's':<12} power  smallest difference seen"
    for row in _some(result["curve"], result["groups"]["value"]):
        smallest = "none" if row["detectable"] is None else f"{row['detectable']:.3f}"
        yield f"  {row['groups']:<12} {row['power']:.2f}   {smallest}"


def _basis(result: Json, spread: Json) -> Iterator[str]:
    """Yield where the numbers come from, and what the present material can show."""
    if spread["low"] is None:
        yield f"from a spread of {spread['value']:g}, as stated"
    else:
        interval = f"{spread['low']:.3g} to {spread['high']:.3g}"
        yield f"from a spread of {spread['value']:.3g} ({interval}): {spread['from']}"
    present = counted(result["present"]["groups"], result["unit"])
    smallest = result["detectable"]
    if smallest is None:
        yield f"{present}, as there are now, can show no difference at all"
    else:
        yield f"{present}, as there are now, show a difference of {smallest:.3f} or more"
    per = result.get("answers_per_question", {})
    if "agreement" in per:
        yield f"agreement of references with {per['compared_with']}, by {per['metric']}:"


def _between(numbers: Json, form: str = ",") -> str:
    """Return a number, and between which it lies where it was estimated."""
    value = format(numbers["value"], form)
    if numbers["low"] is None:
        return value
    return f"about {value}, between {numbers['low']:{form}} and {numbers['high']:{form}}"


def _some(curve: list[Json], needed: int) -> list[Json]:
    """Return a few rows of the curve, the planned number among them."""
    step = max(1, len(curve) // ROWS)
    return [
        row
        for place, row in enumerate(curve)
        if place % step == step - 1 or row["groups"] == needed
    ]


def offer(words: list[str]) -> Offer:
    """Return the options of planning."""
    from earmark.study.plan import PlanOptions

    return Offer("planning", fields_of(PlanOptions))


plan = command(
    "plan",
    "Before you spend: how much material, how many answers, hours and how much money show the "
    "difference that you want to see. The spread comes from a pilot, a study with outputs of "
    "systems and a reference, or is stated.",
    "earmark plan street --difference 0.05 --power 0.8\n"
    "earmark plan street --difference 0.05 --spread 0.15 --systems 4 --picture plan.svg\n"
    "earmark plan street --agreement 0.9",
    params=[
        study_argument(),
        click.Option(
            ["--picture"],
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Draw power and the smallest difference by number of items, as SVG.",
        ),
    ],
    handler=run_plan,
    offer=offer,
)
