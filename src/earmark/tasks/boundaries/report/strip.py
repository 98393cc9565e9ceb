"""The strip: the words of a talk, what each person marked, the windows, and what systems said."""

from dataclasses import dataclass

from earmark.report.figure import Figure
from earmark.report.svg import element, text
from earmark.task.view import View
from earmark.tasks.boundaries.make import transcript_of
from earmark.tasks.boundaries.report.held import held_reference, system_outputs
from earmark.tasks.boundaries.score.arrays import general, positions
from earmark.tasks.boundaries.score.settings import settings
from earmark.tasks.boundaries.score.windows import find_windows, place_in
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of

LETTER, GAP, ROW, TOP, LABELS = 7.3, 9.0, 26, 34, 132
MOST_WORDS = 2500
MONO = "font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace"


@dataclass(frozen=True, slots=True)
class Lane:
    """Where words stand from left to right: `ends[j]` is just after word j."""

    starts: tuple[float, ...]
    ends: tuple[float, ...]

    @classmethod
    def of(cls, words: tuple[str, ...]) -> "Lane":
        """Words one after another, each as wide as its letters."""
        starts, ends, at = [], [], GAP
        for word in words:
            starts.append(at)
            at += len(word) * LETTER
            ends.append(at + GAP / 2)
            at += GAP
        return cls(tuple(starts), tuple(ends))

    @property
    def width(self) -> float:
        """How long the strip is."""
        return self.ends[-1] + GAP


def draw_strip(view: View) -> Figure | None:
    """References, votes, windows and systems over the words of the first transcript."""
    held = held_reference(view)
    items = view.items()
    if held is None or not items:
        return None
    item = next((one for one in items if one.id in held[1]), None)
    if item is None:
        return None
    words = transcript_of(item).words[:MOST_WORDS]
    panel = clip(panel_of(held[1][item.id]), len(words))
    outputs = system_outputs(view, {item.id})
    systems = {name: _clipped(found[item.id], len(words)) for name, found in outputs.items()}
    cut = "" if len(words) < MOST_WORDS else f" The first {MOST_WORDS} words."
    return Figure(
        f"{item.id}: who ends a sentence where",
        strip(words, panel, systems),
        wide=True,
        caption=(
            "A mark stands after the last word of a unit. Bands are windows: places that people "
            "marked, joined when at most two words apart; the bar counts their votes. A system's "
            "mark is filled inside a window and hollow outside; a window it missed is crossed in "
            f"its row. The end of the talk does not count.{cut} Scroll sideways."
        ),
    )


def clip(panel: Panel, length: int) -> Panel:
    """The panel over the first words only."""
    return Panel(tuple(_clipped(one, length) for one in panel.references), panel.people)


def _clipped(one: Boundaries, length: int) -> Boundaries:
    return Boundaries(length, frozenset(at for at in one.after if at < length))


def strip(words: tuple[str, ...], panel: Panel, systems: dict[str, Boundaries]) -> str:
    """The picture as HTML: names that stay, and a long drawing that scrolls beside them."""
    lane = Lane.of(words)
    chosen = settings()
    first, last = find_windows(panel, limit=chosen.limit, final=chosen.counts_final)
    rows = [*panel.people, "votes", *systems]
    height = TOP + ROW * len(rows) + 10
    bands = [
        _band(lane, start, end, height)
        for start, end in zip(first.tolist(), last.tolist(), strict=True)
    ]
    told = [
        text(word, start, 20, style=MONO) for word, start in zip(words, lane.starts, strict=True)
    ]
    parts = [*bands, *_rules(rows, lane.width), *told]
    for index, one in enumerate(panel.references):
        parts += [
            _tick(lane, at, index, "var(--c3)") for at in positions(one, final=False).tolist()
        ]
    parts += _votes(lane, panel, len(panel.people))
    for index, (name, one) in enumerate(systems.items(), start=len(panel.people) + 1):
        parts += _system(lane, one, (first.tolist(), last.tolist()), index, name)
    return _beside(rows, panel, _svg(parts, lane.width, height), height)


