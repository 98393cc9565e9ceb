"""Which sound comes when: the plan of a soundscape, before anything is synthesised.

Two layers, each a sequence of events with gaps between them, so that never more than two sound at
once (Martin-Morato et al. 2021, section 3.1). The paper's "intervals between consecutive events"
can be read as gaps from an end to the next onset, or as times from onset to onset; `intervals`
chooses, and gaps are the default because they keep the polyphony by construction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from earmark.tasks.events.make.soundscapes import SoundscapeOptions
from earmark.tasks.events.values import Event, Timeline
from earmark.values.span import on_grid

if TYPE_CHECKING:
    from earmark.tasks.events.make.clips import Clips

# Draws of a label and clip before a layer gives up on an onset. With two of six labels sounding
# already, 50 draws in a row fail with probability 1e-24: a layer gives up where nothing can fit.
TRIES = 50

# Seconds of an event that must fit before the end of the recording: the paper's shortest clip.
SHORTEST = 1.0

# A layer whose next onset would lie behind the recording's last place for an event.
FULL = float("inf")


class LabelledClips(Protocol):
    """The labels there are, and a way to draw one of their clips."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels, sorted."""

    def draw(self, label: str, rng: np.random.Generator) -> tuple[int, float]:
        """Return the number and the seconds of a clip of the label."""


@dataclass(frozen=True, slots=True)
class PlannedEvent:
    """An event, the clip that it is cut from, and its level over the background."""

    event: Event
    clip: int
    level_db: float


def plan(
    options: SoundscapeOptions, clips: LabelledClips, rng: np.random.Generator
) -> tuple[PlannedEvent, ...]:
    """Return the events of one soundscape with their clips and levels, sorted by onset.

    A label that already sounds is drawn again; what would outlast the recording is cut, unless
    less than a second of it is left.
    """
    planned: list[PlannedEvent] = []
    ends = [0.0] * options.polyphony  # of each layer's latest event
    onset = 0.0
    while True:
        layer, onset = _next_onset(options, ends, onset, rng)
        if onset > options.seconds - SHORTEST:
            ends[layer] = FULL
            # onsets follow one another whatever the layer, so the first late one is the last
            if min(ends) == FULL or options.intervals == "onsets":
                break
            continue
        drawn = _draw_event(options, planned, clips, onset, rng)
        if drawn is None:
            ends[layer] = onset
            continue
        planned.append(drawn)
        ends[layer] = drawn.event.offset
    return tuple(sorted(planned, key=lambda each: each.event.onset))


def _next_onset(
    options: SoundscapeOptions, ends: list[float], last: float, rng: np.random.Generator
) -> tuple[int, float]:
    """Return the layer that is free first, and when its next event begins."""
    layer = int(np.argmin(ends))
    interval = rng.uniform(options.gap_low, options.gap_high)
    if options.intervals == "gaps":
        return layer, on_grid(ends[layer] + interval)
    return layer, on_grid(max(last + interval, ends[layer]))


def _draw_event(
    options: SoundscapeOptions,
    planned: Sequence[PlannedEvent],
    clips: LabelledClips,
    onset: float,
    rng: np.random.Generator,
) -> PlannedEvent | None:
    """Draw label, clip and level of an event at that onset; None when nothing fits there."""
    labels = clips.labels
    for _ in range(TRIES):
        label = str(labels[int(rng.integers(len(labels)))])
        clip, length = clips.draw(label, rng)
        offset = on_grid(min(onset + length, options.seconds))
        level = float(rng.uniform(options.snr_low, options.snr_high))
        long_enough = offset - onset >= min(SHORTEST, length)
        if long_enough and not _sounds(planned, label, onset, offset):
            return PlannedEvent(Event(label, onset, offset), clip, level)
    return None


def _sounds(planned: Sequence[PlannedEvent], label: str, onset: float, offset: float) -> bool:
    return any(
        each.event.label == label and each.event.onset < offset and onset < each.event.offset
        for each in planned
    )


class PlacedEvent(NamedTuple):
    """An event as it sounds: the level of its clip over the background, and the clip's name."""

    event: Event
    level_db: float
    clip: str


def placed_events(planned: Sequence[PlannedEvent], clips: "Clips") -> tuple[PlacedEvent, ...]:
    """Return what sounds when: one event per stretch of a clip, so that its silences are none."""
    placed = []
    for each in planned:
        label, start, end = each.event.label, each.event.onset, each.event.offset
        name = clips.names[label][each.clip]
        for onset, offset in clips.stretches[label][each.clip]:
            first, last = on_grid(start + onset), on_grid(min(start + offset, end))
            if first < last:
                placed.append(PlacedEvent(Event(label, first, last), each.level_db, name))
    # in the order in which a timeline keeps its events
    return tuple(sorted(placed, key=lambda p: (p.event.onset, p.event.offset, p.event.label)))


def timeline_of(planned: Sequence[PlannedEvent], seconds: float) -> Timeline:
    """Return the timeline of a planned soundscape whose clips hold no silence."""
    return Timeline(seconds, tuple(each.event for each in planned))
