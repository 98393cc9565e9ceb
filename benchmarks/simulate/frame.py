"""What a simulation is: rows of cells, each a share over simulated data sets, with its target."""

import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any


@dataclass(frozen=True)
class Part:
    """A cell that is one field of what a simulation returns; cells of one share its run."""

    whole: "partial[Any]"
    name: str

    def __call__(self) -> float:
        return float(getattr(self.whole(), self.name))


@dataclass(frozen=True)
class Row:
    """One line of a table.

    `cells` maps a column (a number of groups, say) to a function without arguments that simulates
    and returns the number; it must be picklable (`functools.partial` of a function of a module) and
    draw from fixed seeds; a `Part` is one number of several. `low` and `high` are what the number
    must lie between in the columns `must` (all of them by default); a row without either is only
    shown.
    """

    table: str
    name: str
    cells: Mapping[str, Callable[[], float]]
    low: float | None = None
    high: float | None = None
    must: tuple[str, ...] | None = None

    @property
    def target(self) -> str:
        """The promise in words, empty if there is none."""
        bounds = [
            f"{word} {bound:g}"
            for word, bound in (("at least", self.low), ("at most", self.high))
            if bound is not None
        ]
        if not bounds or self.must is None:
            return " and ".join(bounds)
        return f"{', '.join(self.must)}: {' and '.join(bounds)}"

    def misses(self, values: Mapping[str, float]) -> list[str]:
        """Return the columns whose value is outside the target."""
        columns = self.must if self.must is not None else tuple(self.cells)
        low = float("-inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        return [column for column in columns if not low <= values[column] <= high]


def simulate(rows: Iterable[Row], *, processes: int = 2) -> list[tuple[Row, dict[str, float]]]:
    """Return each row with the values of its cells, by two processes; print each as it comes."""
    with ProcessPoolExecutor(processes) as pool:
        runs: dict[Any, Future[Any]] = {}
        waiting = [
            (row, {column: _submitted(pool, runs, cell) for column, cell in row.cells.items()})
            for row in rows
        ]
        results = []
        for row, cells in waiting:
            values = {
                column: float(getattr(cell.result(), name) if name else cell.result())
                for column, (cell, name) in cells.items()
            }
            print(f"{row.table}: {row.name}: {values}", file=sys.stderr, flush=True)
            results.append((row, values))
        return results


def _submitted(
    pool: ProcessPoolExecutor, runs: dict[Any, Future[Any]], cell: Callable[[], float]
) -> tuple[Future[Any], str]:
    """Return the run that a cell needs, begun once for all cells that share it, and its field."""
    if not isinstance(cell, Part):
        return pool.submit(cell), ""
    key = (cell.whole.func, cell.whole.args)
    if key not in runs:
        runs[key] = pool.submit(cell.whole)
    return runs[key], cell.name


def as_markdown(results: Iterable[tuple[Row, Mapping[str, float]]]) -> str:
    """Return the tables as docs/numbers.md shows them; what misses its target is marked."""
    tables: dict[str, list[tuple[Row, Mapping[str, float]]]] = {}
    for row, values in results:
        tables.setdefault(row.table, []).append((row, values))
    return "\n".join(_table(title, rows) for title, rows in tables.items())


def with_tables(page: str, tables: str) -> str:
    """Return a page on which each of these tables stands where one of its title stood.

    Raise KeyError for a table that the page does not have.
    """
    lines = page.splitlines()
    for table in filter(None, tables.strip().split("\n\n")):
        new = table.splitlines()
        title = new[0].split(" | ")[0] + " | "
        places = [k for k, line in enumerate(lines) if line.startswith(title)]
        if not places:
            raise KeyError(title)
        end = next(k for k in range(places[0], len(lines) + 1) if not "".join(lines[k : k + 1]))
        lines[places[0] : end] = new
    return "\n".join(lines) + "\n"


def _table(title: str, rows: list[tuple[Row, Mapping[str, float]]]) -> str:
    columns = list(dict.fromkeys(column for _, values in rows for column in values))
    if all(column.isdigit() for column in columns):
        columns.sort(key=int)
    lines = [f"| {title} | {' | '.join(columns)} | must be |", "|---" * (len(columns) + 2) + "|"]
    for row, values in rows:
        missed = row.misses(values) if row.target else []
        cells = [_cell(values, column, missed) for column in columns]
        lines.append(f"| {row.name} | {' | '.join(cells)} | {row.target} |")
    return "\n".join(lines) + "\n"


def _cell(values: Mapping[str, float], column: str, missed: list[str]) -> str:
    if column not in values:
        return ""
    digits = f"{values[column]:.3f}" if values[column] < 10 else f"{values[column]:g}"
    return digits + (" (!)" if column in missed else "")
