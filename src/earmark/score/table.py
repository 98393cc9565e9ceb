"""Scores as a table: aligned text, CSV, Markdown, LaTeX, or HTML for a notebook."""

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from earmark.tables.rows import write_table

Record = Mapping[str, Any]
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


def cells_of(records: Sequence[Record]) -> ScoreCells:
    """Return the cells of records of one system, or of several with their ranks."""
    is_board = bool(records) and "rank" in records[0]
    columns: tuple[str, ...] = ("metric", "value", "interval", "items")
    if is_board:
        columns = ("metric", "system", "value", "interval", "rank", "p", "items")
    rows = tuple(tuple(_cell(record, column) for column in columns) for record in records)
    return ScoreCells(columns, rows, _best(records) if is_board else frozenset())


def _cell(record: Record, column: str) -> str:
    if column == "value":
        return "undefined" if record["value"] is None else f"{record['value']:.3f}"
    if column == "interval":
        return "" if record["low"] is None else f"[{record['low']:.3f}, {record['high']:.3f}]"
    if column == "p":
        return "" if record["p"] is None else f"{record['p']:.3f}"
    if column == "rank" and record["rank"] is None:
        return "" if record["value"] is None else "-"
    return str(record[column])


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
    first: dict[str, Any] = {}
    for record in records:
        first.setdefault(record["metric"], record["value"])
    return frozenset(
        row
        for row, record in enumerate(records)
        if record["value"] is not None and record["value"] == first[record["metric"]]
    )


def as_text(records: Sequence[Record]) -> str:
    """Return aligned columns; the best has a star."""
    cells = cells_of(records)
    rows = [list(cells.columns), *cells.marked(lambda cell: f"{cell}*")]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    legend = [f"* {LEGEND}"] if cells.best else []
    return "\n".join([*lines, *legend, *notes_of(records)]) + "\n"


def as_csv(records: Sequence[Record]) -> str:
    """Return every field of the records with all digits; what is undefined is empty."""
    columns = tuple(dict.fromkeys(name for record in records for name in record))
    rows = [{k: "" if v is None else v for k, v in record.items()} for record in records]
    return write_table(columns, rows)


def as_markdown(records: Sequence[Record]) -> str:
    """Return a table in Markdown; the best is bold."""
    cells = cells_of(records)
    rows = [cells.columns, ["---"] * len(cells.columns), *cells.marked(lambda cell: f"**{cell}**")]
    lines = ["| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in rows]
    return "".join([*lines, *(f"\n{note}\n" for note in notes_of(records))])


LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


def as_latex(records: Sequence[Record]) -> str:
    """Return a tabular with the rules of booktabs; the best is bold."""
    cells = cells_of(records)
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


def as_html(records: Sequence[Record]) -> str:
    """Return a table for a notebook; the best is bold."""
    cells = cells_of(records)
    body = tuple(tuple(html.escape(cell) for cell in row) for row in cells.rows)
    rows = ScoreCells(cells.columns, body, cells.best).marked(lambda cell: f"<b>{cell}</b>")
    head = "".join(f"<th>{name}</th>" for name in cells.columns)
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    said = ([LEGEND] if cells.best else []) + [html.escape(note) for note in notes_of(records)]
    legend = f"<caption>{'<br>'.join(said)}</caption>" if said else ""
    return f"<table>{legend}<tr>{head}</tr>{''.join(lines)}</table>"


WRITERS: Mapping[str, Callable[[Sequence[Record]], str]] = {
    "table": as_text,
    "csv": as_csv,
    "md": as_markdown,
    "latex": as_latex,
}
