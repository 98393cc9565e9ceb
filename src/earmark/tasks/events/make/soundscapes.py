"""Soundscapes: labelled clips over Brownian noise, laid out at random, with their true events."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from earmark.task.options import option
from earmark.task.progress import expect
from earmark.task.task import Made
from earmark.tasks.events import files
from earmark.values.errors import InputError
from earmark.values.item import Item

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from earmark.arrays import Samples
    from earmark.tasks.events.make.clips import Clips
    from earmark.tasks.events.make.plan import PlannedEvent

Intervals = Literal["gaps", "onsets"]

# Root mean square of the noise, full scale being 1: events 20 dB above it (0.2) leave headroom.
# Chosen by hand; only ratios matter, since a mix that would clip is scaled down as a whole.
BACKGROUND = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundscapeOptions:
    """How soundscapes are laid out; the defaults are those of the paper, section 3.1.

    Each `_low`, `_high` pair bounds a uniform draw.
    """

    sounds: Path | None = option(
        None,
        "Folder of labelled clips, one folder per label; without it Earmark makes six sounds "
        "itself.",
    )
    recordings: int = option(20, "How many soundscapes.")
    seconds: float = option(180.0, "How long each is.")
    rate: int = option(22050, "Samples per second.")
    polyphony: int = option(2, "How many events may sound at once.")
    gap_low: float = option(2.0, "Shortest pause between two events of a layer, in seconds.")
    gap_high: float = option(10.0, "Longest pause.")
    snr_low: float = option(0.0, "Softest event over the background, in dB.")
    snr_high: float = option(20.0, "Loudest event.")
    shortest: float = option(1.0, "Clips shorter than this are left out, and counted.")
    longest: float = option(60.0, "Clips longer than this are left out, and counted.")
    intervals: Intervals = option(
        "gaps", "Whether pauses lie between an event's end and the next onset, or between onsets."
    )
    workers: int = option(2, "How many soundscapes are made at the same time.")

    def __post_init__(self) -> None:
        for name in ("recordings", "seconds", "polyphony", "workers"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be >= 1", got=getattr(self, name))
        if not 0 <= self.gap_low <= self.gap_high:
            raise InputError(
                "gaps must be >= 0, the longest at least as long as the shortest",
                got=f"{self.gap_low} to {self.gap_high} s",
            )


@dataclass(frozen=True, slots=True)
class _Material:
    """What every soundscape of a study shares."""

    options: SoundscapeOptions
    clips: "Clips"
    seed: int


def make_soundscapes(
    source: Path | None, options: SoundscapeOptions = SoundscapeOptions(), *, seed: int
) -> Iterator[Made]:
    """Make soundscapes as in the paper: two layers of events over Brownian noise."""
    from earmark.tasks.events.make.clips import folder_clips, synthesised_clips

    folder = options.sounds or source
    limits = (options.shortest, options.longest)
    clips = (
        folder_clips(folder, options.rate, limits)
        if folder
        else synthesised_clips(options.rate, seed)
    )
    expect("make", options.recordings)
    yield from _in_order(_Material(options, clips, seed))


def _in_order(material: _Material) -> Iterator[Made]:
    """Yield soundscapes in order while a few of them are made at the same time."""
    from collections import deque
    from concurrent.futures import Future, ThreadPoolExecutor

    workers = material.options.workers
    with ThreadPoolExecutor(workers) as pool:
        pending: deque[Future[Made]] = deque()
        for number in range(material.options.recordings):
            pending.append(pool.submit(_soundscape, material, number))
            if len(pending) > workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _soundscape(material: _Material, number: int) -> Made:
    """Plan and mix one soundscape; describe its events as JAMS and TSV too."""
    from earmark.stats.draw import stream
    from earmark.tasks.events.make.plan import plan, timeline_of

    options, clips = material.options, material.clips
    name = f"soundscape-{number:02d}"
    rng = stream(material.seed, "soundscape", number)
    planned = plan(options, clips, rng)
    line = timeline_of(planned, options.seconds)
    levels = [each.level_db for each in planned]
    details = {
        "seconds": options.seconds,
        "labels": list(clips.labels),
        "levels_db": [round(level, 3) for level in levels],
        "clips_left_out": clips.left_out,
    }
    item = Item(name, "recording", f"sound/{name}.flac", details=details)
    texts = {
        f"labels/{name}.jams": files.write_jams(line, title=name, levels_db=levels),
        f"labels/{name}.tsv": files.write_events({name: line}, suffix=".flac"),
    }
    return Made(item, line, (_mixed(material, planned, rng), options.rate), texts)


def _mixed(
    material: _Material, planned: "Sequence[PlannedEvent]", rng: "np.random.Generator"
) -> "Samples":
    """Return the samples of a planned soundscape."""
    from earmark.audio.level import faded, gain_over
    from earmark.audio.mix import Layer, mix
    from earmark.audio.noise import noise

    options, rate = material.options, material.options.rate
    layers = []
    for each in planned:
        length = round(each.event.length * rate)
        clip = material.clips.samples(each.event.label, each.clip)
        sound = faded(clip[:length], rate=rate)
        gain = gain_over(sound, BACKGROUND, level_db=each.level_db)
        layers.append(Layer(sound, round(each.event.onset * rate), gain))
    background = noise("brown", round(options.seconds * rate), rate=rate, rng=rng)
    return mix(background * BACKGROUND, layers)
