"""The words of a talk in one long line, what each person marked, the windows, and the systems."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from earmark.report.figure import Figure
from earmark.report.render import render
from earmark.report.svg import element, joined, shortened, text
from earmark.task.view import View
from earmark.tasks.boundaries.report.sides import sides_of
from earmark.tasks.boundaries.score.settings import settings_of
from earmark.tasks.boundaries.score.windows import WindowSpans, find_windows, place_in
from earmark.tasks.boundaries.values import Boundaries, Panel, panel_of, transcript_of

# pixels: LETTER is the width of one in the monospaced face of page.css at 12 px
LETTER, GAP = 7.3, 9.0
ROW, TOP, LABELS = 26, 34, 132
MOST_WORDS = 2500  # a quarter of an hour of speech; more would make the page slow to open


@dataclass(frozen=True, slots=True)
class WordLine:
    """Where words are from left to right: `ends[j]` is just after word j."""

    starts: tuple[float, ...]
    ends: tuple[float, ...]

    @classmethod
    def of(cls, words: tuple[str, ...]) -> "WordLine":
        """Return places for words one after another, each as wide as its letters."""
        starts, ends, x = [], [], GAP
        for word in words:
            starts.append(x)
            x += len(word) * LETTER
            ends.append(x + GAP / 2)
            x += GAP
        return cls(tuple(starts), tuple(ends))

    @property
    def width(self) -> float:
        """The length of the whole line."""
        return self.ends[-1] + GAP


def draw_marks(view: View) -> Figure | None:
    """Return people's marks, votes, windows and systems over the words of the first transcript."""
    sides = sides_of(view)
    if sides is None:
        return None
    item = next((item for item in view.items() if item.id in sides.reference), None)
    if item is None:
        return None
    whole = transcript_of(item).words
    words = whole[:MOST_WORDS]
    panel = _clipped_panel(panel_of(sides.reference[item.id]), len(words))
    systems = {
        name: _clipped(outputs[item.id].value, len(words))
        for name, outputs in view.outputs().items()
        if item.id in outputs
    }
    cut = "" if len(words) == len(whole) else f" The first {MOST_WORDS} words."
    return Figure(
        f"{item.id}: who ends a sentence where",
        marks_picture(words, panel, systems, item=item.id),
        wide=True,
        caption=(
            "A mark is after the last word of a unit. Bands are windows: places that people "
            "marked, joined when at most two words apart; the bar counts their votes. A system's "
            "mark is filled inside a window (true positive) and hollow outside (false positive); "
            "a window without its mark (false negative) is crossed in its row. The end of the "
            f"talk does not count.{cut} Scroll sideways."
        ),
    )


def _clipped_panel(panel: Panel, length: int) -> Panel:
    return Panel(tuple(_clipped(one, length) for one in panel.references), panel.people)


def _clipped(boundaries: Boundaries, length: int) -> Boundaries:
    return Boundaries(length, frozenset(word for word in boundaries.after if word < length))


def marks_picture(
    words: tuple[str, ...], panel: Panel, systems: Mapping[str, Boundaries], *, item: str = ""
) -> Markup:
    """Return the picture: names that stay, and a long drawing that scrolls beside them."""
    line = WordLine.of(words)
    chosen = settings_of()
    windows = find_windows(panel, limit=chosen.limit, final=chosen.counts_final)
    names = [*panel.people, "votes", *systems]
    height = TOP + ROW * len(names) + 10
    parts = [_band(line, start, end, height) for start, end in _pairs(windows)]
    parts += [_rule(row, line.width) for row in range(len(names))]
    parts += [text(word, x, 20, class_="mono") for word, x in zip(words, line.starts, strict=True)]
    for row, boundaries in enumerate(panel.references):
        marked = boundaries.positions(final=False).tolist()
        parts += [_person_mark(line, word, row) for word in marked]
    parts += _votes(line, panel, row=len(panel.people))
    for row, (name, output) in enumerate(systems.items(), start=len(panel.people) + 1):
        parts += _system_marks(line, output, windows, row, name)
    return render(
        "earmark.tasks.boundaries.report/marks.html",
        item=item,
        names=_names(names, len(panel.people), height),
        drawing=element(
            "svg",
            element("title", "marks of people and systems over the words"),
            *parts,
            width=line.width,
            height=height,
            role="img",
            xmlns="http://www.w3.org/2000/svg",
        ),
    )


