"""One keyword found in one clip, as a picture."""

from collections.abc import Iterator, Sequence
from typing import Any

from earmark.report.figure import Figure
from earmark.report.svg import Scale, drawing, element, text
from earmark.task.view import View
from earmark.tasks.keywords.values import Trial
from earmark.values.item import Item

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 560, 420, 64, 48, 16
CELLS = 120


def warping_path(view: View) -> Figure | None:
    """How one enrolment lies in one clip of the same speaker: distances, and the best path."""
    chosen = _example(view)
    if chosen is None:
        return None
    import numpy as np

    from earmark.stats.warping import cosine_distances, segmental_path
    from earmark.tasks.keywords.run.speakers import samples_of
    from earmark.tasks.keywords.run.utterance import STEP, Utterance

    enrolment, clip = (Utterance(samples_of(item)) for item in chosen)
    template = enrolment.spectrum.template_in(clip.spectrum)
    distances = cosine_distances(template, clip.spectrum.shape)
    path = segmental_path(distances)
    mean = float(np.mean([distances[cell] for cell in path]))
    seconds = STEP / 100
    return Figure(
        "One keyword found in one clip",
        _heat(distances, path, seconds),
        f"The enrolment {chosen[0].id} (upwards) against the clip {chosen[1].id} (to the right): "
        "the darker, the more alike two moments are. The line is the best segmental path, from "
        f"{path[0][1] * seconds:.2f} to {path[-1][1] * seconds:.2f} s, with a mean distance of "
        f"{mean:.2f}.",
    )


def _example(view: View) -> tuple[Item, Item] | None:
    """An enrolment and the longest clip of its speaker that must wake."""
    truth = view.truth()
    if truth is None:
        return None
    from earmark.files.sound import sound_seconds

    items = view.items()
    targets = [i for i in items if i.id in truth.values and _is_target(truth.values[i.id])]
    if not targets:
        return None
    first = [i for i in targets if i.parent == targets[0].parent]
    clip = max(first, key=lambda item: (sound_seconds(str(item.media)), item.id))
    own = [i for i in items if i.kind == "enrolment" and i.parent == clip.parent]
    return (own[0], clip) if own else None


def _is_target(value: object) -> bool:
    return isinstance(value, Trial) and value.is_target


def _heat(distances: Any, path: Sequence[tuple[int, int]], seconds: float) -> str:
    """The matrix as shaded cells, the path over it."""
    rows, columns = distances.shape
    down, across = -(-rows // CELLS), -(-columns // CELLS)
    x = Scale((0, columns * seconds), (LEFT, WIDTH - 12))
    y = Scale((0, rows * seconds), (HEIGHT - BOTTOM, TOP))
    cells = [
        element(
            "rect",
            x=x(j * seconds),
            y=y((i + down) * seconds),
            width=x((j + across) * seconds) - x(j * seconds) + 0.3,
            height=y(i * seconds) - y((i + down) * seconds) + 0.3,
            fill="var(--accent)",
            fill_opacity=round(max(0.0, 1 - float(distances[i, j])) ** 1.5, 2),
        )
        for i in range(0, rows, down)
        for j in range(0, columns, across)
        if distances[i, j] < 0.9
    ]
    places = " ".join(f"{x((j + 0.5) * seconds):.1f},{y((i + 0.5) * seconds):.1f}" for i, j in path)
    line = element("polyline", points=places, fill="none", stroke="var(--bad)", stroke_width=2.5)
    label = "Distances of an enrolment and a clip, with the warping path"
    return drawing(*cells, line, *_times(x, y), width=WIDTH, height=HEIGHT, label=label)


def _times(x: Scale, y: Scale) -> Iterator[str]:
    for at in x.ticks(6):
        yield text(f"{at:g} s", x(at), HEIGHT - BOTTOM + 16, text_anchor="middle", font_size=11)
    for at in y.ticks(4):
        yield text(f"{at:g} s", LEFT - 6, y(at) + 4, text_anchor="end", font_size=11)
    yield text("clip", (LEFT + WIDTH) / 2, HEIGHT - 10, text_anchor="middle", font_size=12)
    up = HEIGHT / 2
    yield text(
        "enrolment", 14, up, text_anchor="middle", font_size=12, transform=f"rotate(-90 14 {up})"
    )
