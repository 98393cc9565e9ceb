"""Truth, references and outputs over the spectrogram, with a player that a line follows."""

from collections.abc import Mapping
from pathlib import Path

from earmark.report.figure import Figure
from earmark.report.svg import Scale, drawing, element, legend, text
from earmark.task.view import View
from earmark.tasks.events.values import Timeline
from earmark.values.item import Item

LEFT, RIGHT, WIDE = 136.0, 12.0, 960.0
STRIP, ROW, BETWEEN = 96.0, 9.0, 12.0
SHOWN, LONGEST = 2, 400.0
FOLLOW = """<script>(() => {
  const box = document.currentScript.parentElement, sound = box.querySelector("audio");
  const line = box.querySelector("line.now"), svg = box.querySelector("svg");
  const left = +line.dataset.left, right = +line.dataset.right, end = +line.dataset.end;
  const place = () => {
    const x = left + (right - left) * Math.min(1, sound.currentTime / end);
    line.setAttribute("x1", x); line.setAttribute("x2", x);
    if (!sound.paused) requestAnimationFrame(place);
  };
  sound.addEventListener("play", place); sound.addEventListener("seeked", place);
  sound.addEventListener("timeupdate", place);
  svg.addEventListener("click", (event) => {
    const at = svg.createSVGPoint(); at.x = event.clientX; at.y = event.clientY;
    const x = at.matrixTransform(svg.getScreenCTM().inverse()).x;
    sound.currentTime = Math.max(0, Math.min(end, (x - left) / (right - left) * end));
  });
})();</script>"""


def timeline(view: View) -> Figure | None:
    """The first recordings of a study, each with its player."""
    items = [item for item in view.items() if item.media]
    sources = lines_by_source(view)
    if not items or not sources:
        return None
    shown: list[str] = []
    total = 0.0
    for item in items[:SHOWN]:
        length = next(iter(sources.values()))[item.id].duration
        if shown and total + length > LONGEST:
            break
        total += length
        shown.append(recording(item, {name: rows[item.id] for name, rows in sources.items()}))
    return Figure(
        "Who heard what, when",
        legend(list(sources)) + "".join(shown),
        caption=(
            "Each label has one row a source, in the order of the legend. Behind a reference, "
            "doubt: the darker, the less sure. Press play, or click into the picture."
        ),
        wide=True,
    )


def lines_by_source(view: View) -> dict[str, Mapping[str, Timeline]]:
    """The truth first, then references, then systems; a reference run as a system stands once."""
    found: dict[str, Mapping[str, Timeline]] = {}
    references = view.references()
    for name in sorted(references, key=lambda each: each != "truth"):
        found[name] = references[name].values
    for name, outputs in view.outputs().items():
        if name not in found:
            found[name] = {item: output.value for item, output in outputs.items()}
    wanted = {item.id for item in view.items()}
    return {name: rows for name, rows in found.items() if wanted <= set(rows)}


def recording(item: Item, sources: Mapping[str, Timeline]) -> str:
    """One recording: spectrogram, rows of events, player."""
    from earmark.tasks.events.report.picture import playable, spectrogram

    path = Path(str(item.media))
    labels = sorted({label for line in sources.values() for label in line.labels})
    end = max(line.duration for line in sources.values())
    x = Scale((0.0, end), (LEFT, WIDE - RIGHT))
    group = ROW * len(sources) + BETWEEN
    height = STRIP + 8 + group * len(labels) + 22
    parts = [
        element(
            "image",
            href=spectrogram(path),
            x=LEFT,
            y=0,
            width=WIDE - LEFT - RIGHT,
            height=STRIP,
            preserveAspectRatio="none",
        ),
        *_seconds(x, end, height),
    ]
    for number, label in enumerate(labels):
        parts += _rows(label, STRIP + 10 + number * group, x, sources)
    parts.append(_cursor(x, end, height))
    svg = drawing(*parts, width=WIDE, height=height, label=f"Timeline of {item.id}")
    player = (
        f'<audio controls preload="metadata" src="{playable(path)}" style="width:100%"></audio>'
    )
    return f'<div class="scroll"><h3>{item.id}</h3>{svg}{player}{FOLLOW}</div>'


def _seconds(x: Scale, end: float, height: float) -> list[str]:
    parts = []
    for value in x.ticks():
        if 0 <= value <= end:
            at = x(value)
            parts.append(element("line", x1=at, x2=at, y1=0, y2=height - 18, class_="grid"))
            mark = text(f"{value:g} s", at, height - 4, class_="tick", text_anchor="middle")
            parts.append(mark)
    return parts


def _rows(label: str, top: float, x: Scale, sources: Mapping[str, Timeline]) -> list[str]:
    middle = top + ROW * len(sources) / 2 + 4
    parts = [text(label.replace("_", " "), LEFT - 10, middle, text_anchor="end")]
    for row, (name, line) in enumerate(sources.items()):
        y, colour = top + row * ROW, f"var(--c{row % 6 + 1})"
        parts += _doubts(label, line, x, y)
        for event in line.events:
            if event.label == label:
                told = f"{name}: {label} from {event.onset:g} to {event.offset:g} s"
                wide = max(1.0, x(event.offset) - x(event.onset))
                bar = {"x": x(event.onset), "y": y + 1, "width": wide, "height": ROW - 2}
                parts.append(element("rect", element("title", told), rx=2, fill=colour, **bar))
    return parts


def _doubts(label: str, line: Timeline, x: Scale, y: float) -> list[str]:
    cells = dict(line.doubt).get(label, ())
    parts = []
    for k, value in enumerate(cells):
        if value > 0.2:
            left, right = (x(line.duration * n / len(cells)) for n in (k, k + 1))
            box = {"x": left, "y": y, "width": right - left, "height": ROW}
            parts.append(element("rect", fill="var(--doubt)", opacity=round(0.3 * value, 2), **box))
    return parts


def _cursor(x: Scale, end: float, height: float) -> str:
    places = {"data-left": x(0.0), "data-right": x(end), "data-end": end}
    told = "".join(f' {name}="{value:.3f}"' for name, value in places.items())
    return (
        f'<line class="now"{told} x1="{x(0.0):.2f}" x2="{x(0.0):.2f}" y1="0" '
        f'y2="{height - 18:.2f}" stroke="var(--bad)" stroke-width="1.5"/>'
    )
