"""Competence of people (the paper's Fig. 2), agreement, and activity counts (its Fig. 3)."""

from typing import TYPE_CHECKING

from markupsafe import Markup

from earmark.report.charts import curve_chart, histogram
from earmark.report.figure import Figure
from earmark.report.svg import Scale, axes, drawing, element, legend, rounded_out, text
from earmark.task.view import View
from earmark.tasks.events.values import Timeline
from earmark.values.names import counted
from earmark.values.reference import Reference
from earmark.values.score import Interval

if TYPE_CHECKING:
    from earmark.tasks.events.reconcile.window_answers import WindowAnswers

# methods that estimate competence, the paper's first
METHODS = ("mace", "trusted", "window-hmm", "dawid-skene")
THRESHOLDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
TRUSTED = 0.6  # the competence above which the paper keeps a person
ACTIVE = 0.8  # the share of opinions from which the paper holds a sound to be active


def reference_with_people(view: View) -> Reference[Timeline] | None:
    """Return the reference whose people's competence is shown: MACE's if it is there."""
    references = {name: one for name, one in view.references().items() if one.people}
    names = [name for name in METHODS if name in references] or list(references)
    return references[names[0]] if names else None


def draw_competence(view: View) -> Figure | None:
    """Return a histogram of people's competence."""
    reference = reference_with_people(view)
    if reference is None:
        return None
    values = list(reference.people.values())
    above = sum(value > TRUSTED for value in values)
    body = histogram(
        values,
        bins=20,
        bounds=(0.0, 1.0),
        x_title=f"competence by {reference.name}",
        y_title="people",
        label="Histogram of competence",
    )
    return Figure(
        "People's competence",
        body,
        caption=f"{above} of {len(values)} people are above {TRUSTED:g}. "
        "Those near 0 answer at random.",
    )


def draw_agreement(view: View) -> Figure | None:
    """Return Krippendorff's alpha of those above each competence."""
    reference, ballots = reference_with_people(view), view.ballots()
    if reference is None or ballots is None or not ballots.answers:
        return None
    import numpy as np

    from earmark.reconcile.competence import alpha_by_trust
    from earmark.tasks.events.reconcile.window_answers import window_answers

    answers = window_answers(ballots)
    trust = np.array([reference.people.get(person, 0.0) for person in answers.people])
    # -1 is below every competence: everybody's agreement, drawn at 0
    rows = alpha_by_trust(answers.pairs(), trust, (-1.0, *THRESHOLDS))
    points = [(max(0.0, row.threshold), row.alpha) for row in rows if row.alpha == row.alpha]
    if not points:
        return None
    lowest = min(0.0, *rounded_out(alpha for _, alpha in points))
    body = curve_chart(
        {"alpha": points},
        x_title="only people above this competence",
        y_title="Krippendorff's alpha",
        label="Agreement by competence",
        y_range=(lowest, 1.0),
    )
    return Figure(
        "Agreement among competent people",
        body,
        caption=f"{points[0][1]:.2f} among all{_alpha_bounds(answers, view.seed)}; yes/no answers "
        "to (window, label) pairs.",
    )


def _alpha_bounds(answers: "WindowAnswers", seed: int) -> str:
    """Return the interval of everybody's alpha over recordings in words, or why there is none.

    Where two people answered, their Cohen's kappa follows.
    """
    import numpy as np

    from earmark.stats.agreement import alpha_interval, cohen_kappa
    from earmark.stats.intervals import NoInterval

    size = len(answers.labels)
    per_recording = np.diff(answers.starts) * size
    groups = np.repeat(answers.recordings, per_recording).tolist()
    interval = alpha_interval(answers.pairs().votes(), groups, seed=seed)
    words = f" (no interval: {interval.why})" if isinstance(interval, NoInterval) else ""
    if isinstance(interval, Interval):
        recordings = counted(len(answers.recordings), "recording")
        words = f" [{interval.low:.2f}, {interval.high:.2f}] over {recordings}"
    if len(answers.people) != 2:
        return words
    both = [answers.window[answers.person == person] for person in (0, 1)]
    shared = np.intersect1d(*both)
    first, second = (
        answers.yes[(answers.person == person) & np.isin(answers.window, shared)].ravel().tolist()
        for person in (0, 1)
    )
    return f"{words}, Cohen's kappa {cohen_kappa(first, second):.2f}"


def draw_activity(view: View) -> Figure | None:
    """Return the share of opinions about each second that say yes, for the most frequent label."""
    ballots = view.ballots()
    if ballots is None or not ballots.answers:
        return None
    import numpy as np

    from earmark.tasks.events.reconcile.window_answers import activity, window_answers

    answers = window_answers(ballots)
    first_end = answers.cell_starts()[1]
    shares = np.nan_to_num(activity(answers, *answers.votes())[:first_end])  # (cells, labels)
    column = int(np.argmax(shares.sum(axis=0)))
    recording, label = answers.recordings[0], answers.labels[column]
    truth = view.truth()
    line = truth.values.get(recording) if truth else None
    spans = [(e.onset, e.offset) for e in line.events if e.label == label] if line else []
    names = ["share that says yes", *(["truth"] if spans else [])]
    return Figure(
        f"Opinions about {label.replace('_', ' ')} in {recording}",
        _activity_chart(shares[:, column].tolist(), answers.hop, spans) + legend(names),
        caption="All opinions about a second, stacked; the line is the 80 % threshold.",
        wide=True,
    )


def _activity_chart(shares: list[float], hop: float, spans: list[tuple[float, float]]) -> Markup:
    x = Scale((0.0, len(shares) * hop), (46.0, 948.0))
    y = Scale((0.0, 1.0), (196.0, 32.0))
    width = max(0.5, x(hop) - x(0.0) - 0.6)
    bars = [
        element("rect", x=x(n * hop), y=y(v), width=width, height=y(0) - y(v), fill="var(--c1)")
        for n, v in enumerate(shares)
    ]
    true = [
        element("rect", x=x(a), y=y(0) + 2, width=x(b) - x(a), height=5, fill="var(--c2)")
        for a, b in spans
    ]
    level = y(ACTIVE)
    ends = {"x1": x.places[0], "x2": x.places[1], "y1": level, "y2": level}
    line = element("line", **ends, stroke="var(--bad)", stroke_dasharray="5 4")
    label = text("80 %", x.places[1] - 4, level - 5, class_="tick", text_anchor="end")
    frame = axes(x, y, x_title="seconds", y_title="share of opinions")
    return drawing(frame, *bars, *true, line, label, width=960, height=244, label="Activity counts")
