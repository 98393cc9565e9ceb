"""A caption as a graph with its matches, and the similarity heat map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from earmark.arrays import Floats
from earmark.report.figure import Figure
from earmark.report.render import render
from earmark.report.svg import drawing, element, joined, shortened, text
from earmark.task.view import View
from earmark.tasks.captions.values import Captions

# (object,), (object, attribute) or (object, relation, object)
GraphTuple = tuple[str, ...]
MOST_OBJECTS, MOST_TUPLES = 12, 24  # that fit on a screen

# pixels of the graph: objects in a column, attributes beneath their object, relations to the left.
# It is narrow enough for a phone, where letters are half as large again (page.css).
NODES, NODE_WIDTH, NODE_STEP = 170, 164, 50
ATTRIBUTES, ATTRIBUTE_WIDTH, ATTRIBUTE_STEP = 200, 160, 36
GRAPH_WIDTH = 370
# pixels of the heat map: margins for the tuples' words, and a cell's side
LEFT, TOP, CELL = 190, 130, 26


@dataclass(frozen=True, slots=True)
class Example:
    """One item's references, and what one system said of it."""

    item: str
    system: str
    references: Captions
    output: Captions


@dataclass(frozen=True, slots=True)
class ScoredTuple:
    """A tuple of a caption's graph, and its similarity to the nearest in the references."""

    words: GraphTuple
    nearest: float


def draw_graph(view: View) -> Figure | None:
    """Return one caption with its graph: what the references support, and what they do not."""
    example = _example(view)
    if example is None:
        return None
    from earmark.tasks.captions.score.graphs.comparison import compare_one

    compared = compare_one(example.references, example.output)
    tuples = [
        ScoredTuple(words, float(compared.matrix[row].max()) if compared.matrix.size else 0.0)
        for row, words in enumerate(compared.candidate)
    ]
    body = render(
        "earmark.tasks.captions.report/graph.html",
        system=example.system,
        item=example.item,
        caption=example.output.texts[0],
        picture=graph_picture(tuples),
        references=example.references.texts,
    )
    return Figure(
        "A caption as a graph",
        body,
        "Round boxes are objects, square boxes their attributes and actions, lines the relations "
        "between them. The greener, the more similar to something in the references; the redder, "
        f"the less supported. Precision {compared.precision:.2f}, recall {compared.recall:.2f}, "
        f"SPICE+emb {compared.value:.2f}.",
        wide=True,
    )


def draw_heat_map(view: View) -> Figure | None:
    """Return the similarity of every tuple of a caption with every tuple of its references."""
    example = _example(view)
    if example is None:
        return None
    from earmark.tasks.captions.score.graphs.comparison import compare_one

    compared = compare_one(example.references, example.output)
    if not compared.matrix.size:
        return None
    return Figure(
        "What matches what",
        heat_map(compared.candidate, compared.reference, compared.matrix),
        f"{example.system} on {example.item}. Rows: the caption's tuples; columns: the references' "
        "tuples most similar to any of them. The stronger the colour, the more similar; the best "
        "of each row is framed. The best of a row counts for precision, the best of a column for "
        "recall.",
        wide=True,
    )


def _example(view: View) -> Example | None:
    """Return the first item, with the system whose caption of it is longest."""
    references, outputs = view.references(), view.outputs()
    if not references or not outputs:
        return None
    reference = references.get("truth") or next(iter(references.values()))
    item = min(reference.values)
    captions = {name: own[item].value for name, own in outputs.items() if item in own}
    if not captions:
        return None
    system = max(sorted(captions), key=lambda name: len(captions[name].texts[0]))
    return Example(item, system, reference.values[item], captions[system])


def graph_picture(tuples: Sequence[ScoredTuple]) -> Markup | None:
    """Return objects in a column, attributes beneath them, relations as lines on the left.

    None when there are no objects.
    """
    objects = [one for one in tuples if len(one.words) == 1][:MOST_OBJECTS]
    heights: dict[str, float] = {}
    parts, y = [], 26.0
    for one in objects:
        name = one.words[0]
        heights[name] = y
        parts.append(_object(name, y, one.nearest))
        own = [two for two in tuples if len(two.words) == 2 and two.words[0] == name]
        for row, attribute in enumerate(own, start=1):
            below = y + 6 + ATTRIBUTE_STEP * row
            parts.append(_attribute(attribute.words[1], ATTRIBUTES, below, attribute.nearest))
        y += NODE_STEP + ATTRIBUTE_STEP * len(own)
    if not objects:
        return None
    arcs = [_relation(one, heights) for one in tuples if len(one.words) == 3]
    return drawing(*arcs, *parts, width=GRAPH_WIDTH, height=y - 4, label="graph of a caption")


