"""One keyword located in one clip: frame distances and the warping path."""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from earmark.arrays import Floats32
from earmark.report.figure import Figure
from earmark.report.svg import COLUMN, Scale, drawing, element, text
from earmark.task.view import View
from earmark.tasks.keywords.values import Trial
from earmark.values.item import Item

HEIGHT, LEFT, RIGHT, BOTTOM, TOP = 360, 52, 12, 48, 32
MOST_CELLS = 120  # per side of the heat map; 14,400 rectangles in all
FARTHEST = 0.9  # cosine distance from which a cell is left empty: it would be almost transparent


def draw_warping(view: View) -> Figure | None:
    """Return how one enrolment lies in one clip of its speaker: distances, and the best path."""
    example = _example(view)
    if example is None:
        return None
    import numpy as np

    from earmark.stats.warping import cosine_distances, segmental_path
    from earmark.tasks.keywords.run.speakers import samples_of
    from earmark.tasks.keywords.run.utterance import STEP, Utterance

    enrolment, clip = (Utterance(samples_of(item)) for item in example)
    template = enrolment.spectrum.template_in(clip.spectrum)
    distances = cosine_distances(template, clip.spectrum.shape)  # (enrolment, clip) frames
    path = segmental_path(distances)
    mean = float(np.mean([distances[cell] for cell in path]))
    seconds = STEP / 100
    return Figure(
        "One keyword located in one clip",
        _heat_map(distances, path, seconds),
        f"The enrolment {example[0].id} (upwards) against the clip {example[1].id} (to the "
        "right): the stronger the colour, the more similar two frames are. The line is the best "
        f"segmental path, from {path[0][1] * seconds:.2f} to {path[-1][1] * seconds:.2f} s, with "
        f"a mean distance of {mean:.2f}.",
    )


def _example(view: View) -> tuple[Item, Item] | None:
    """Return an enrolment and the longest clip with the keyword by the same speaker."""
    truth = view.truth()
    if truth is None:
        return None
    from earmark.files.sound import sound_seconds

    items = view.items()
    targets = [item for item in items if item.media and _is_target(truth.values.get(item.id))]
    if not targets:
        return None
    speaker = targets[0].parent
    own = [item for item in targets if item.parent == speaker]
    clip = max(own, key=lambda item: (sound_seconds(str(item.media)), item.id))
    enrolments = [item for item in items if item.kind == "enrolment" and item.parent == speaker]
    return (enrolments[0], clip) if enrolments else None


def _is_target(value: object) -> bool:
    return isinstance(value, Trial) and value.is_target


def _heat_map(distances: Floats32, path: Sequence[tuple[int, int]], seconds: float) -> Markup:
    """Return the distances, (enrolment, clip) frames, as shaded cells with the path over them."""
    rows, columns = distances.shape
    down, across = -(-rows // MOST_CELLS), -(-columns // MOST_CELLS)
    x = Scale((0, columns * seconds), (LEFT, COLUMN - RIGHT))
    y = Scale((0, rows * seconds), (HEIGHT - BOTTOM, TOP))
    cells = [
        element(
            "rect",
            x=x(j * seconds),
            y=y((i + down) * seconds),
            # a third of a pixel of overlap hides the seams between cells
            width=x((j + across) * seconds) - x(j * seconds) + 0.3,
            height=y(i * seconds) - y((i + down) * seconds) + 0.3,
            fill="var(--accent)",
            fill_opacity=round(max(0.0, 1 - float(distances[i, j])) ** 1.5, 2),
        )
        for i in range(0, rows, down)
        for j in range(0, columns, across)
        if distances[i, j] < FARTHEST
    ]
    corners = " ".join(
        f"{x((j + 0.5) * seconds):.1f},{y((i + 0.5) * seconds):.1f}" for i, j in path
    )
    line = element("polyline", points=corners, fill="none", stroke="var(--bad)", stroke_width=2.5)
    label = "Distances of an enrolment and a clip, with the warping path"
    return drawing(*cells, line, *_axes(x, y), width=COLUMN, height=HEIGHT, label=label)


def _axes(x: Scale, y: Scale) -> Iterator[Markup]:
    for value in x.ticks(6):
        across = x(value)
        yield text(f"{value:g}", across, HEIGHT - 30, class_="tick", text_anchor="middle")
    for value in y.ticks(4):
        yield text(f"{value:g}", LEFT - 8, y(value) + 4, class_="tick", text_anchor="end")
    middle = sum(x.places) / 2
    yield text("clip (seconds)", middle, HEIGHT - 8, class_="axis", text_anchor="middle")
    yield text("enrolment (seconds)", 4, TOP - 12, class_="axis")
