"""A caption as a graph with its matches, and the similarity heat-map."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from earmark.report.figure import Figure
from earmark.report.svg import drawing, element, text
from earmark.task.view import View
from earmark.tasks.captions.values import Captions

Row = tuple[str, ...]
CELL = 26
LEFT, TOP = 190, 130
WIDE = 640
SHOWN = 12


def draw_graph(view: View) -> Figure | None:
    """One caption with its graph: what the references support, and what they do not."""
    chosen = _chosen(view)
    if chosen is None:
        return None
    item, system, references, said = chosen
    found = _compared(references, said)
    rows = [
        (row, float(found.matrix[at].max()) if found.matrix.size else 0.0)
        for at, row in enumerate(found.candidate)
    ]
    note = f"{system} on {item}: “{said.texts[0]}”"
    return Figure(
        title="A caption as a graph",
        body=element("p", escape(note)) + graph_picture(rows) + _listed(references),
        caption="Circles are things, boxes what they are or do, lines how they stand to one "
        "another. "
        "The greener, the nearer something in the references; the redder, the less supported. "
        f"Precision {found.precision:.2f}, recall {found.recall:.2f}, "
        f"SPICE+emb {found.value:.2f}.",
        wide=True,
    )


def draw_heat_map(view: View) -> Figure | None:
    """The similarity of every tuple of a caption with every tuple of its references."""
    chosen = _chosen(view)
    if chosen is None:
        return None
    item, system, references, said = chosen
    found = _compared(references, said)
    if not found.matrix.size:
        return None
    return Figure(
        title="What matches what",
        body=heat_map(found.candidate, found.reference, found.matrix),
        caption=f"{system} on {item}. Rows: what the caption says; columns: the references' tuples "
        "nearest to any of them. The best of a row counts for precision, the best of a column for "
        "recall.",
        wide=True,
    )


def _chosen(view: View) -> tuple[str, str, Captions, Captions] | None:
    """The first item, and the system whose caption of it says most."""
    references = view.references()
    outputs = view.outputs()
    if not references or not outputs:
        return None
    held = references.get("truth") or next(iter(references.values()))
    item = sorted(held.values)[0]
    said = {name: found[item].value for name, found in outputs.items() if item in found}
    if not said:
        return None
    system = max(sorted(said), key=lambda name: len(said[name].texts[0]))
    return item, system, held.values[item], said[system]


def _compared(references: Captions, said: Captions) -> Any:
    from earmark.tasks.captions.score.graphs.spice_plus import compare_one

    return compare_one(references, said)


def _listed(references: Captions) -> str:
    lines = [element("li", escape(line)) for line in references.texts]
    return element("details", element("summary", "the references"), element("ul", *lines))


def graph_picture(rows: Sequence[tuple[tuple[str, ...], float]]) -> str:
    """Things in a column, their attributes to the right, relations as lines on the left."""
    nodes = [(row[0], score) for row, score in rows if len(row) == 1][:SHOWN]
    if not nodes:
        return element("p", "This caption names no thing.")
    place = {name: 30 + 54 * at for at, (name, _) in enumerate(nodes)}
    parts = [_relation(row, score, place) for row, score in rows if len(row) == 3]
    used: dict[str, int] = {}
    for row, score in rows:
        if len(row) == 2 and row[0] in place:
            at = used.get(row[0], 0)
            used[row[0]] = at + 1
            parts.append(_box(row[1], 390 + 118 * at, place[row[0]], score))
    parts += [_node(name, place[name], score) for name, score in nodes]
    width = max(WIDE, 400 + 118 * max([*used.values(), 1]))
    return drawing(*parts, width=width, height=54 * len(nodes) + 12, label="graph of a caption")


def _colour(score: float) -> str:
    share = max(0, min(100, round(100 * (score - 0.3) / 0.6)))
    return f"color-mix(in oklab, var(--good) {share}%, var(--bad))"


def _node(name: str, y: float, score: float) -> str:
    return element(
        "g",
        element("title", f"{name}: nearest {score:.2f}"),
        element(
            "rect", x=240, y=y - 17, width=124, height=34, rx=17, fill="var(--panel)",
            stroke=_colour(score), stroke_width=2.5,
        ),
        text(_fit(name), 302, y + 5, text_anchor="middle", fill="var(--ink)"),
    )  # fmt: skip


def _box(name: str, x: float, y: float, score: float) -> str:
    return element(
        "g",
        element("title", f"{name}: nearest {score:.2f}"),
        element(
            "rect", x=x, y=y - 14, width=108, height=28, rx=4, fill="var(--panel)",
            stroke=_colour(score), stroke_width=1.8,
        ),
        text(_fit(name), x + 54, y + 5, text_anchor="middle", fill="var(--ink)"),
    )  # fmt: skip


def _relation(row: tuple[str, ...], score: float, place: Mapping[str, float]) -> str:
    if row[0] not in place or row[2] not in place or row[0] == row[2]:
        return ""
    start, end = place[row[0]], place[row[2]]
    reach = 200 - min(150, abs(end - start) * 0.9)
    middle = (start + end) / 2
    path = f"M 240 {start} C {reach} {start}, {reach} {end}, 240 {end}"
    x = (240 + 3 * reach) / 4 - 6
    return element(
        "g",
        element("path", d=path, fill="none", stroke=_colour(score), stroke_width=1.6),
        element("circle", cx=240, cy=end, r=3.5, fill=_colour(score)),
        text(_fit(row[1], 18), x, middle + 4, text_anchor="end", fill="var(--ink)", font_size=12),
    )


def heat_map(mine: Sequence[Row], theirs: Sequence[Row], matrix: Any) -> str:
    """Cells as dark as two tuples are alike; the best of each row framed."""
    best = sorted(range(len(theirs)), key=lambda at: -float(matrix[:, at].max()))
    columns = sorted(best[: 2 * SHOWN])
    rows = list(range(len(mine)))[: 2 * SHOWN]
    parts = [_strip(mine, theirs, matrix, columns, (at, TOP + at * CELL)) for at in rows]
    for across, column in enumerate(columns):
        x = LEFT + across * CELL + 15
        turn = f"rotate(-52 {x} {TOP - 8})"
        name = _fit(" ".join(theirs[column]), 20)
        parts.append(text(name, x, TOP - 8, fill="var(--ink)", font_size=12, transform=turn))
    width = LEFT + len(columns) * CELL + 70
    height = TOP + len(rows) * CELL + 8
    return drawing(*parts, width=width, height=height, label="similarity of tuples")


def _strip(
    mine: Sequence[Row],
    theirs: Sequence[Row],
    matrix: Any,
    columns: Sequence[int],
    place: tuple[int, float],
) -> str:
    """One row of the heat-map."""
    at, y = place
    name = " ".join(mine[at])
    parts = [
        text(_fit(name, 26), LEFT - 8, y + 17, text_anchor="end", fill="var(--ink)", font_size=12)
    ]
    highest = max(columns, key=lambda column: float(matrix[at, column]))
    for across, column in enumerate(columns):
        value = float(matrix[at, column])
        told = f"{name} / {' '.join(theirs[column])}: {value:.2f}"
        parts.append(
            element(
                "rect",
                element("title", escape(told)),
                x=LEFT + across * CELL,
                y=y,
                width=CELL - 2,
                height=CELL - 2,
                rx=3,
                fill="var(--accent)",
                fill_opacity=round(max(0.04, value) ** 1.6, 3),
                stroke="var(--ink)" if column == highest else "none",
            )
        )
    return "".join(parts)


def _fit(name: str, most: int = 15) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"
