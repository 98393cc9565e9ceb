"""The board of a challenge as figures, as a page that needs nothing else, and as CSV."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from earmark.report.board import rank_text
from earmark.report.charts import curve_chart
from earmark.report.figure import Figure
from earmark.report.intervals import IntervalRow, interval_chart
from earmark.report.metric_names import MetricName, readable
from earmark.report.render import moment, render_page
from earmark.report.tables import Cell, number_cell, score_cell, score_column, table
from earmark.tables.rows import write_table
from earmark.task.task import Json

MOST_CURVES = 6  # colours of the page
SHORT = 12  # digits of a digest that are shown; the whole is in CSV and JSON
HOW_TO_READ = (
    "Lines are 95 % intervals. A rank is 1 + the number of entries that are significantly better; "
    "it is a range where the data leave it open. Entries that share a letter are not shown to "
    "differ. Diamonds are the organiser's baselines, hollow marks are people."
)
COLUMNS = (
    *("rank", "rank_low", "rank_high", "name", "kind", "value", "low", "high", "groups", "p"),
    *("submitted", "scored_submissions", "status", "digest", "isolation", "seconds"),
    *("cpu_seconds", "megabytes", "real_time_factor", "signature"),
)


def board_page(document: Mapping[str, Any], metric: MetricName) -> str:
    """Return the board as a page that needs nothing else."""
    figures = board_figures(document, metric)
    return render_page(
        "earmark.report/challenge.html",
        figures,
        title=f"{document['title']}: {document['phase']}",
        document=document,
        pictures=figures,
        lead=lead(document),
        rules=rule_lines(document),
    )


def lead(document: Mapping[str, Any]) -> str:
    """Return in a sentence what the board shows."""
    if document["shows"]:
        act = document["unblinded"]
        opened = f" Unblinded on {moment(act['time'])} by {act['name']}." if act else ""
        return f"Ranked by {readable(document['metric'])}.{opened}"
    if document["rules"]["shows"] == "verdict":
        return "Each team learns whether its submission passes; there are no scores."
    return "Blind: nobody sees a score before the organiser unblinds this phase."


def rule_lines(document: Mapping[str, Any]) -> list[str]:
    """Return the rules of the phase, one in a line."""
    rules = document["rules"]
    tries = [
        f"{rules['tries_a_day']} tries a day" if rules["tries_a_day"] else "",
        f"{rules['tries']} in all" if rules["tries"] else "",
    ]
    lines = [", ".join(filter(None, tries)) or "any number of tries"]
    if not rules["tries"] or rules["tries"] > 1:
        lines.append(f"the board has each team's {rules['counts']} submission")
    for name, words in (("opens", "opens"), ("closes", "closes"), ("freeze", "board frozen from")):
        if rules[name] is not None:
            lines.append(f"{words} {moment(rules[name])}")
    lines.append(f"scored by {document['scorer']}")
    return lines


def board_figures(document: Mapping[str, Any], metric: MetricName) -> list[Figure]:
    """Return the board, what each row stands on, and each team's history; none while blind."""
    rows = document["rows"]
    figures = []
    if rows:
        chart = interval_chart(
            [_interval(row) for row in rows if row["value"] is not None] + _people(document),
            x_title=f"{metric.title} ({metric.better})",
            label=f"{metric.title} of every entry",
        )
        body = Markup('<div class="beside"><div>{}</div><div>{}</div></div>').format(
            chart, _ranking(rows, metric)
        )
        why = next((row["why"] for row in rows if row.get("why")), "")
        caption = f"{why}. {HOW_TO_READ}" if why else HOW_TO_READ
        figures.append(Figure("The board", body, caption[:1].upper() + caption[1:], wide=True))
    teams = [row for row in rows if row["kind"] == "team"]
    if teams:
        caption = "Every row can be repeated from its digest, its scorer and its isolation."
        figures.append(Figure("What each row stands on", _provenance(teams), caption, wide=True))
    if curves := _curves(document, teams):
        chart = curve_chart(
            curves, x_title="days", y_title=metric.title, label="each team's scores over time"
        )
        figures.append(Figure("History", chart, "Each team's scored submissions over time."))
    return figures


