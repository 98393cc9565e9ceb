"""The score over the window limit, to see whether the ranking holds."""

import math

from earmark.report.figure import Figure
from earmark.report.svg import curve_chart
from earmark.task.view import View
from earmark.tasks.boundaries.report.held import held_reference, system_outputs
from earmark.tasks.boundaries.survey import limit_curve, trivial_outputs


def draw_curve(view: View) -> Figure | None:
    """F1 on windows at every limit, for systems and for the trivial ones."""
    held = held_reference(view)
    if held is None:
        return None
    systems = system_outputs(view, set(held[1]))
    if not systems:
        return None
    trivial = trivial_outputs(held[1])
    blind = next(name for name in trivial if name.endswith("words"))
    shown = {**systems, "every word": trivial["every word"], blind: trivial[blind]}
    curves = {
        name: [(float(at), value) for at, value in limit_curve(held[1], outputs) if value == value]
        for name, outputs in shown.items()
    }
    drawn = {name: line for name, line in curves.items() if line}
    top = max((value for line in drawn.values() for _, value in line), default=1.0)
    return Figure(
        "Score over the window limit",
        curve_chart(
            drawn,
            x_title="limit (words between neighbours of a window)",
            y_title="window F1",
            label="window F1 over the limit",
            y_range=(0.0, math.ceil(top * 10) / 10 or 1.0),
        ),
        caption=(
            f"Against {held[0]}. The paper used limit 2, the authors' tool 3. Wider windows "
            "forgive more, also to systems that know nothing; where lines cross, the ranking is "
            "a matter of the limit."
        ),
    )
