"""Truth, references and outputs over the spectrogram, with a player that a line follows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from earmark.report.figure import Figure
from earmark.report.render import render
from earmark.report.svg import Scale, colour, drawing, element, text
from earmark.task.view import View
from earmark.tasks.events.values import Timeline
from earmark.values.item import Item

# pixels of the drawing: margins, its width, the spectrogram's height, a source's row within a
# label, and the space between labels
LEFT, RIGHT, WIDTH = 136.0, 12.0, 960.0
SPECTROGRAM, ROW, BETWEEN = 96.0, 9.0, 12.0
# each recording's sound is part of the page: two of them, or one if they are long
MOST_RECORDINGS, MOST_SECONDS = 2, 400.0
LEAST_DOUBT = 0.2  # below, nothing is shaded; chosen by hand, not tuned


@dataclass(frozen=True, slots=True)
class DrawnRecording:
    """One recording on the page; `sound` is a data address, empty where there is no sound."""

    name: str
    drawing: Markup
    sound: str


def draw_timeline(view: View) -> Figure | None:
    """Return the first recordings of a study, each with its player if it has sound."""
    items = view.items()
    playable = [item for item in items if item.media]
    sources = timelines_by_source(view, {item.id for item in items})
    if not items or not sources:
        return None
    lengths = {item: line.duration for item, line in next(iter(sources.values())).items()}
    recordings = [
        _recording(item, {name: lines[item.id] for name, lines in sources.items()})
        for item in _first_items(playable or items, lengths)
    ]
    return Figure(
        "Who heard what, when",
        render(
            "earmark.tasks.events.report/timeline.html",
            sources=list(sources),
            recordings=recordings,
        ),
        caption=(
            "Each label has one row per source, in the order of the legend; a click on a source "
            "hides or shows it. The shading behind a reference is its uncertainty."
            + (" Press play, or click into the picture to go there." if playable else "")
        ),
        wide=True,
        script=files("earmark.tasks.events.report").joinpath("player.js").read_text("utf-8"),
    )


def _first_items(items: Sequence[Item], lengths: Mapping[str, float]) -> list[Item]:
    """Return the first item, and others after it while the page does not grow too large."""
    chosen, total = [items[0]], lengths[items[0].id]
    for item in items[1:MOST_RECORDINGS]:
        total += lengths[item.id]
        if total > MOST_SECONDS:
            break
        chosen.append(item)
    return chosen


def timelines_by_source(view: View, items: set[str]) -> dict[str, Mapping[str, Timeline]]:
    """Return what has a timeline for all items: the truth, then references, then systems.

    A reference that was run as a system is there once.
    """
    sources: dict[str, Mapping[str, Timeline]] = {}
    references = view.references()
    for name in sorted(references, key=lambda each: each != "truth"):
        sources[name] = references[name].values
    for name, outputs in view.outputs().items():
        if name not in sources:
            sources[name] = {item: output.value for item, output in outputs.items()}
    return {name: lines for name, lines in sources.items() if items <= set(lines)}


def _recording(item: Item, sources: Mapping[str, Timeline]) -> DrawnRecording:
    labels = sorted({label for line in sources.values() for label in line.labels})
    # a recording of no length is silent and without sound: one second of nothing is drawn
    end = max(line.duration for line in sources.values()) or 1.0
    x = Scale((0.0, end), (LEFT, WIDTH - RIGHT))
    group = ROW * len(sources) + BETWEEN
    top = SPECTROGRAM + 8 if item.media else 0.0
    height = top + group * len(labels) + 22
    parts = [*_image(item.media), *_seconds(x, end, height)]
    for number, label in enumerate(labels):
        parts += _label_rows(label, top + 2 + number * group, x, sources)
    if item.media:
        parts.append(_cursor(x, end, height))
    picture = drawing(*parts, width=WIDTH, height=height, label=f"Timeline of {item.id}")
    return DrawnRecording(item.id, picture, _sound(item.media))


def _sound(media: str | None) -> str:
    from earmark.tasks.events.report.picture import playable

    return playable(Path(media)) if media else ""


def _image(media: str | None) -> list[Markup]:
    """Return the spectrogram, where there is sound."""
    from earmark.tasks.events.report.picture import spectrogram

    if not media:
        return []
    box = {"x": LEFT, "y": 0, "width": WIDTH - LEFT - RIGHT, "height": SPECTROGRAM}
    return [element("image", href=spectrogram(Path(media)), **box, preserveAspectRatio="none")]


def _seconds(x: Scale, end: float, height: float) -> list[Markup]:
    parts = []
    for value in x.ticks():
        if 0 <= value <= end:
            left = x(value)
            parts.append(element("line", x1=left, x2=left, y1=0, y2=height - 18, class_="grid"))
            label = text(f"{value:g} s", left, height - 4, class_="tick", text_anchor="middle")
            parts.append(label)
    return parts


def _label_rows(label: str, top: float, x: Scale, sources: Mapping[str, Timeline]) -> list[Markup]:
    middle = top + ROW * len(sources) / 2 + 4
    parts = [text(label.replace("_", " "), LEFT - 10, middle, text_anchor="end")]
    for row, (name, line) in enumerate(sources.items()):
        y = top + row * ROW
        bars = _doubts(label, line, x, y)
        for event in line.events:
            if event.label == label:
                hint = f"{name}: {label} from {event.onset:g} to {event.offset:g} s"
                width = max(1.0, x(event.offset) - x(event.onset))
                bar = {"x": x(event.onset), "y": y + 1, "width": width, "height": ROW - 2}
                bars.append(element("rect", element("title", hint), rx=2, fill=colour(row), **bar))
        if bars:
            parts.append(element("g", *bars, data_source=row))
    return parts


def _doubts(label: str, line: Timeline, x: Scale, y: float) -> list[Markup]:
    cells = dict(line.doubt).get(label, ())
    parts = []
    for index, value in enumerate(cells):
        if value > LEAST_DOUBT:
            left, right = (x(line.duration * n / len(cells)) for n in (index, index + 1))
            box = {"x": left, "y": y, "width": right - left, "height": ROW}
            parts.append(element("rect", fill="var(--doubt)", opacity=round(0.3 * value, 2), **box))
    return parts


def _cursor(x: Scale, end: float, height: float) -> Markup:
    """Return the line that follows the sound; player.js reads its data."""
    return element(
        "line",
        class_="now",
        data_left=x(0.0),
        data_right=x(end),
        data_end=f"{end:.3f}",
        x1=x(0.0),
        x2=x(0.0),
        y1=0,
        y2=height - 18,
        stroke="var(--bad)",
        stroke_width=1.5,
    )
