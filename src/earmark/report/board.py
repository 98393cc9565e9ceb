"""The board of a reference: one panel per metric, systems apart from ways of reconciling."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from earmark.report.figure import Figure
from earmark.report.intervals import IntervalRow, interval_chart
from earmark.report.metric_names import MetricName, MetricNames
from earmark.report.render import anchor, render
from earmark.report.tables import Cell, number_cell, score_cell, score_column, table
from earmark.task.task import Json

RANKS = (
    "A rank is 1 + the number of systems that are significantly better; it is a range where the "
    "data leave it open. Systems that share a letter, or a bar at the left of the picture, are not "
    "shown to differ. p is that of the difference to the best, corrected by Holm over all pairs. "
)
# What ranges of ranks and the last column mean where the reference was drawn from its doubt.
DRAWN = (
    "Ranks and the column “best in” also allow for the doubt of the reference, which was drawn "
    "anew many times: an order must hold in 97.5 % of draws. Draws do not correct the level of the "
    "values, nor favour for a system that shares the reference's errors. "
)


@dataclass(frozen=True, slots=True)
class MetricPanel:
    """One metric: its picture, its ranking, what reconciling reaches, and notes."""

    metric: MetricName
    chart: Markup
    ranking: Markup
    references: Markup | None
    notes: list[str]


@dataclass(frozen=True, slots=True)
class BoardView:
    """What a board is drawn from.

    `metrics` is metric to ranked rows, `apart` the names of references and ways of reconciling,
    `details` system to the details of its scores.
    """

    reference: str
    metrics: Mapping[str, Sequence[Json]]
    names: MetricNames
    apart: Collection[str] = ()
    details: Mapping[str, Json] | None = None

    @property
    def defined(self) -> list[str]:
        """The metrics that have a value."""
        return [m for m, rows in self.metrics.items() if any(r["value"] is not None for r in rows)]

    def systems(self, metric: str) -> list[Json]:
        """Return the rows of systems, ranked among themselves; all rows if no system is there."""
        rows = self.metrics[metric]
        return [row for row in rows if row["system"] not in self.apart] or list(rows)

    def references(self, metric: str) -> list[Json]:
        """Return the rows of references that were scored beside systems."""
        systems = [row["system"] for row in self.systems(metric)]
        return [row for row in self.metrics[metric] if row["system"] not in systems]


def board_figure(board: BoardView) -> Figure | None:
    """Return the board of a reference with a switch between metrics, None if it has no value."""
    panels = [_panel(board, metric) for metric in board.defined]
    if not panels:
        return None
    body = render(
        "earmark.report/board.html",
        panels=panels,
        reference=board.reference,
        undefined=[board.names[m].title for m in board.metrics if m not in board.defined],
    )
    ranked = any(row["rank"] is not None for rows in board.metrics.values() for row in rows)
    drawn = any("probability_best" in row for rows in board.metrics.values() for row in rows)
    caption = (RANKS if ranked else "") + (DRAWN if drawn else "")
    caption += "A click on a value leads to the items behind it."
    return Figure(f"Against {board.reference}", body, caption, wide=True)


def _panel(board: BoardView, metric: str) -> MetricPanel:
    name = board.names[metric]
    systems, references = board.systems(metric), board.references(metric)
    rows = [_interval_row(row, "system") for row in systems if row["value"] is not None]
    rows += [_interval_row(row, "reference") for row in references if row["value"] is not None]
    label = f"{name.title} against {board.reference}"
    axis = f"{name.title} ({name.better})" if name.better else name.title
    return MetricPanel(
        name,
        interval_chart(rows, x_title=axis, label=label),
        ranking(board, metric, systems),
        _references(name, references) if references else None,
        list(_notes(board, metric, rows)),
    )


def _interval_row(row: Json, kind: str) -> IntervalRow:
    return IntervalRow(
        row["system"],
        row["value"],
        row["low"],
        row["high"],
        kind=kind,
        groups=row.get("groups") or "",
    )


def ranking(board: BoardView, metric: str, rows: Sequence[Json]) -> Markup:
    """Return the table of ranks, with a column only for what some system has."""
    name = board.names[metric]
    link = f"#items-{anchor(board.reference)}"
    columns: dict[object, list[Cell]] = {
        "rank": [Cell(rank_text(row), row["rank"]) for row in rows],
        "system": [Cell(row["system"]) for row in rows],
        score_column(name.with_arrow): [
            score_cell(row, link=link, data=f"{metric} {row['system']}") for row in rows
        ],
        "ties": [Cell(row.get("groups") or "") for row in rows],
        "behind": [number_cell(row["behind"], absolute=True) for row in rows],
        "p": [number_cell(row["p"]) for row in rows],
        "best in": [_share(row.get("probability_best")) for row in rows],
    }
    columns = {head: cells for head, cells in columns.items() if any(c.text for c in cells)}
    return table(list(columns), list(zip(*columns.values(), strict=True)), sortable=True)


def _share(value: float | None) -> Cell:
    return Cell("") if value is None else Cell(f"{value:.0%}", value)


def rank_text(row: Json) -> str:
    """Return a rank, as a range where the data leave it open, a dash where there is none."""
    if row["rank"] is None:
        return "–"
    low, high = row.get("rank_low"), row.get("rank_high")
    return f"{low}–{high}" if low is not None and low != high else str(row["rank"])


def _references(name: MetricName, rows: Sequence[Json]) -> Markup:
    cells = [[row["system"], score_cell(row)] for row in rows]
    return table(["reference", score_column(name.with_arrow)], cells, sortable=True)


def _notes(board: BoardView, metric: str, rows: Sequence[IntervalRow]) -> Iterator[str]:
    """Yield why there is no rank or no interval, what would help, and what lines mean."""
    said = {
        row.get(key): None
        for row in board.systems(metric)
        if row["value"] is not None
        for key in ("why", "advice")
    }
    for sentence in filter(None, said):
        start = "Too few to rank: " if "no test could" in sentence else ""
        yield _sentence(start + sentence)
    reasons = {
        own.get(metric, {}).get("no_interval")
        for own in (board.details or {}).values()
        if isinstance(own.get(metric, {}), dict)
    }
    yield from (_sentence(f"no interval: {why}") for why in sorted(filter(None, reasons)))
    if any(row.low is not None for row in rows):
        yield "Lines are 95 % intervals."
    if any(row.kind == "reference" for row in rows):
        yield (
            "Diamonds are references: what people's answers were reconciled to, scored in the same "
            "way. They are no systems, and have no rank."
        )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}" + ("" if words.endswith(".") else ".")
