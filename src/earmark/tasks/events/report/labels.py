"""Scores label by label, and the PSD-ROC."""

from earmark.report.charts import curve_chart
from earmark.report.figure import Figure
from earmark.report.tables import table
from earmark.task.view import View

MOST_FALSE_ALARMS = 100.0  # per hour; where PSDS of both DCASE scenarios ends (max_rate)


def draw_labels(view: View) -> Figure | None:
    """Return segment F1 of every label and system, against the reference that was scored first."""
    scores = [row for row in view.scores() if "segment_f1" in row["details"]]
    if not scores:
        return None
    reference = scores[0]["reference"]
    scores = [row for row in scores if row["reference"] == reference]
    by_label = {row["system"]: row["details"]["segment_f1"]["by_label"] for row in scores}
    labels = sorted({label for values in by_label.values() for label in values})
    rows = [
        [label.replace("_", " "), *(_cell(values.get(label)) for values in by_label.values())]
        for label in labels
    ]
    errors = [row["details"].get("segment_error_rate", {}) for row in scores]
    for name in ("substitutions", "deletions", "insertions"):
        rows.append([name, *(_cell(parts.get(name)) for parts in errors)])
    return Figure(
        f"Label by label, against {reference}",
        table(["label", *by_label], rows),
        caption=(
            "F1 in segments of one second (↑ higher is better); the last three rows are the parts "
            "of the error rate (↓ lower is better)."
        ),
        wide=True,
    )


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float | int) else "–"


def draw_psd_roc(view: View) -> Figure | None:
    """Return the true positive rate over false alarms per hour, of systems with frame scores."""
    truth = view.truth()
    if truth is None:
        return None
    from earmark.tasks.events.score.psds import psd_curve, psds

    curves = {}
    for name, outputs in view.outputs().items():
        values = {item: output.value for item, output in outputs.items()}
        if set(values) == set(truth.values) and all(value.scores for value in values.values()):
            roc = psd_curve(psds(spread_weight=0.0), truth.values, values)
            curves[name] = _stairs(roc.rate.tolist(), roc.recall.tolist())
    if not curves:
        return None
    body = curve_chart(
        curves,
        x_title="false alarms per hour",
        y_title="true positive rate",
        label="PSD-ROC",
        x_range=(0.0, MOST_FALSE_ALARMS),
        y_range=(0.0, 1.0),
    )
    return Figure(
        "PSD-ROC, scenario 1",
        body,
        caption=(
            "Mean over labels. PSDS is the area under it after one standard deviation over labels "
            "is subtracted."
        ),
    )


def _stairs(rates: list[float], heights: list[float]) -> list[tuple[float, float]]:
    """Return the corners of a curve that keeps each height until the next rate."""
    points: list[tuple[float, float]] = []
    ends = [*rates[1:], MOST_FALSE_ALARMS]
    for rate, end, height in zip(rates, ends, heights, strict=True):
        points += [(rate, height), (end, height)]
    return points
