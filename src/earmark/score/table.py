"""Scores as a table: CSV, Markdown, LaTeX, or HTML for a notebook."""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from earmark.tables.rows import write_table

Record = Mapping[str, Any]
Higher = Mapping[str, bool] | None  # metric to whether more of it is better
# Beneath a table of several systems: what the marks and the two last columns mean.
LEGEND = (
    "best marked; a rank is 1 + the number of systems that are significantly better; p of the "
    "difference to the best, corrected by Holm"
)


@dataclass(frozen=True, slots=True)
class ScoreCells:
    """What a person reads of some scores: three digits, intervals, and which rows are the best."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[int]  # rows

    def marked(self, mark: Callable[[str], str]) -> list[list[str]]:
        """Return the rows with the value of each best one marked."""
        value = self.columns.index("value")
        return [
            [
                mark(cell) if k == value and row in self.best else cell
                for k, cell in enumerate(cells)
            ]
            for row, cells in enumerate(self.rows)
        ]


def cells_of(records: Sequence[Record], higher: Higher = None) -> ScoreCells:
    """Return the cells of records of one system, or of several with their ranks."""
    is_board = bool(records) and "rank" in records[0]
    columns: tuple[str, ...] = ("metric", "value", "interval", "items")
    if is_board:
        groups = ("groups",) if any(record.get("groups") for record in records) else ()
        columns = ("metric", "system", "value", "interval", "rank", *groups, "p", "items")
    if any("label" in record for record in records):
        columns = ("metric", "label", *columns[1:])
    rows = tuple(
        (arrow(record["metric"], higher or {}), *(cell_of(record, c) for c in columns[1:]))
        for record in records
    )
    return ScoreCells(columns, rows, _best(records) if is_board else frozenset())


def arrow(metric: str, higher: Mapping[str, bool]) -> str:
    """Return the name of a metric with an arrow that says which way is better."""
    return f"{metric} {'↑' if higher[metric] else '↓'}" if metric in higher else metric


def cell_of(record: Record, column: str) -> str:
    """Return what a person reads of one field: three digits, ranks as a range, nothing for None."""
    if column == "value":
        return "undefined" if record["value"] is None else f"{record['value']:.3f}"
    if column == "interval":
        low, high = record.get("low"), record.get("high")
        return "" if low is None or high is None else f"[{low:.3f}, {high:.3f}]"
    if column == "rank":
        return _rank(record)
    value = record.get(column)
    if value is None:
        return ""
    return f"{value:.3f}" if column == "p" else str(value)


def _rank(record: Record) -> str:
    """Return a rank, as a range where the data leave it open; a dash where nothing is ranked."""
    if record["value"] is None:
        return ""
    if record.get("rank") is None:
        return "-"
    low, high = record.get("rank_low"), record.get("rank_high")
    return f"{low}-{high}" if low is not None and high != low else str(record["rank"])


def notes_of(records: Sequence[Record]) -> list[str]:
    """Return why systems have no rank and how many more items would help, each sentence once."""
    sentences: dict[str, list[str]] = {}
    for record in records:
        said = [record.get("why") if record["value"] is not None else "", record.get("advice")]
        for sentence in filter(None, said):
            metrics = sentences.setdefault(sentence, [])
            if record["metric"] not in metrics:
                metrics.append(record["metric"])
    every = {record["metric"] for record in records}
    return [
        sentence if len(metrics) == len(every) else f"{', '.join(metrics)}: {sentence}"
        for sentence, metrics in sentences.items()
    ]


def _best(records: Sequence[Record]) -> frozenset[int]:
    """Return the rows whose value equals that of the first, the best, of their metric."""
    keys = [(record["metric"], record.get("label")) for record in records]
    first: dict[tuple[Any, Any], Any] = {}
    for key, record in zip(keys, records, strict=True):
        first.setdefault(key, record["value"])
    return frozenset(
        row
        for row, (key, record) in enumerate(zip(keys, records, strict=True))
        if record["value"] is not None and record["value"] == first[key]
    )


def as_csv(records: Sequence[Record], higher: Higher = None) -> str:
    """Return every field of the records with all digits; what is undefined is empty."""
    columns = tuple(dict.fromkeys(name for record in records for name in record))
    rows = [{k: "" if record.get(k) is None else record[k] for k in columns} for record in records]
    return write_table(columns, rows)


def as_markdown(records: Sequence[Record], higher: Higher = None) -> str:
    """Return a table in Markdown; the best is bold."""
    cells = cells_of(records, higher)
    rows = [cells.columns, ["---"] * len(cells.columns), *cells.marked(lambda cell: f"**{cell}**")]
    lines = ["| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in rows]
    return "".join([*lines, *(f"\n{note}\n" for note in notes_of(records))])


LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
    }
)


def as_latex(records: Sequence[Record], higher: Higher = None) -> str:
    """Return a tabular with the rules of booktabs; the best is bold."""
    cells = cells_of(records, higher)
    body = [[cell.translate(LATEX) for cell in row] for row in cells.rows]
    escaped = ScoreCells(cells.columns, tuple(map(tuple, body)), cells.best)
    lines = [" & ".join(row) + r" \\" for row in escaped.marked(lambda c: rf"\textbf{{{c}}}")]
    return "\n".join(
        [
            "% \\usepackage{booktabs}",
            rf"\begin{{tabular}}{{{'l' * len(cells.columns)}}}",
            r"\toprule",
            " & ".join(cells.columns) + r" \\",
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {note}" for note in notes_of(records)),
            "",
        ]
    )


def as_html(records: Sequence[Record], higher: Higher = None) -> str:
    """Return a table for a notebook; the best is bold."""
    cells = cells_of(records, higher)
    body = tuple(tuple(html.escape(cell) for cell in row) for row in cells.rows)
    rows = ScoreCells(cells.columns, body, cells.best).marked(lambda cell: f"<b>{cell}</b>")
    head = "".join(f"<th>{name}</th>" for name in cells.columns)
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    said = ([LEGEND] if cells.best else []) + [html.escape(note) for note in notes_of(records)]
    legend = f"<caption>{'<br>'.join(said)}</caption>" if said else ""
    return f"<table>{legend}<tr>{head}</tr>{''.join(lines)}</table>"


WRITERS: Mapping[str, Callable[[Sequence[Record], Higher], str]] = {
    "csv": as_csv,
    "md": as_markdown,
    "latex": as_latex,
}
