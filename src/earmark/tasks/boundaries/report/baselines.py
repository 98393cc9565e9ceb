"""Systems, people and trivial systems on one scale."""

from collections.abc import Mapping

from earmark.report.figure import Figure
from earmark.report.intervals import IntervalRow, interval_chart
from earmark.report.render import render
from earmark.report.tables import digits
from earmark.stats.rates import mean_defined
from earmark.task.view import View
from earmark.tasks.boundaries.report.sides import Sides, sides_of
from earmark.tasks.boundaries.score.agreement_metrics import agreement_ratio
from earmark.tasks.boundaries.score.window_metrics import window_f1
from earmark.tasks.boundaries.score.word_metrics import mean_f1
from earmark.tasks.boundaries.survey import (
    beside_people,
    human_ceiling,
    trivial_outputs,
    value_of,
)
from earmark.tasks.boundaries.values import Boundaries


def draw_baselines(view: View) -> Figure | None:
    """Return window F1 of systems, of people against the others, and of trivial systems."""
    sides = sides_of(view)
    if sides is None or not sides.systems:
        return None
    metric, plain = window_f1(), mean_f1()
    outputs = {**sides.systems, **trivial_outputs(sides.reference)}
    people = human_ceiling(metric, sides.reference)
    rows = [IntervalRow(person, value, kind="people") for person, value in people.items()]
    rows += [IntervalRow(name, _on_scale(sides, own)) for name, own in outputs.items()]
    defined = [row for row in rows if row.value == row.value]
    chart = interval_chart(
        sorted(defined, key=lambda row: -row.value),
        x_title="window F1 (higher is better)",
        label="window F1 of systems, people and trivial systems",
    )
    cells = [
        [name, *(digits(value_of(one, sides.reference, own)) for one in (metric, plain))]
        for name, own in outputs.items()
    ]
    scale = (
        "Hollow marks are people, each against the others; systems are scored against the same "
        "panels, each time without one person, and their mean is drawn. The table has the whole "
        "panel. "
    )
    return Figure(
        "Systems, people, and trivial systems",
        render(
            "earmark.report/beside.html",
            chart=chart,
            columns=["system", "window F1 ↑", "mean F1 ↑"],
            rows=cells,
        ),
        caption=(
            f"Against {sides.name}, limit 2, the end of the talk not counted. "
            f"{scale if people else ''}A system below the trivial ones has learned nothing. "
            f"The people's agreement ratio is {_agreement(sides)}; WiSeBE is window F1 times that."
        ),
        wide=True,
    )


def _on_scale(sides: Sides, outputs: Mapping[str, Boundaries]) -> float:
    """Return window F1 on the people's scale: its mean over the panels without each of them."""
    values = beside_people(window_f1(), sides.reference, outputs).values()
    return mean_defined(values) if values else value_of(window_f1(), sides.reference, outputs)


def _agreement(sides: Sides) -> str:
    # the agreement of the panel does not depend on the system; the metric only needs one
    any_system = next(iter(sides.systems.values()))
    return digits(value_of(agreement_ratio(), sides.reference, any_system))
