"""Systems under every setting of a metric: who stays before whom, and how far values move."""

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from earmark.report.figure import Figure
from earmark.report.intervals import IntervalRow, interval_chart
from earmark.report.render import render
from earmark.report.svg import COLUMN, drawing, element, shortened, text
from earmark.task.task import Json

CELL = 44  # height of a row, so that two lines of text have room


def choice_figures(reference: str, choices: Json) -> Iterator[Figure]:
    """Yield the first metric of which two systems have values, and those whose order turns."""
    known = {
        metric: rows
        for metric, rows in choices["metrics"].items()
        if any(pair["settings"] for pair in rows["pairs"])
    }
    turning = [name for name, rows in known.items() if any(pair["after"] for pair in rows["pairs"])]
    shown = list(dict.fromkeys([*list(known)[:1], *turning]))
    steady = [name for name in known if name not in shown]
    for metric in shown:
        others = steady if metric == shown[0] else []
        yield _figure(reference, metric, known[metric], others)


def _figure(reference: str, metric: str, rows: Json, steady: list[str]) -> Figure:
    """Return the figure of a metric; `steady` are others by which no order turns round."""
    count, title = len(rows["settings"]), f"Under every setting: {metric} against {reference}"
    order = list(
        dict.fromkeys(name for pair in rows["pairs"] for name in (pair["first"], pair["second"]))
    )
    chart = [row for name in order if (row := _row(name, rows["settings"]))]
    body = render(
        "earmark.report/choices.html",
        chart=interval_chart(chart, x_title=metric, label=f"{metric} of each system by setting"),
        matrix=share_matrix(order, rows["pairs"], label=f"Who is before whom by {metric}"),
        sentences=rows["sentences"],
    )
    better = "higher" if rows["higher_is_better"] else "lower"
    caption = _caption(count, rows["options"], better)
    if steady:
        caption += f" Not shown, as no order turns round in any setting: {', '.join(steady)}."
    return Figure(title, body, caption, wide=True)


def _row(name: str, settings: list[Json]) -> IntervalRow | None:
    """Return a system's value on the board, between its lowest and highest, a dot per setting."""
    values = {
        _words(one["options"]): one["values"][name]
        for one in settings
        if one["values"][name] is not None
    }
    on_board = next(one["values"][name] for one in settings if one["as_scored"])
    if on_board is None or not values:
        return None
    return IntervalRow(name, on_board, min(values.values()), max(values.values()), dots=values)


def share_matrix(names: list[str], pairs: list[Json], *, label: str) -> Markup:
    """Return a matrix: the share of settings in which the row's system is before the column's."""
    cells: dict[tuple[str, str], tuple[int, int]] = {}
    for pair in pairs:
        cells[pair["first"], pair["second"]] = pair["before"], pair["settings"]
        cells[pair["second"], pair["first"]] = pair["after"], pair["settings"]
    left, top = 190, 30
    width = max(46.0, (COLUMN - left) / len(names))
    parts = [
        text(place, left + (place - 0.5) * width, top - 10, class_="tick", text_anchor="middle")
        for place in range(1, len(names) + 1)
    ]
    for row, name in enumerate(names):
        y = top + row * CELL
        parts.append(text(f"{row + 1}  {shortened(name, 22)}", 4, y + CELL / 2 + 5, class_="name"))
        for column, other in enumerate(names):
            if name != other:
                x = left + column * width
                parts.append(_cell(x, y, width, (name, other), cells[name, other]))
    size = left + width * len(names)
    return drawing(*parts, width=size, height=top + CELL * len(names) + 6, label=label)


def _cell(
    x: float, y: float, width: float, pair: tuple[str, str], share: tuple[int, int]
) -> Markup:
    part, whole = share
    words = f"{pair[0]} before {pair[1]} in {part} of {whole} settings"
    box = element(
        "rect",
        element("title", words),
        x=x + 1,
        y=y + 1,
        width=width - 2,
        height=CELL - 2,
        rx=3,
        fill="var(--accent)",
        # faint enough that the number on it stays legible in light and dark
        opacity=0.05 + 0.4 * part / whole if whole else 0,
    )
    number = f"{part}/{whole}" if whole else "–"
    return box + text(number, x + width / 2, y + CELL / 2 + 5, text_anchor="middle", class_="value")


def _caption(count: int, options: Mapping[str, list[object]], better: str) -> str:
    varied = "; ".join(
        f"{name.replace('_', ' ')} {', '.join(map(_plain, values))}"
        for name, values in options.items()
    )
    return (
        f"The same outputs under {count} settings ({varied}); {better} is better. Left: a small "
        "dot for each setting, the large one is the board's, the line reaches from the lowest to "
        "the highest value: it is no interval. Right: in how many settings the system of the row "
        "is before the system of the column. Whether a difference is significant is tested in each "
        "setting as on the board."
    )


def _words(options: Mapping[str, object]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {_plain(own)}" for name, own in options.items())


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
