"""Systems, people and trivial systems on one scale."""

from earmark.report import tables
from earmark.report.figure import Figure
from earmark.report.svg import interval_chart
from earmark.task.view import View
from earmark.tasks.boundaries.report.held import held_reference, system_outputs
from earmark.tasks.boundaries.score.panel_metrics import agreement_ratio
from earmark.tasks.boundaries.score.window_metrics import window_f1
from earmark.tasks.boundaries.score.word_metrics import mean_f1
from earmark.tasks.boundaries.survey import human_ceiling, trivial_outputs, value_of


def draw_sanity(view: View) -> Figure | None:
    """Window F1 of systems, of people against the others, and of systems that know nothing."""
    held = held_reference(view)
    if held is None:
        return None
    name, references = held
    systems = system_outputs(view, set(references))
    if not systems:
        return None
    metric, plain = window_f1(), mean_f1()
    people = human_ceiling(metric, references)
    trivial = trivial_outputs(references)
    rows = [(n, value_of(metric, references, o), False) for n, o in systems.items()]
    rows += [(person, value, True) for person, value in people.items()]
    rows += [(n, value_of(metric, references, o), False) for n, o in trivial.items()]
    drawn = sorted((row for row in rows if row[1] == row[1]), key=lambda row: -row[1])
    chart = interval_chart(
        [(n, value, None, None, human) for n, value, human in drawn],
        x_title="window F1",
        label="window F1 of systems, people and trivial systems",
    )
    agreement = value_of(agreement_ratio(), references, next(iter(systems.values())))
    cells = [
        [n, _shown(value_of(metric, references, o)), _shown(value_of(plain, references, o))]
        for n, o in {**systems, **trivial}.items()
    ]
    return Figure(
        "Systems, people, and systems that know nothing",
        chart + tables.html(["system", "window F1", "mean F1"], cells),
        caption=(
            f"Against {name}, limit 2, the end of the talk not counted. Hollow marks are people, "
            "each against the others: a ceiling. A system below the trivial rows has learned "
            f"nothing. The people agree to {_shown(agreement)} (agreement ratio), by which WiSeBE "
            "scales window F1."
        ),
    )


def _shown(value: float) -> str:
    return f"{value:.3f}" if value == value else "–"
