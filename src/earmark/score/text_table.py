"""Scores for a terminal: one row per metric, or a board per metric and all metrics side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from earmark.score.table import LEGEND, Record, arrow, cell_of, notes_of
from earmark.task.task import Json
from earmark.values.names import counted

FULL_BOARDS = 3  # so many metrics have a board each; of more, the first has one
WIDTH = 100  # columns of text; systems that do not fit follow beneath


@dataclass(frozen=True, slots=True)
class BoardText:
    """What the tables of several systems are written from.

    `board` has each metric's ranked rows, `details` each system's details, `higher` whether more is
    better.
    """

    board: Mapping[str, Sequence[Json]]
    details: Mapping[str, Json]
    higher: Mapping[str, bool]

    def lines(self, *, by_label: bool = False, signatures: bool = False) -> Iterator[str]:
        """Yield a board for few metrics; for many, the first metric's and a table of all."""
        metrics = list(self.board)
        if len({row["system"] for rows in self.board.values() for row in rows}) == 1:
            yield from self._alone()
        elif len(metrics) > FULL_BOARDS:
            defined = [m for m in metrics if any(r["value"] is not None for r in self.board[m])]
            yield from self._board_lines(*(defined or metrics)[:1])
            yield from self._all_metrics()
        else:
            yield from self._board_lines(*metrics)
        yield from self._legend()
        if by_label:
            yield from self._label_tables()
        if signatures:
            rows = [row for metric in metrics for row in self.board[metric]]
            yield from ["", "signatures", *(row["signature"] for row in rows)]
        yield from undefined_lines(self.details, metrics)

    def _alone(self) -> Iterator[str]:
        """Yield a row per metric of the only system."""
        records = [{"metric": metric, **rows[0]} for metric, rows in self.board.items()]
        yield records[0]["system"]
        yield from score_table(records, {}, self.higher)

    def _board_lines(self, *metrics: str) -> Iterator[str]:
        for place, metric in enumerate(metrics):
            rows = self.board[metric]
            if place:
                yield ""
            items = counted(rows[0]["items"], "item") if rows else "no system"
            yield f"{arrow(metric, self.higher)}   {items}"
            columns = ["system", "value", "interval", "rank", "p"]
            if any(row.get("groups") for row in rows):
                columns.insert(4, "groups")
            cells = [[cell_of(row, column) for column in columns] for row in rows]
            for row, own in zip(rows, cells, strict=True):
                own[1] = _marked(row["value"], _best(rows))
            yield from aligned([columns, *cells])
            yield from notes_of([{"metric": metric, **row} for row in rows])

    def _all_metrics(self) -> Iterator[str]:
        """Yield every metric's values side by side, the best of each marked."""
        values = {metric: {r["system"]: r["value"] for r in rows} for metric, rows in self._rows()}
        best = {metric: _best(rows) for metric, rows in self._rows()}
        first = next(iter(self.board))
        systems = [row["system"] for row in self.board[first]]
        yield ""
        yield from side_by_side(
            [Line(arrow(metric, self.higher), own, best[metric]) for metric, own in values.items()],
            systems,
        )

    def _rows(self) -> Iterator[tuple[str, Sequence[Json]]]:
        yield from self.board.items()

    def _label_tables(self) -> Iterator[str]:
        for metric in self.board:
            systems = [row["system"] for row in self.board[metric]]
            own = {s: labels_of(self.details.get(s, {}), metric) for s in systems}
            names = list(dict.fromkeys(name for values in own.values() for name in values))
            if names:
                yield from ["", arrow(metric, self.higher)]
                lines = [Line(n, {s: own[s].get(n) for s in systems}) for n in names]
                yield from side_by_side(lines, systems)

    def _legend(self) -> Iterator[str]:
        defined = [[r for r in rows if r["value"] is not None] for rows in self.board.values()]
        if any(len(rows) > 1 for rows in defined):
            shared = any(row.get("groups") for rows in defined for row in rows)
            yield f"* {LEGEND}" + ("; systems that share a letter are not shown to differ" * shared)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of values side by side: its name, system to value, the best one."""

    name: str
    values: Mapping[str, float | None]
    best: float | None = None


def score_lines(
    records: Sequence[Record],
    details: Json,
    higher: Mapping[str, bool],
    *,
    by_label: bool = False,
    signatures: bool = False,
) -> Iterator[str]:
    """Yield one row per metric of one system, labels beneath on request, and why some have none."""
    yield from score_table(records, details if by_label else {}, higher)
    if signatures:
        yield from ["", "signatures", *(record["signature"] for record in records)]
    yield from undefined_lines({"": details}, [record["metric"] for record in records])


def score_table(records: Sequence[Record], details: Json, higher: Mapping[str, bool]) -> list[str]:
    """Return one row per metric, labels beneath where the details have some."""
    columns = ["metric", "value", "interval", "items"]
    rows = [columns]
    for record in records:
        name = record["metric"]
        rows.append([arrow(name, higher), *(cell_of(record, c) for c in columns[1:])])
        for label, value in labels_of(details, name).items():
            rows.append([f"  {label}", _digits(value), "", ""])
    return aligned(rows)


def labels_of(details: Json, metric: str) -> dict[str, float | None]:
    """Return a metric's value by label, speaker or whatever else its details are divided by."""
    own = details.get(metric)
    values: dict[str, float | None] = {}
    for name, part in own.items() if isinstance(own, dict) else ():
        if (name.startswith("by_") or name == "speakers") and isinstance(part, dict):
            values |= {str(label): _value(value) for label, value in part.items()}
    return values


def _value(part: Any) -> float | None:
    value = part.get("value") if isinstance(part, dict) else part
    return float(value) if isinstance(value, int | float) else None


def undefined_lines(details: Mapping[str, Json], metrics: Sequence[str]) -> Iterator[str]:
    """Yield each reason for a missing value or interval once, with the metrics and systems."""
    for key, said in (("undefined", "undefined"), ("no_interval", "no interval")):
        reasons: dict[str, dict[str, list[str]]] = {}
        for system, own in details.items():
            for metric in metrics:
                parts = own.get(metric)
                if isinstance(parts, dict) and key in parts:
                    by_metric = reasons.setdefault(str(parts[key]), {})
                    by_metric.setdefault(metric, []).append(system)
        for reason, by_metric in reasons.items():
            systems = dict.fromkeys(system for own in by_metric.values() for system in own)
            of = f" of {', '.join(systems)}" if set(systems) != set(details) else ""
            yield f"{said}: {', '.join(by_metric)}{of}: {reason}"


def side_by_side(lines: Sequence[Line], systems: Sequence[str]) -> Iterator[str]:
    """Yield a table with a column per system, in as many blocks as the width needs."""
    name_width = max(len(line.name) for line in lines)
    blocks: list[list[str]] = [[]]
    used = name_width
    for system in systems:
        width = max(len(system), len("undefined")) + 2
        if blocks[-1] and used + width > WIDTH:
            blocks.append([])
            used = name_width
        blocks[-1].append(system)
        used += width
    for place, block in enumerate(blocks):
        rows = [["", *block]]
        for line in lines:
            cells = [_marked(line.values.get(system), line.best) for system in block]
            rows.append([line.name, *cells])
        yield from ([""] if place else [])
        yield from aligned(rows)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the rows with their columns under one another."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _best(rows: Sequence[Json]) -> float | None:
    """Return the value of the first row, which is the best; None where there is nothing to mark."""
    return rows[0]["value"] if len(rows) > 1 else None


def _marked(value: float | None, best: float | None) -> str:
    return _digits(value) + ("*" if value is not None and value == best else "")


def _digits(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
