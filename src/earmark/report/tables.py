"""Scores as text, Markdown, LaTeX and HTML."""

import re
from collections.abc import Mapping, Sequence
from html import escape

NUMBER = re.compile(r"-?\d[\d.,]*( \[[^\]]*\])?$")


def shown(score: Mapping[str, object]) -> str:
    """A value with its interval: three digits, a dash when undefined."""
    value, low, high = score["value"], score.get("low"), score.get("high")
    if not isinstance(value, int | float):
        return "–"
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return f"{value:.3f}"
    return f"{value:.3f} [{low:.3f}, {high:.3f}]"


def markdown(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += [
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows
    ]
    return "\n".join(lines)


def latex(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A LaTeX tabular with rules (booktabs)."""

    def line(cells: Sequence[object]) -> str:
        return " & ".join(_latex(str(cell)) for cell in cells) + r" \\"

    body = "\n".join(map(line, rows))
    wide = "l" + "r" * (len(columns) - 1)
    head = f"\\begin{{tabular}}{{{wide}}}\n\\toprule\n{line(columns)}\n\\midrule\n"
    return f"{head}{body}\n\\bottomrule\n\\end{{tabular}}"


def _latex(cell: str) -> str:
    for letter in "&%$#_{}":
        cell = cell.replace(letter, "\\" + letter)
    return cell.replace("–", "--")


def html(columns: Sequence[str], rows: Sequence[Sequence[object]], *, raw: bool = False) -> str:
    """An HTML table that scrolls on a phone; cells are escaped unless `raw`."""

    def cell(value: object) -> str:
        shown = str(value) if raw else escape(str(value))
        return f'<span class="number">{shown}</span>' if NUMBER.match(shown) else shown

    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll">{table}</div>'
