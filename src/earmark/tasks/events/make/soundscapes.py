"""Soundscapes: labelled clips over Brownian noise, laid out at random, with their true events."""

from collections.abc import Callable, Iterator
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
Loudness = Literal["lufs", "rms"]

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
    loudness: Loudness = option(
        "lufs",
        "How levels over the background are measured: lufs (ITU-R BS.1770, as Scaper does) or rms.",
    )
    trim: bool = option(
        True, "Leave out the silence of clips: a clip is an event only where it sounds."
    )
    silence: float = option(
        30.0, "What is this many dB under a clip's loudest 50 ms is silence, with --trim."
    )
    clip_folds: int = option(
        4,
        "Parts that share no source of clips; each recording draws from one of them, so that "
        "systems are tested on clips they did not learn from. 1: all draw from all, as in the "
        "paper.",
    )
    workers: int = option(2, "How many soundscapes are made at the same time.")

    def __post_init__(self) -> None:
        for name in ("recordings", "seconds", "polyphony", "clip_folds", "workers"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} must be >= 1", got=getattr(self, name))
        if not 0 <= self.gap_low <= self.gap_high:
            raise InputError(
                "gaps must be >= 0, the longest at least as long as the shortest",
                got=f"{self.gap_low} to {self.gap_high} s",
            )
        if not self.silence > 0:
            raise InputError("silence must be > 0 dB under the loudest part", got=self.silence)


@dataclass(frozen=True, slots=True)
class _Material:
    """What every soundscape of a study shares."""

    options: SoundscapeOptions
    folds: "tuple[Clips, ...]"
    seed: int

    def clips(self, number: int) -> "Clips":
        """Return the clips that a recording draws from."""
        return self.folds[number % len(self.folds)]


def make_soundscapes(
    source: Path | None, options: SoundscapeOptions = SoundscapeOptions(), *, seed: int
) -> Iterator[Made]:
    """Make soundscapes as in the paper: two layers of events over Brownian noise."""
    folds = clip_folds(options, options.sounds or source, seed=seed)
    expect("make", options.recordings)
    yield from _in_order(_Material(options, folds, seed))


def clip_folds(
    options: SoundscapeOptions, folder: Path | None, *, seed: int
) -> "tuple[Clips, ...]":
    """Return the clips that soundscapes are made from, of a folder or our own."""
    from earmark.tasks.events.make.clips import Silence, folder_clips, synthesised_clips

    if folder is None:
        return tuple(synthesised_clips(options.rate, seed, k) for k in range(options.clip_folds))
    return folder_clips(
        folder,
        options.rate,
        (options.shortest, options.longest),
        silence=Silence(options.silence if options.trim else None),
        folds=options.clip_folds,
        seed=seed,
    )


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
    from earmark.tasks.events.make.plan import placed_events, plan
    from earmark.tasks.events.values import Timeline

    options, clips = material.options, material.clips(number)
    name = f"soundscape-{number:02d}"
    rng = stream(material.seed, "soundscape", number)
    planned = plan(options, clips, rng)
    placed = placed_events(planned, clips)
    line = Timeline(options.seconds, tuple(each.event for each in placed))
    levels = [each.level_db for each in placed]
    details = {
        "seconds": options.seconds,
        "labels": list(clips.labels),
        "levels_db": [round(level, 3) for level in levels],
        "clips": [each.clip for each in placed],
        "clips_left_out": clips.left_out,
    }
    item = Item(name, "recording", f"sound/{name}.flac", details=details)
    texts = {
        f"labels/{name}.jams": files.write_jams(line, title=name, levels_db=levels),
        f"labels/{name}.tsv": files.write_events({name: line}, suffix=".flac"),
    }
    return Made(item, line, (mixed(options, clips, planned, rng), options.rate), texts)


def mixed(
    options: SoundscapeOptions,
    clips: "Clips",
    planned: "Sequence[PlannedEvent]",
    rng: "np.random.Generator",
) -> "Samples":
    """Return the samples of a planned soundscape."""
    from earmark.audio.level import faded
    from earmark.audio.mix import Layer, mix
    from earmark.audio.noise import noise

    rate = options.rate
    background = noise("brown", round(options.seconds * rate), rate=rate, rng=rng) * BACKGROUND
    gain = _gains(options, background)
    layers = []
    for each in planned:
        clip = clips.samples(each.event.label, each.clip)
        sound = faded(clip[: round(each.event.length * rate)], rate=rate)
        layers.append(Layer(sound, round(each.event.onset * rate), gain(sound, each.level_db)))
    return mix(background, layers)


def _gains(
    options: SoundscapeOptions, background: "Samples"
) -> "Callable[[Samples, float], float]":
    """Return a function from a sound and a level in dB to the gain that lifts it so far."""
    from earmark.audio.level import gain_over
    from earmark.audio.loudness import gain_to, loudness

    if options.loudness == "rms":
        return lambda sound, level: gain_over(sound, BACKGROUND, level_db=level)
    floor = loudness(background, options.rate)
    return lambda sound, level: gain_to(sound, options.rate, level_lufs=floor + level)