def _interval(row: Json) -> IntervalRow:
    kind = "system" if row["kind"] == "team" else "reference"
    groups = row.get("groups") or ""
    return IntervalRow(
        row["system"], row["value"], row["low"], row["high"], kind=kind, groups=groups
    )


def _people(document: Mapping[str, Any]) -> list[IntervalRow]:
    people = document["people"]
    if people is None or people["value"] is None:
        return []
    return [
        IntervalRow(
            f"{people['scored']} {people['who']}",
            people["value"],
            people["low"],
            people["high"],
            kind="people",
        )
    ]


def _ranking(rows: Sequence[Json], metric: MetricName) -> Markup:
    others = [name for name in rows[0]["metrics"] if name != metric.name]
    ties = ["ties"] if any(row.get("groups") for row in rows) else []
    titles = [name.replace("_", " ").capitalize() for name in others]
    columns: list[object] = ["rank", "team", score_column(metric.with_arrow), *ties, *titles]
    cells = [
        [
            Cell(rank_text(row), row["rank"]),
            row["system"] + (" (baseline)" if row["kind"] == "baseline" else ""),
            score_cell(row),
            *(row.get("groups") or "" for _ in ties),
            *(number_cell(row["metrics"][name]["value"]) for name in others),
        ]
        for row in rows
    ]
    return table(columns, cells, sortable=True)


def _provenance(teams: Sequence[Json]) -> Markup:
    columns = [
        *("team", "handed in", "scored", "how it ended", "digest", "isolation", "seconds"),
        *("CPU", "MB", "real-time factor", "scorer"),
    ]
    cells = [
        [
            row["system"],
            Cell(moment(row["submitted"]), row["submitted"]),
            Cell(str(row["scored_submissions"]), row["scored_submissions"]),
            "whole" if row["status"] == "done" else str(row["status"]),
            Cell(str(row["digest"])[:SHORT], fields=(row["digest"],)),
            isolation_text(row["isolation"]),
            *(number_cell(row["cost"][name], 1) for name in ("seconds", "cpu_seconds")),
            number_cell(row["cost"]["megabytes"], 0),
            number_cell(row["cost"]["real_time_factor"], 3),
            Cell(row["signature"].rpartition("|")[2], fields=(row["signature"],)),
        ]
        for row in teams
    ]
    return table(columns, cells, sortable=True)


def isolation_text(isolation: str | None) -> str:
    """Return how a submission was isolated; loud where it was not."""
    return "NOT ISOLATED" if isolation in (None, "", "none") else isolation


def _curves(
    document: Mapping[str, Any], teams: Sequence[Json]
) -> dict[str, list[tuple[float, float]]]:
    """Return each team's values over days, for the first teams that have two or more."""
    history = document["history"]
    times = [point["submitted"] for own in history.values() for point in own]
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in teams:
        own = [point for point in history.get(row["system"], ()) if point["value"] is not None]
        if len(own) > 1 and len(curves) < MOST_CURVES:
            days = [(point["submitted"] - min(times)) / 86400 for point in own]
            values = [float(point["value"]) for point in own]
            curves[row["system"]] = list(zip(days, values, strict=True))
    return curves


def board_csv(document: Mapping[str, Any]) -> str:
    """Return the rows of a board as CSV; while it is blind, who handed something in."""
    if not document["shows"]:
        return write_table(
            ("team", "submitted"),
            [
                {"team": one["team"], "submitted": moment(one["submitted"])}
                for one in document["received"]
            ],
        )
    others = [name for name in (document["rows"] or [{"metrics": {}}])[0]["metrics"]]
    rows = []
    for row in document["rows"]:
        values = {name: row.get(name) for name in COLUMNS if row.get(name) is not None}
        cost = {name: value for name, value in row.get("cost", {}).items() if value is not None}
        metrics = {name: own["value"] for name, own in row["metrics"].items()}
        submitted = {"submitted": moment(row["submitted"])} if "submitted" in row else {}
        rows.append({**values, "name": row["system"], **cost, **metrics, **submitted})
    people = document["people"]
    if people is not None:
        values = {name: people[name] for name in ("value", "low", "high")}
        rows.append({"name": people["who"], "kind": "people", **values})
    return write_table([*COLUMNS, *others], rows)
