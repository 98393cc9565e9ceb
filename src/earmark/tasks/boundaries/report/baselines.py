"""Systems, people and trivial systems on one scale."""

from earmark.report.charts import IntervalRow, interval_chart
from earmark.report.figure import Figure
from earmark.report.tables import digits, table
from earmark.task.view import View
from earmark.tasks.boundaries.report.sides import Sides, sides_of
from earmark.tasks.boundaries.score.agreement_metrics import agreement_ratio
from earmark.tasks.boundaries.score.window_metrics import window_f1
from earmark.tasks.boundaries.score.word_metrics import mean_f1
from earmark.tasks.boundaries.survey import human_ceiling, trivial_outputs, value_of


def draw_baselines(view: View) -> Figure | None:
    """Return window F1 of systems, of people against the others, and of trivial systems."""
    sides = sides_of(view)
    if sides is None or not sides.systems:
        return None
    metric, plain = window_f1(), mean_f1()
    outputs = {**sides.systems, **trivial_outputs(sides.reference)}
    windowed = {name: value_of(metric, sides.reference, own) for name, own in outputs.items()}
    rows = [IntervalRow(name, value) for name, value in windowed.items()]
    rows += [
        IntervalRow(person, value, human=True)
        for person, value in human_ceiling(metric, sides.reference).items()
    ]
    defined = [row for row in rows if row.value == row.value]
    chart = interval_chart(
        sorted(defined, key=lambda row: -row.value),
        x_title="window F1",
        label="window F1 of systems, people and trivial systems",
    )
    cells = [
        [name, digits(value), digits(value_of(plain, sides.reference, outputs[name]))]
        for name, value in windowed.items()
    ]
    return Figure(
        "Systems, people, and trivial systems",
        chart + table(["system", "window F1", "mean F1"], cells),
        caption=(
            f"Against {sides.name}, limit 2, the end of the talk not counted. Hollow marks are "
            "people, each against the others: a ceiling. A system below the trivial ones has "
            f"learned nothing. The people's agreement ratio is {_agreement(sides)}; WiSeBE is "
            "window F1 times that."
        ),
    )


def _agreement(sides: Sides) -> str:
    # the agreement of the panel does not depend on the system; the metric only needs one
    any_system = next(iter(sides.systems.values()))
    return digits(value_of(agreement_ratio(), sides.reference, any_system))
