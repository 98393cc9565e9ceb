"""Scores label by label, and the PSD-ROC."""

from earmark.report import tables
from earmark.report.figure import Figure
from earmark.report.svg import curve_chart
from earmark.task.view import View


def by_label(view: View) -> Figure | None:
    """Segment F1 of every label and system, against the reference that was scored first."""
    rows = [row for row in view.scores() if not row["human"] and "segment_f1" in row["details"]]
    if not rows:
        return None
    reference = rows[0]["reference"]
    rows = [row for row in rows if row["reference"] == reference]
    values = {row["system"]: row["details"]["segment_f1"]["by_label"] for row in rows}
    labels = sorted({label for told in values.values() for label in told})
    table = [
        [label.replace("_", " "), *(_cell(told.get(label)) for told in values.values())]
        for label in labels
    ]
    error = [row["details"].get("segment_error_rate", {}) for row in rows]
    for name in ("substitutions", "deletions", "insertions"):
        table.append([name, *(_cell(told.get(name)) for told in error)])
    body = tables.html(["label", *values], table)
    return Figure(
        f"Label by label, against {reference}",
        f'<div class="scroll">{body}</div>',
        caption="F1 in segments of a second; the last three rows are the parts of the error rate.",
        wide=True,
    )


def _cell(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float | int) else "–"


def psd_roc(view: View) -> Figure | None:
    """Found events against false alarms an hour, for systems that gave frame scores."""
    truth = view.truth()
    if truth is None:
        return None
    from earmark.tasks.events.score.psds import psd_curve, psds

    curves = {}
    for name, outputs in view.outputs().items():
        values = {item: output.value for item, output in outputs.items()}
        if set(values) == set(truth.values) and all(v.scores for v in values.values()):
            found = psd_curve(psds(spread_weight=0.0), truth.values, values)
            curves[name] = _stairs(found.rate.tolist(), found.found.tolist(), 100.0)
    if not curves:
        return None
    body = curve_chart(
        curves,
        x_title="false alarms an hour",
        y_title="share of events found",
        label="PSD-ROC",
        x_range=(0.0, 100.0),
        y_range=(0.0, 1.0),
    )
    return Figure(
        "PSD-ROC, scenario 1",
        body,
        caption="Mean over labels. PSDS is the area under it after one deviation is taken off.",
    )


def _stairs(rates: list[float], found: list[float], end: float) -> list[tuple[float, float]]:
    points: list[tuple[float, float]] = []
    for k, (rate, value) in enumerate(zip(rates, found, strict=True)):
        after = rates[k + 1] if k + 1 < len(rates) else end
        points += [(rate, value), (after, value)]
    return points
