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

# Scores are smoothed by a running median of this many seconds; shorter events are lost. Chosen by
# hand, half the shortest clip of a soundscape.
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


def band_energies(item: Item, bands: Bands) -> Floats32:
    """Return the normalised log mel energies of a recording: (frames, bands)."""
    if item.media is None:
        raise InputError("a system needs the sound of a recording", at=f"item {item.id}")
    samples, _ = read_sound(item.media, rate=bands.rate)
    return log_mel(samples, bands)


def log_mel(samples: Samples, bands: Bands) -> Floats32:
    """Return log mel energies, each band with mean 0 and deviation 1 over the recording.

    Shape (frames, bands).
    """
    padded = np.pad(samples, (0, max(0, bands.window - len(samples)) + bands.hop))
    count = 1 + (len(padded) - bands.window) // bands.hop
    strided = cut_frames(padded, length=bands.window, hop=bands.hop)[:count]
    taper = np.hanning(bands.window).astype(np.float32)
    filters = mel_filters(bands.bands, bands.window, bands.rate, slopes="hertz")
    weights = np.ascontiguousarray(filters.T)  # (bins, bands)
    rows = []
    for first in range(0, count, BLOCK):
        spectrum = np.abs(np.fft.rfft(strided[first : first + BLOCK] * taper, axis=1)) ** 2
        rows.append(np.log(spectrum.astype(np.float32) @ weights + LEAST_ENERGY))
    energies = np.concatenate(rows)
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
    threshold: float,
) -> Timeline:
    """Return the timeline of smoothed scores: events above the threshold, and the scores.

    `scores` is (frames, labels); frames beyond the recording's end are dropped.
    """
    duration = recording_seconds(item)
    smooth = median(np.asarray(scores, dtype=np.float64), max(1, round(SMOOTHED / seconds)))
    edges = np.minimum(np.arange(len(smooth) + 1) * seconds, duration)
    count = int(np.searchsorted(edges, duration))
    edges, smooth = edges[: count + 1], np.round(smooth[:count], 4)
    events = []
    for k, label in enumerate(labels):
        flips = np.flatnonzero(np.diff(smooth[:, k] > threshold, prepend=False, append=False))
        events += [
            Event(label, float(edges[a]), float(edges[b])) for a, b in flips.reshape(-1, 2).tolist()
        ]
    grid = [round(float(edge), 6) for edge in edges]
    return Timeline(duration, tuple(events), FrameScores(labels, grid, smooth))


def median(scores: Floats, width: int) -> Floats:
    """Return the running median over `width` frames, or one more to be odd, label by label."""
    size = width + 1 - width % 2
    padded = np.pad(scores, ((size // 2, size // 2), (0, 0)), mode="edge")
    view = np.lib.stride_tricks.sliding_window_view(padded, size, axis=0)
    return np.asarray(np.median(view, axis=-1))
