"""Whether the metrics say the same: their correlation over texts and systems."""

from collections.abc import Callable

from earmark.report import tables
from earmark.report.figure import Figure
from earmark.score.metric import Metric
from earmark.task.view import View
from earmark.tasks.boundaries.report.held import held_reference, system_outputs
from earmark.tasks.boundaries.score.segment_metrics import boundary_similarity, pk, window_diff
from earmark.tasks.boundaries.score.soft_metrics import soft_f1
from earmark.tasks.boundaries.score.window_metrics import window_f1, wisebe
from earmark.tasks.boundaries.score.word_metrics import mean_f1
from earmark.tasks.boundaries.survey import metric_correlations

SHOWN: dict[str, Callable[..., Metric]] = {
    "wisebe": wisebe,
    "window_f1": window_f1,
    "mean_f1": mean_f1,
    "soft_f1": soft_f1,
    "boundary_similarity": boundary_similarity,
    "pk": pk,
    "window_diff": window_diff,
}
FEWEST = 6


def draw_correlations(view: View) -> Figure | None:
    """A table of correlations, where there are texts and systems enough to speak of them."""
    held = held_reference(view)
    if held is None:
        return None
    systems = system_outputs(view, set(held[1]))
    points = len(systems) * len(held[1])
    if points < FEWEST:
        return None
    metrics = {name: build() for name, build in SHOWN.items()}
    found = metric_correlations(metrics, held[1], systems)
    rows = [
        [one, *(f"{value:.2f}" if value == value else "–" for value in found[one].values())]
        for one in found
    ]
    return Figure(
        "Do the metrics say the same?",
        tables.html(["", *found], rows),
        wide=True,
        caption=(
            f"Pearson's correlation between metrics over {points} points, each one text of one "
            "system. Metrics where less is better are turned round."
        ),
    )
