"""The score over the window limit, to see whether the ranking holds."""

import math

from earmark.report.charts import curve_chart
from earmark.report.figure import Figure
from earmark.task.view import View
from earmark.tasks.boundaries.report.sides import sides_of
from earmark.tasks.boundaries.survey import limit_curve, trivial_outputs


def draw_limits(view: View) -> Figure | None:
    """Return window F1 at every limit, for systems and for trivial ones."""
    sides = sides_of(view)
    if sides is None or not sides.systems:
        return None
    # of the trivial systems those two that score above 0: at every word, at every so many
    trivial = trivial_outputs(sides.reference)
    spaced = next(name for name in trivial if name.endswith("words"))
    systems = {**sides.systems, **{name: trivial[name] for name in ("every word", spaced)}}
    curves = {
        name: [
            (limit, value)
            for limit, value in limit_curve(sides.reference, outputs)
            if value == value
        ]
        for name, outputs in systems.items()
    }
    curves = {name: points for name, points in curves.items() if points}
    highest = max((value for points in curves.values() for _, value in points), default=1.0)
    return Figure(
        "Score over the window limit",
        curve_chart(
            curves,
            x_title="limit (words between neighbours of a window)",
            y_title="window F1 (higher is better)",
            label="window F1 over the limit",
            y_range=(0.0, math.ceil(highest * 10) / 10 or 1.0),
        ),
        caption=(
            f"Against {sides.name}. The paper used limit 2, the authors' tool 3. Wider windows "
            "forgive more, trivial systems too; where lines cross, the ranking depends on the "
            "limit."
        ),
    )