def _svg(parts: list[str], width: float, height: float) -> str:
    return element(
        "svg",
        element("title", "marks of people and systems over the words"),
        *parts,
        width=width,
        height=height,
        role="img",
        style="display:block;max-width:none",
        xmlns="http://www.w3.org/2000/svg",
    )


def _beside(rows: list[str], panel: Panel, drawing: str, height: float) -> str:
    names = "".join(
        text(
            _short(name),
            LABELS - 12,
            _middle(index) + 4,
            text_anchor="end",
            fill="var(--soft)" if index <= len(panel.people) else "var(--ink)",
        )
        for index, name in enumerate(rows)
    )
    left = element("svg", names, width=LABELS, height=height, style="flex:none", aria_hidden="true")
    scroll = element(
        "div",
        drawing,
        class_="scroll",
        tabindex=0,
        style="min-width:0;border-left:1px solid var(--faint)",
    )
    return element("div", left, scroll, style="display:flex;padding-bottom:.4rem")


def _short(name: str) -> str:
    return name if len(name) <= 16 else name[:15] + "…"


def _middle(index: int) -> float:
    return TOP + ROW * index + ROW / 2


def _band(lane: Lane, start: int, end: int, height: float) -> str:
    left = lane.ends[start] - 6
    return element(
        "rect",
        element("title", f"window of words {start + 1} to {end + 1}"),
        x=left,
        y=26,
        width=lane.ends[end] + 6 - left,
        height=height - 34,
        rx=5,
        fill="var(--accent-soft)",
    )


def _rules(rows: list[str], width: float) -> list[str]:
    return [
        element("line", x1=0, x2=width, y1=_middle(at), y2=_middle(at), stroke="var(--faint)")
        for at in range(len(rows))
    ]


def _tick(lane: Lane, at: int, index: int, colour: str) -> str:
    x = lane.ends[at]
    return element(
        "line",
        x1=x,
        x2=x,
        y1=_middle(index) - 8,
        y2=_middle(index) + 8,
        stroke=colour,
        stroke_width=3,
        stroke_linecap="round",
    )


def _votes(lane: Lane, panel: Panel, index: int) -> list[str]:
    where, votes = general(panel, False)
    bottom = _middle(index) + 10
    most = len(panel.references)
    return [
        element(
            "rect",
            element("title", f"{count} of {most}"),
            x=lane.ends[at] - 4,
            y=bottom - 20 * count / most,
            width=8,
            height=20 * count / most,
            fill="var(--doubt)",
        )
        for at, count in zip(where.tolist(), votes.tolist(), strict=True)
    ]


def _system(
    lane: Lane, one: Boundaries, windows: tuple[list[int], list[int]], index: int, name: str
) -> list[str]:
    import numpy as np

    first, last = (np.array(side, dtype=np.int64) for side in windows)
    where = positions(one, final=False)
    before, distance = place_in(first, last, where)
    parts = []
    for at, far in zip(where.tolist(), distance.tolist(), strict=True):
        inside = far == 0
        parts.append(
            element(
                "circle",
                element("title", f"{name}: {'in a window' if inside else 'made up'}"),
                cx=lane.ends[at],
                cy=_middle(index),
                r=5.5,
                fill="var(--good)" if inside else "var(--panel)",
                stroke="var(--good)" if inside else "var(--bad)",
                stroke_width=2.2,
            )
        )
    hit = set(before[distance == 0].tolist())
    missed = [n for n in range(len(first)) if n not in hit]
    return parts + [_cross(lane, windows[0][n], windows[1][n], index, name) for n in missed]


def _cross(lane: Lane, start: int, end: int, index: int, name: str) -> str:
    x, y = (lane.ends[start] + lane.ends[end]) / 2, _middle(index)
    path = f"M{x - 4:.1f},{y - 4:.1f}l8,8m0,-8l-8,8"
    return element(
        "path",
        element("title", f"{name}: missed"),
        d=path,
        stroke="var(--bad)",
        stroke_width=2.2,
        fill="none",
    )