def _pairs(windows: WindowSpans) -> list[tuple[int, int]]:
    return list(zip(windows.first.tolist(), windows.last.tolist(), strict=True))


def _names(names: list[str], people: int, height: float) -> Markup:
    labels = [
        text(
            shortened(name, 16),
            LABELS - 12,
            _middle(row) + 4,
            text_anchor="end",
            class_="tick" if row <= people else "name",
        )
        for row, name in enumerate(names)
    ]
    return element("svg", joined(labels), width=LABELS, height=height, aria_hidden="true")


def _middle(row: int) -> float:
    return TOP + ROW * row + ROW / 2


def _band(line: WordLine, start: int, end: int, height: float) -> Markup:
    left = line.ends[start] - 6
    return element(
        "rect",
        element("title", f"window of words {start + 1} to {end + 1}"),
        x=left,
        y=26,
        width=line.ends[end] + 6 - left,
        height=height - 34,
        rx=5,
        fill="var(--accent-soft)",
    )


def _rule(row: int, width: float) -> Markup:
    return element("line", x1=0, x2=width, y1=_middle(row), y2=_middle(row), class_="grid")


def _person_mark(line: WordLine, word: int, row: int) -> Markup:
    x, y = line.ends[word], _middle(row)
    pen = {"stroke": "var(--c3)", "stroke_width": 3, "stroke_linecap": "round"}
    return element("line", x1=x, x2=x, y1=y - 8, y2=y + 8, **pen)


def _votes(line: WordLine, panel: Panel, row: int) -> list[Markup]:
    words, votes = panel.votes(final=False)
    bottom, people = _middle(row) + 10, len(panel.references)
    return [
        element(
            "rect",
            element("title", f"{count} of {people}"),
            x=line.ends[word] - 4,
            y=bottom - 20 * count / people,
            width=8,
            height=20 * count / people,
            fill="var(--doubt)",
        )
        for word, count in zip(words.tolist(), votes.tolist(), strict=True)
    ]


def _system_marks(
    line: WordLine, output: Boundaries, windows: WindowSpans, row: int, name: str
) -> list[Markup]:
    marked = output.positions(final=False)
    window, distance = place_in(windows, marked)
    parts = [
        _system_mark(line.ends[word], _middle(row), name, inside=far == 0)
        for word, far in zip(marked.tolist(), distance.tolist(), strict=True)
    ]
    hit = np.unique(window[distance == 0])
    missed = np.setdiff1d(np.arange(len(windows.first)), hit)
    missed_windows = WindowSpans(windows.first[missed], windows.last[missed])
    return parts + [_cross(line, start, end, row, name) for start, end in _pairs(missed_windows)]


def _system_mark(x: float, y: float, name: str, *, inside: bool) -> Markup:
    return element(
        "circle",
        element("title", f"{name}: {'true' if inside else 'false'} positive"),
        cx=x,
        cy=y,
        r=5.5,
        fill="var(--good)" if inside else "var(--panel)",
        stroke="var(--good)" if inside else "var(--bad)",
        stroke_width=2.2,
    )


def _cross(line: WordLine, start: int, end: int, row: int, name: str) -> Markup:
    x, y = (line.ends[start] + line.ends[end]) / 2, _middle(row)
    return element(
        "path",
        element("title", f"{name}: false negative"),
        d=f"M{x - 4:.1f},{y - 4:.1f}l8,8m0,-8l-8,8",
        stroke="var(--bad)",
        stroke_width=2.2,
        fill="none",
    )
