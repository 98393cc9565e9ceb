"""Which sound comes when: the plan of a soundscape, before anything sounds.

Two layers, each a row of events with gaps between them, so that never more than two sound at once
(Martin-Morato et al. 2021, section 3.1; `facts` of this reading are in the task's README).
"""

from collections.abc import Callable, Sequence

import numpy as np

from earmark.tasks.events.plan_values import Placed, Score
from earmark.tasks.events.values import Event, Timeline
from earmark.values.span import on_grid

TRIES = 50


Lengths = Callable[[str, np.random.Generator], tuple[int, float]]


def plan(
    score: Score, labels: Sequence[str], lengths: Lengths, rng: np.random.Generator
) -> tuple[Placed, ...]:
    """Events with clips and levels, sorted by onset.

    `lengths(label, rng)` draws a clip of the label and says how long it is. A label that already
    sounds is drawn again; what would outlast the recording is cut, unless less than a second of it
    is left.
    """
    placed: list[Placed] = []
    ends = [0.0] * score.polyphony
    onset = 0.0
    while True:
        layer, onset = _next_onset(score, ends, onset, rng)
        if onset > score.seconds - 1.0:
            ends[layer] = float("inf")
            if min(ends) == float("inf") or score.intervals == "onsets":
                break
            continue
        drawn = _draw(score, placed, labels, (onset, lengths), rng)
        if drawn is None:
            ends[layer] = onset
            continue
        placed.append(drawn)
        ends[layer] = drawn.event.offset
    return tuple(sorted(placed, key=lambda each: each.event.onset))


def _next_onset(
    score: Score, ends: list[float], last: float, rng: np.random.Generator
) -> tuple[int, float]:
    layer = int(np.argmin(ends))
    if score.intervals == "gaps":
        return layer, on_grid(ends[layer] + rng.uniform(*score.gap))
    return layer, on_grid(max(last + rng.uniform(*score.gap), ends[layer]))


def _draw(
    score: Score,
    placed: Sequence[Placed],
    labels: Sequence[str],
    where: tuple[float, Lengths],
    rng: np.random.Generator,
) -> Placed | None:
    onset, lengths = where
    for _ in range(TRIES):
        label = str(labels[int(rng.integers(len(labels)))])
        clip, length = lengths(label, rng)
        offset = on_grid(min(onset + length, score.seconds))
        level = float(rng.uniform(*score.level_db))
        if offset - onset >= min(1.0, length) and not _sounds(placed, label, onset, offset):
            return Placed(Event(label, onset, offset), clip, level)
    return None


def _sounds(placed: Sequence[Placed], label: str, onset: float, offset: float) -> bool:
    return any(
        each.event.label == label and each.event.onset < offset and onset < each.event.offset
        for each in placed
    )


def timeline_of(placed: Sequence[Placed], seconds: float) -> Timeline:
    """The truth about a planned soundscape."""
    return Timeline(seconds, tuple(each.event for each in placed))