def _shade(similarity: float) -> str:
    # red up to a similarity of .3, green from .9; chosen by eye
    share = max(0, min(100, round(100 * (similarity - 0.3) / 0.6)))
    return f"color-mix(in oklab, var(--good) {share}%, var(--bad))"


def _object(name: str, y: float, nearest: float) -> Markup:
    box = {"x": NODES, "y": y - 17, "width": NODE_WIDTH, "height": 34, "rx": 17}
    return element(
        "g",
        element("title", f"{name}: nearest {nearest:.2f}"),
        element("rect", **box, fill="var(--panel)", stroke=_shade(nearest), stroke_width=2.5),
        text(shortened(name, 15), NODES + NODE_WIDTH / 2, y + 5, text_anchor="middle"),
    )


def _attribute(name: str, x: float, y: float, nearest: float) -> Markup:
    box = {"x": x, "y": y - 14, "width": ATTRIBUTE_WIDTH, "height": 28, "rx": 4}
    return element(
        "g",
        element("title", f"{name}: nearest {nearest:.2f}"),
        element("rect", **box, fill="var(--panel)", stroke=_shade(nearest), stroke_width=1.8),
        text(shortened(name, 15), x + ATTRIBUTE_WIDTH / 2, y + 5, text_anchor="middle"),
    )


def _relation(one: ScoredTuple, heights: Mapping[str, float]) -> Markup:
    """Return an arc from subject to object; nothing when either is not drawn."""
    subject, name, target = one.words
    if subject not in heights or target not in heights or subject == target:
        return Markup("")
    start, end, shade = heights[subject], heights[target], _shade(one.nearest)
    # the arc's control points: the farther apart the two are, the farther left it bows
    bow = 140 - min(45, abs(end - start) * 0.3)
    path = f"M {NODES} {start} C {bow} {start}, {bow} {end}, {NODES} {end}"
    x = (NODES + 3 * bow) / 4 - 6  # left of the arc's middle
    return element(
        "g",
        element("path", d=path, fill="none", stroke=shade, stroke_width=1.6),
        element("circle", cx=NODES, cy=end, r=3.5, fill=shade),
        text(shortened(name, 12), x, (start + end) / 2 + 4, class_="tick", text_anchor="end"),
    )


def heat_map(
    candidate: Sequence[GraphTuple], reference: Sequence[GraphTuple], similarity: Floats
) -> Markup:
    """Return cells as strongly coloured as two tuples are similar; the best of each row is framed.

    `similarity` is (candidate tuples, reference tuples).
    """
    best = sorted(range(len(reference)), key=lambda column: -float(similarity[:, column].max()))
    columns = sorted(best[:MOST_TUPLES])
    rows = range(min(len(candidate), MOST_TUPLES))
    names = [" ".join(reference[column]) for column in columns]
    parts = [
        _heat_row(" ".join(candidate[row]), names, similarity[row, columns], TOP + row * CELL)
        for row in rows
    ]
    parts += [_column_name(name, LEFT + index * CELL + 15) for index, name in enumerate(names)]
    width = LEFT + len(columns) * CELL + 70
    height = TOP + len(rows) * CELL + 8
    return drawing(*parts, width=width, height=height, label="similarity of tuples")


def _column_name(name: str, x: float) -> Markup:
    turned = f"rotate(-52 {x} {TOP - 8})"
    return text(shortened(name, 20), x, TOP - 8, class_="tick", transform=turned)


def _heat_row(name: str, columns: Sequence[str], values: Floats, y: float) -> Markup:
    """Return one row of the heat map; `values` is (columns,)."""
    label = text(shortened(name, 26), LEFT - 8, y + 17, class_="tick", text_anchor="end")
    highest = int(values.argmax())
    cells = [
        element(
            "rect",
            element("title", f"{name} / {column}: {value:.2f}"),
            x=LEFT + index * CELL,
            y=y,
            width=CELL - 2,
            height=CELL - 2,
            rx=3,
            fill="var(--accent)",
            # the power makes high similarities stand out; nothing is wholly invisible
            fill_opacity=round(max(0.04, value) ** 1.6, 3),
            stroke="var(--ink)" if index == highest else "none",
        )
        for index, (column, value) in enumerate(zip(columns, values.tolist(), strict=True))
    ]
    return joined([label, *cells])
