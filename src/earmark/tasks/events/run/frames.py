"""Recordings as frames of band energies, labels as frames of 0 and 1, and frames back as events."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.audio.features import cut_frames, mel_filters
from earmark.files.sound import read_sound
from earmark.tasks.events.values import Event, FrameScores, Timeline
from earmark.values.errors import InputError
from earmark.values.item import Item

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Bands:
    """How a recording becomes frames: sample rate, window, hop and number of mel bands."""

    rate: int = 22050
    window: int = 2048
    hop: int = 1024
    bands: int = 40

    @property
    def seconds(self) -> float:
        """Length of a frame."""
        return self.hop / self.rate


def band_energies(item: Item, bands: Bands) -> Floats:
    """Log mel energies of a recording, frames by bands, less the recording's own mean."""
    if item.media is None:
        raise InputError("a system needs the sound of a recording", at=f"item {item.id}")
    samples, _ = read_sound(item.media, rate=bands.rate)
    return log_mel(samples, bands)


def log_mel(samples: Floats, bands: Bands) -> Floats:
    """Log mel energies of samples, frames by bands, each band with mean 0 and deviation 1."""
    padded = np.pad(samples, (0, max(0, bands.window - len(samples)) + bands.hop))
    count = 1 + (len(padded) - bands.window) // bands.hop
    strided = cut_frames(padded, length=bands.window, hop=bands.hop)[:count]
    taper = np.hanning(bands.window).astype(np.float32)
    filters = mel_filters(bands.bands, bands.window, bands.rate, slopes="hertz")
    weights = np.ascontiguousarray(filters.T)  # (bins, bands)
    rows = []
    for first in range(0, count, 512):
        spectrum = np.abs(np.fft.rfft(strided[first : first + 512] * taper, axis=1)) ** 2
        rows.append(np.log(spectrum.astype(np.float32) @ weights + 1e-8))
    energies = np.concatenate(rows)
    spread = energies.std(axis=0) + 1e-3
    return np.asarray((energies - energies.mean(axis=0)) / spread, dtype=np.float32)


def targets(line: Timeline, labels: Sequence[str], frames: int, seconds: float) -> Floats:
    """1 where a label sounds in the middle of a frame, frames by labels."""
    made = np.zeros((frames, len(labels)), dtype=np.float32)
    middle = (np.arange(frames) + 0.5) * seconds
    for event in line.events:
        if event.label in labels:
            inside = (middle >= event.onset) & (middle < event.offset)
            made[inside, labels.index(event.label)] = 1.0
    return made


def as_timeline(
    scores: NDArray[np.floating],
    labels: Sequence[str],
    item: Item,
    seconds: float,
    threshold: float,
) -> Timeline:
    """Smoothed scores above the threshold as events, with frame scores of a tenth of a second."""
    from earmark.tasks.events.values import recording_seconds

    duration = recording_seconds(item)
    smooth = median(np.asarray(scores, dtype=np.float64), max(1, round(0.5 / seconds)))
    edges = np.minimum(np.arange(len(smooth) + 1) * seconds, duration)
    kept = int(np.searchsorted(edges, duration))
    edges, smooth = edges[: kept + 1], np.round(smooth[:kept], 4)
    events = []
    for k, label in enumerate(labels):
        flips = np.flatnonzero(np.diff(smooth[:, k] > threshold, prepend=False, append=False))
        events += [
            Event(label, float(edges[a]), float(edges[b])) for a, b in flips.reshape(-1, 2).tolist()
        ]
    grid = tuple(round(float(edge), 6) for edge in edges)
    rows = tuple(tuple(row) for row in smooth.tolist())
    return Timeline(duration, tuple(events), FrameScores(tuple(labels), grid, rows))


def median(scores: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """A running median over an odd number of frames, label by label."""
    size = width + 1 - width % 2
    padded = np.pad(scores, ((size // 2, size // 2), (0, 0)), mode="edge")
    view = np.lib.stride_tricks.sliding_window_view(padded, size, axis=0)
    return np.asarray(np.median(view, axis=-1))
