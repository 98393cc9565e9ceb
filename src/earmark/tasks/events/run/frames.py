"""Recordings as frames of band energies, labels as frames of 0 and 1, and frames as events."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Floats, Floats32, Samples
from earmark.audio.features import cut_frames, mel_filters
from earmark.files.sound import read_sound
from earmark.tasks.events.values import Event, FrameScores, Timeline, recording_seconds
from earmark.values.errors import InputError
from earmark.values.item import Item

# Frames whose spectra are computed at a time, so that long recordings need little memory.
BLOCK = 512

# Added to an energy before its logarithm, and to a deviation before dividing by it: silence is
# finite, and a band in which nothing happens stays near 0.
LEAST_ENERGY, LEAST_DEVIATION = 1e-8, 1e-3

# Scores are smoothed by a running median of this many seconds, unless a model says otherwise;
# shorter events are lost. Chosen by hand, half the shortest clip of a soundscape.
SMOOTHED = 0.5


@dataclass(frozen=True, slots=True)
class Bands:
    """How a recording becomes frames; window, hop and bands are those of Adavanne et al. 2017."""

    rate: int = 22050
    window: int = 2048
    hop: int = 1024
    bands: int = 40

    @property
    def seconds(self) -> float:
        """Seconds from one frame to the next."""
        return self.hop / self.rate


@dataclass(frozen=True, slots=True)
class ScoreReading:
    """How scores become events, label by label.

    `medians` are the seconds of each label's running median, `thresholds` the scores above which
    it is active.
    """

    thresholds: tuple[float, ...]
    medians: tuple[float, ...]

    @classmethod
    def even(cls, labels: int, threshold: float) -> "ScoreReading":
        """Return the same reading for every label."""
        return cls((threshold,) * labels, (SMOOTHED,) * labels)


def item_power(item: Item, bands: Bands) -> Floats32:
    """Return the mel energies of a recording: (frames, bands)."""
    if item.media is None:
        raise InputError("a system needs the sound of a recording", at=f"item {item.id}")
    samples, _ = read_sound(item.media, rate=bands.rate)
    return mel_power(samples, bands)


def mel_power(samples: Samples, bands: Bands) -> Floats32:
    """Return mel energies, (frames, bands); frame k is centred on the middle of hop k."""
    count = max(1, -(-len(samples) // bands.hop))
    before = (bands.window - bands.hop) // 2
    length = (count - 1) * bands.hop + bands.window
    padded = np.pad(samples, (before, max(0, length - before - len(samples))))
    strided = cut_frames(padded, length=bands.window, hop=bands.hop)[:count]
    taper = np.hanning(bands.window).astype(np.float32)
    filters = mel_filters(bands.bands, bands.window, bands.rate, slopes="hertz")
    weights = np.ascontiguousarray(filters.T)  # (bins, bands)
    rows = []
    for first in range(0, count, BLOCK):
        spectrum = np.abs(np.fft.rfft(strided[first : first + BLOCK] * taper, axis=1)) ** 2
        rows.append(spectrum.astype(np.float32) @ weights)
    return np.concatenate(rows)


def standardised(power: Floats32) -> Floats32:
    """Return log energies, each band with mean 0 and deviation 1 over the recording."""
    energies = np.log(power + LEAST_ENERGY)
    deviation = energies.std(axis=0) + LEAST_DEVIATION
    return np.asarray((energies - energies.mean(axis=0)) / deviation, dtype=np.float32)


def targets(line: Timeline, labels: Sequence[str], frames: int, seconds: float) -> Floats32:
    """Return 1 where a label sounds in the middle of a frame: (frames, labels)."""
    active = np.zeros((frames, len(labels)), dtype=np.float32)
    middle = (np.arange(frames) + 0.5) * seconds
    for event in line.events:
        if event.label in labels:
            inside = (middle >= event.onset) & (middle < event.offset)
            active[inside, labels.index(event.label)] = 1.0
    return active


def as_timeline(
    scores: Floats | Floats32,
    labels: Sequence[str],
    item: Item,
    seconds: float,
    reading: ScoreReading,
) -> Timeline:
    """Return the timeline of smoothed scores: events above the threshold, and the scores.

    `scores` is (frames, labels); frames beyond the recording's end are dropped.
    """
    duration = recording_seconds(item)
    smooth = smoothed(scores, seconds, reading.medians)
    edges = np.minimum(np.arange(len(smooth) + 1) * seconds, duration)
    count = int(np.searchsorted(edges, duration))
    edges, smooth = edges[: count + 1], np.round(smooth[:count], 4)
    events = []
    for k, label in enumerate(labels):
        active = smooth[:, k] > reading.thresholds[k]
        flips = np.flatnonzero(np.diff(active, prepend=False, append=False))
        events += [
            Event(label, float(edges[a]), float(edges[b])) for a, b in flips.reshape(-1, 2).tolist()
        ]
    grid = [round(float(edge), 6) for edge in edges]
    return Timeline(duration, tuple(events), FrameScores(labels, grid, smooth))


def smoothed(scores: Floats | Floats32, seconds: float, medians: Sequence[float]) -> Floats:
    """Return scores (frames, labels) after each label's running median, given in seconds."""
    columns = [
        median(np.asarray(scores[:, k : k + 1], dtype=np.float64), max(1, round(width / seconds)))
        for k, width in enumerate(medians)
    ]
    return np.concatenate(columns, axis=1)


def median(scores: Floats, width: int) -> Floats:
    """Return the running median over `width` frames, or one more to be odd, label by label."""
    size = width + 1 - width % 2
    if size == 1:
        return scores
    padded = np.pad(scores, ((size // 2, size // 2), (0, 0)), mode="edge")
    view = np.lib.stride_tricks.sliding_window_view(padded, size, axis=0)
    return np.asarray(np.median(view, axis=-1))
