"""The order of systems under every setting, as lines for a terminal."""

from collections.abc import Iterator

from earmark.task.task import Json

LETTERS = 24  # of a name; a matrix of ten systems then fits on a line


def choice_lines(metric: str, rows: Json) -> Iterator[str]:
    """Yield a metric's settings, a matrix of shares, and what they say in words."""
    options = ", ".join(
        f"{name} {' '.join(map(_plain, values))}" for name, values in rows["options"].items()
    )
    yield f"# {metric} under {len(rows['settings'])} settings: {options}"
    if rows["pairs"]:
        yield from _matrix(rows["pairs"])
    yield from (f"  {line}" for line in rows["sentences"])


def _matrix(pairs: list[Json]) -> Iterator[str]:
    """Yield one row per system: in how many settings it is before the system of each column."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair["first"], pair["second"])))
    cells = {(pair["first"], pair["second"]): _share(pair, "before") for pair in pairs}
    cells |= {(pair["second"], pair["first"]): _share(pair, "after") for pair in pairs}
    width = max(5, *(len(cell) for cell in cells.values())) + 2
    left = min(LETTERS, max(map(len, names))) + 4
    head = "".join(f"{place:>{width}}" for place in range(1, len(names) + 1))
    yield f"  {'before':<{left}}{head}"
    for place, name in enumerate(names, start=1):
        row = "".join(f"{cells.get((name, other), '-'):>{width}}" for other in names)
        yield f"  {f'{place} {name[:LETTERS]}':<{left}}{row}"


def _share(pair: Json, way: str) -> str:
    return f"{pair[way]}/{pair['settings']}"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
