"""Material: soundscapes laid out by chance from labelled clips, with the truth about them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.task.task import Made
from earmark.tasks.events import files
from earmark.tasks.events.plan_values import Intervals, Score
from earmark.values.errors import InputError
from earmark.values.item import Item

if TYPE_CHECKING:
    from earmark.tasks.events.clips import Clips


@dataclass(frozen=True, slots=True)
class Design:
    """What every soundscape of a study shares."""

    score: Score
    clips: "Clips"
    rate: int
    seed: int


def make_soundscapes(  # noqa: PLR0913
    source: Path | None,
    *,
    seed: int,
    sounds: Path | None = None,
    recordings: int = 20,
    seconds: float = 180.0,
    rate: int = 22050,
    polyphony: int = 2,
    gap_low: float = 2.0,
    gap_high: float = 10.0,
    snr_low: float = 0.0,
    snr_high: float = 20.0,
    shortest: float = 1.0,
    longest: float = 60.0,
    intervals: Intervals = "gaps",
    workers: int = 2,
) -> Iterator[Made]:
    """Soundscapes as in the paper: two layers of events over Brownian noise.

    Parameters
    ----------
    sounds
        Folder of labelled clips, one folder a label; without it Earmark makes six sounds itself.
    recordings
        How many soundscapes.
    seconds
        How long each is.
    rate
        Samples a second.
    polyphony
        How many events may sound at once.
    gap_low
        Shortest pause between two events of a layer, in seconds.
    gap_high
        Longest pause.
    snr_low
        Softest event over the background, in dB.
    snr_high
        Loudest event.
    shortest
        Clips shorter than this are left out, and counted.
    longest
        Clips longer than this are left out, and counted.
    intervals
        Whether pauses lie between an event's end and the next onset, or between onsets.
    workers
        How many soundscapes are made at the same time.
    """
    from earmark.tasks.events.clips import folder_clips, made_clips

    if recordings < 1 or workers < 1:
        raise InputError("there must be a recording and a worker", got=(recordings, workers))
    folder = sounds or source
    limits = (shortest, longest)
    clips = folder_clips(folder, rate, limits) if folder else made_clips(rate, seed)
    levels = (snr_low, snr_high)
    score = Score(seconds, polyphony, (gap_low, gap_high), levels, intervals)
    design = Design(score, clips, rate, seed)
    yield from _in_order(design, recordings, workers)


def _in_order(design: Design, recordings: int, workers: int) -> Iterator[Made]:
    """Soundscapes made side by side, handed out in order, a few at a time."""
    from collections import deque
    from concurrent.futures import Future, ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        coming: deque[Future[Made]] = deque()
        for number in range(recordings):
            coming.append(pool.submit(soundscape, design, number))
            if len(coming) > workers:
                yield coming.popleft().result()
        while coming:
            yield coming.popleft().result()


def soundscape(design: Design, number: int) -> Made:
    """One soundscape: planned, mixed, and told as JAMS and TSV."""
    from earmark.audio.level import faded, gain_over
    from earmark.audio.mix import Layer, mix
    from earmark.audio.noise import noise
    from earmark.stats.draw import stream
    from earmark.tasks.events.plan import plan, timeline_of

    name = f"soundscape-{number:02d}"
    rng, rate, clips = stream(design.seed, "soundscape", number), design.rate, design.clips
    placed = plan(design.score, clips.labels, clips.draw, rng)
    line = timeline_of(placed, design.score.seconds)
    layers = []
    for each in placed:
        length = round(each.event.length * rate)
        sound = faded(clips.samples(each.event.label, each.clip)[:length], rate=rate)
        gain = gain_over(sound, 0.02, level_db=each.level_db)
        layers.append(Layer(sound, round(each.event.onset * rate), gain))
    background = noise("brown", round(design.score.seconds * rate), rate=rate, rng=rng)
    mixed = mix(background * 0.02, layers)
    details = {
        "seconds": design.score.seconds,
        "labels": list(clips.labels),
        "levels_db": [round(each.level_db, 3) for each in placed],
        "clips_left_out": clips.left_out,
    }
    item = Item(name, "recording", f"sound/{name}.flac", details=details)
    levels = [each.level_db for each in placed]
    texts = {
        f"labels/{name}.jams": files.write_jams(line, title=name, levels_db=levels),
        f"labels/{name}.tsv": files.write_events({name: line}, suffix=".flac"),
    }
    return Made(item, line, (mixed, rate), texts)
