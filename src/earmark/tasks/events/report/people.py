"""Competence of people (the paper's Fig. 2), agreement, and activity counts (its Fig. 3)."""

from earmark.report.figure import Figure
from earmark.report.svg import Scale, axes, curve_chart, drawing, element, histogram, legend, text
from earmark.task.view import View
from earmark.tasks.events.values import Timeline
from earmark.values.reference import Reference

THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
PREFERRED = ("mace", "trusted", "window-hmm", "dawid-skene")


def with_people(view: View) -> Reference[Timeline] | None:
    """The reference whose people's competence is shown: MACE's when it is there."""
    found = {name: ref for name, ref in view.references().items() if ref.people}
    names = [name for name in PREFERRED if name in found] or list(found)
    return found[names[0]] if names else None


def competence(view: View) -> Figure | None:
    """How many people have which competence."""
    reference = with_people(view)
    if reference is None:
        return None
    values = list(reference.people.values())
    over = sum(value > 0.6 for value in values)
    body = histogram(
        values,
        bins=20,
        bounds=(0.0, 1.0),
        x_title=f"competence by {reference.name}",
        label="Histogram of competence",
    )
    return Figure(
        "People's competence",
        body,
        caption=f"{over} of {len(values)} people lie above 0.6. Those near 0 answer at random.",
    )


def agreement(view: View) -> Figure | None:
    """Krippendorff's alpha of those who remain when a competence is asked for."""
    reference, ballots = with_people(view), view.ballots()
    if reference is None or ballots is None or not ballots.answers:
        return None
    import numpy as np

    from earmark.reconcile.competence import alpha_by_trust
    from earmark.tasks.events.gather import gather

    sheet = gather(ballots)
    trust = np.array([reference.people.get(person, 0.0) for person in sheet.people])
    rows = alpha_by_trust(sheet.pairs(), trust, (-1.0, *THRESHOLDS))
    points = [(max(0.0, row.threshold), row.alpha) for row in rows if row.alpha == row.alpha]
    if not points:
        return None
    body = curve_chart(
        {"alpha": points},
        x_title="only people above this competence",
        y_title="Krippendorff's alpha",
        label="Agreement by competence",
        y_range=(0.0, 1.0),
    )
    return Figure(
        "Agreement among those who are trusted",
        body,
        caption=f"{points[0][1]:.2f} among all; yes/no answers to (window, label) pairs.",
    )


def activity_counts(view: View) -> Figure | None:
    """Share of the opinions about each second that say yes, for the label most heard."""
    ballots = view.ballots()
    if ballots is None or not ballots.answers:
        return None
    import numpy as np

    from earmark.tasks.events.gather import gather
    from earmark.tasks.events.sheet import activity

    sheet = gather(ballots)
    cells = sheet.cell_starts()
    shares = np.nan_to_num(activity(sheet, *sheet.votes())[: cells[1]])
    label = int(np.argmax(shares.sum(axis=0)))
    truth = view.truth()
    line = truth.values.get(sheet.recordings[0]) if truth else None
    name = sheet.labels[label]
    spans = [(e.onset, e.offset) for e in line.events if e.label == name] if line else []
    body = _counts(shares[:, label].tolist(), sheet.hop, spans)
    return Figure(
        f"Opinions about {name.replace('_', ' ')} in {sheet.recordings[0]}",
        body + legend(["share that says yes", "truth"] if spans else ["share that says yes"]),
        caption="All opinions available for a second, stacked; the line is the 80 % threshold.",
        wide=True,
    )


def _counts(shares: list[float], hop: float, spans: list[tuple[float, float]]) -> str:
    x = Scale((0.0, len(shares) * hop), (56.0, 944.0))
    y = Scale((0.0, 1.0), (196.0, 28.0))
    wide = x(hop) - x(0.0)
    bars = [
        element(
            "rect", x=x(k * hop), y=y(v), width=max(0.5, wide - 0.6), height=y(0) - y(v),
            fill="var(--c1)",
        )
        for k, v in enumerate(shares)
    ]  # fmt: skip
    true = [
        element("rect", x=x(a), y=y(0) + 2, width=x(b) - x(a), height=5, fill="var(--c2)")
        for a, b in spans
    ]
    at = y(0.8)
    line = element("line", x1=56, x2=944, y1=at, y2=at, stroke="var(--bad)", stroke_dasharray="5 4")
    frame = axes(x, y, x_title="seconds", y_title="share of opinions")
    mark = text("80 %", 940, at - 5, class_="tick", text_anchor="end")
    return drawing(frame, *bars, *true, line, mark, width=960, height=240, label="Activity counts")
