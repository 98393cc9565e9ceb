"""The sixth verb: what a study found, on one page."""

import platform
from html import escape
from typing import Any

from earmark import __version__
from earmark.report import svg, tables
from earmark.report.figure import Figure
from earmark.report.page import Section, cards, figure_block
from earmark.report.page import page as html_page
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.task.view import View
from earmark.values.errors import StudyError


def page(study: View) -> str:
    """The page of a study: its board, its pictures, its scores, how to repeat them."""
    study.items()
    drawn = [draw(study) for draw in track(study.task.report.values(), label="report")]
    pictures = [figure for figure in drawn if isinstance(figure, Figure)]
    sections = [Section("At a glance", glance(study))]
    if study.boards():
        sections.append(Section("Board", _boards(study)))
    if pictures:
        sections.append(Section("Pictures", figure_block(pictures)))
    if study.scores():
        sections.append(Section("All scores", _all_scores(study)))
    sections.append(Section("Repeat it", _repeat(study)))
    if len(sections) == 2 and not pictures and not study.outputs():
        raise StudyError(
            "there is nothing to report yet", at=study.name, fix="run a system and score it first"
        )
    lead = f"{escape(study.task.title)}. {escape(study.task.asks)}"
    return html_page(study.name, lead, sections, footer=footer(str(study.task.paper)))


def footer(source: str) -> str:
    """The last lines of a page."""
    return (
        f"Made by Earmark {__version__} with Python {platform.python_version()}. "
        f"Definitions: {escape(source)}"
    )


def glance(study: View) -> str:
    """A few large numbers."""
    ballots = study.ballots()
    rows = [("Items", str(len(study.items())), f"task {study.task.name}, seed {study.seed}")]
    if ballots and ballots.answers:
        people = len(ballots.people)
        rows.append(("Answers", f"{len(ballots.answers):,}", f"from {people} people"))
    references = [name for name in study.references() if name != "truth"]
    rows.append(("References", str(len(study.references())), ", ".join(references) or "the truth"))
    best = headline(study)
    if best:
        rows.append(best)
    return cards(rows)


def headline(study: View) -> tuple[str, str, str] | None:
    """The best system by the task's first metric."""
    for reference, found in study.boards().items():
        for metric, rows in found["metrics"].items():
            if rows and rows[0]["value"] is not None:
                return (
                    f"Best {metric}",
                    f"{rows[0]['value']:.3f}",
                    f"{rows[0]['system']} against {reference}",
                )
    return None


def _boards(study: View) -> str:
    """For each reference: the first metric's ranking as a picture and a table, people in it."""
    figures = []
    for reference, found in study.boards().items():
        metric = next(
            (
                name
                for name, rows in found["metrics"].items()
                if any(row["value"] is not None for row in rows)
            ),
            None,
        )
        if metric:
            figures.append(_board(study, reference, metric, found["metrics"][metric]))
    return figure_block(figures)


def _board(study: View, reference: str, metric: str, rows: list[Json]) -> Figure:
    people = [row for row in study.scores() if row["human"] and row["reference"] == reference]
    human = [(row["system"], row["scores"][metric]) for row in people if metric in row["scores"]]
    dots: list[Any] = [
        (row["system"], row["value"], row["low"], row["high"], False)
        for row in rows
        if row["value"] is not None
    ]
    shown = sorted((s for s in human if s[1]["value"] is not None), key=lambda s: -s[1]["value"])
    dots += [(name, s["value"], s["low"], s["high"], True) for name, s in shown[:8]]
    table = [
        [
            row["rank"],
            row["system"],
            tables.shown(row),
            _number(row["behind"]),
            _number(row["p"]),
        ]
        for row in rows
    ]
    chart = svg.interval_chart(dots, x_title=metric, label=f"{metric} against {reference}")
    ranking = tables.html(["rank", "system", metric, "behind the best", "p (Holm)"], table)
    body = f'<div class="beside"><div>{chart}</div><div>{ranking}</div></div>'
    note = " Hollow marks are people, each scored against the others." if shown else ""
    return Figure(
        f"{metric} against {reference}",
        body,
        wide=True,
        caption=(
            "Lines are 95 % intervals over resampled items. A system ranks below another only if "
            "the paired difference is unlikely to be luck (p at most .05 after Holm's correction)."
            + note
        ),
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{abs(value):.3f}"


def _all_scores(study: View) -> str:
    """Every number, with its signature."""
    blocks = []
    for row in study.scores():
        lines = [
            [name, tables.shown(score), f"<code>{escape(score['signature'])}</code>"]
            for name, score in row["scores"].items()
        ]
        others = "the others of " if row["human"] else ""
        summary = f"{row['system']} against {others}{row['reference']}"
        table = tables.html(["metric", "value", "signature"], lines, raw=True)
        blocks.append(f"<details><summary>{escape(summary)}</summary>{table}</details>")
    return _side_by_side(study) + "<p>With signatures:</p>" + "".join(blocks)


def _side_by_side(study: View) -> str:
    """For each reference a table of metrics by systems."""
    systems = [row for row in study.scores() if not row["human"]]
    parts = []
    for reference in dict.fromkeys(row["reference"] for row in systems):
        chosen = [row for row in systems if row["reference"] == reference]
        metrics = list(chosen[0]["scores"])
        rows = [
            [metric, *(tables.shown(row["scores"].get(metric, {"value": None})) for row in chosen)]
            for metric in metrics
        ]
        columns = [f"against {reference}", *(row["system"] for row in chosen)]
        parts.append(tables.html(columns, rows) + _undefined(chosen))
    return "".join(parts)


def _undefined(rows: list[Json]) -> str:
    """Why a dash stands where a number could be: each reason once, with its metrics."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        for metric, found in row["details"].items():
            reason = found.get("undefined") if isinstance(found, dict) else None
            if reason and metric not in reasons.setdefault(reason, []):
                reasons[reason].append(metric)
    told = [f"{', '.join(metrics)}: {reason}." for reason, metrics in reasons.items()]
    return f'<p class="note">Undefined (–): {escape(" ".join(told))}</p>' if told else ""


def _told(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _repeat(study: View) -> str:
    """How a stranger gets the same numbers."""
    settings = study.settings()
    made = ", ".join(f"{key} {_told(value)}" for key, value in settings.get("make", {}).items())
    return (
        f"<p>Material: {escape(made)}, seed {study.seed}. <code>earmark verify {escape(study.name)}"
        "</code> counts every number again from the stored references and outputs; "
        f"<code>earmark cite {escape(study.name)}</code> prints what to cite.</p>"
    )
