"""Whether the metrics agree: their correlation over texts and systems."""

from collections.abc import Callable

from earmark.report.figure import Figure
from earmark.report.metric_names import MetricNames
from earmark.report.tables import digits, table
from earmark.score.metric import Metric
from earmark.task.view import View
from earmark.tasks.boundaries.report.sides import sides_of
from earmark.tasks.boundaries.score.segment_metrics import boundary_similarity, pk, window_diff
from earmark.tasks.boundaries.score.soft_metrics import soft_f1
from earmark.tasks.boundaries.score.window_metrics import window_f1, wisebe
from earmark.tasks.boundaries.score.word_metrics import mean_f1
from earmark.tasks.boundaries.survey import metric_correlations

# one metric of each family; precision, recall and variants would only widen the table
METRICS: dict[str, Callable[..., Metric]] = {
    "wisebe": wisebe,
    "window_f1": window_f1,
    "mean_f1": mean_f1,
    "soft_f1": soft_f1,
    "boundary_similarity": boundary_similarity,
    "pk": pk,
    "window_diff": window_diff,
}
FEWEST_POINTS = 6  # below, a correlation is noise; chosen by hand, not tuned


def draw_correlations(view: View) -> Figure | None:
    """Return a table of correlations, or None with too few texts and systems for any."""
    sides = sides_of(view)
    if sides is None:
        return None
    points = len(sides.systems) * len(sides.reference)
    if points < FEWEST_POINTS:
        return None
    metrics = {name: build() for name, build in METRICS.items()}
    correlations = metric_correlations(metrics, sides.reference, sides.systems)
    names = MetricNames(view.task)
    rows = [
        [names[metric].title, *(digits(value, 2) for value in row.values())]
        for metric, row in correlations.items()
    ]
    return Figure(
        "Do the metrics agree?",
        table(["", *(names[metric].title for metric in correlations)], rows),
        wide=True,
        caption=(
            f"Pearson's correlation between metrics over {points} points, each one text of one "
            "system. Metrics where lower is better are negated."
        ),
    )
