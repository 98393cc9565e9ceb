"""Log-mel energies and cepstra: what a sound looks like to a recogniser, frame by frame."""

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from earmark.values.errors import InputError

Frames = NDArray[np.float32]
Samples = NDArray[np.float32]
PCM_SCALE = 32768.0
FLOOR = float(np.finfo(np.float32).eps)


def cut_frames(samples: Samples, *, length: int, hop: int) -> Frames:
    """Overlapping frames as rows, without copying; a short sound is padded to one frame."""
    if len(samples) < length:
        samples = np.pad(samples, (0, length - len(samples)))
    return np.lib.stride_tricks.sliding_window_view(samples, length)[::hop]


@cache
def mel_filters(bands: int, size: int, rate: int, low: float, high: float) -> Frames:
    """Triangular filters on the mel scale, a row per band, over the bins of a `size`-point FFT."""
    edges = np.linspace(_mel(low), _mel(high), bands + 2)
    bins = _mel(np.arange(size // 2 + 1) * rate / size)
    left, centre, right = (edges[k : k + bands, None] for k in range(3))
    rising = (bins - left) / (centre - left)
    falling = (right - bins) / (right - centre)
    filters = np.maximum(0.0, np.minimum(rising, falling)).astype(np.float32)
    filters.setflags(write=False)
    return np.asarray(filters)


def log_mel(
    samples: Samples,
    rate: int,
    *,
    bands: int = 80,
    low: float = 20.0,
    high: float | None = None,
) -> Frames:
    """Log energies in mel bands, 25 ms frames every 10 ms; one row per frame.

    The frames are made as Kaldi's `fbank` makes them (mean removed, pre-emphasis .97, Povey
    window, power spectrum, 16-bit scale, no dither), because the public speaker networks expect
    that.

    Examples
    --------
    >>> log_mel(np.zeros(16000, dtype=np.float32), 16000, bands=40).shape
    (98, 40)
    """
    return mel_of_power(power_spectra(samples, rate), rate, bands=bands, low=low, high=high)


def power_spectra(samples: Samples, rate: int) -> Frames:
    """The power spectrum of 25 ms frames every 10 ms, as `log_mel` shapes them."""
    length, hop = round(0.025 * rate), round(0.010 * rate)
    size = 1 << math.ceil(math.log2(length))
    frames = cut_frames(samples, length=length, hop=hop) * np.float32(PCM_SCALE)
    frames = frames - frames.mean(axis=1, keepdims=True)
    previous = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    shaped = (frames - np.float32(0.97) * previous) * _povey(length)
    spectra = np.fft.rfft(shaped, size, axis=1)
    return np.asarray(spectra.real**2 + spectra.imag**2, dtype=np.float32)


def mel_of_power(
    power: Frames, rate: int, *, bands: int = 80, low: float = 20.0, high: float | None = None
) -> Frames:
    """Log energies in mel bands of power spectra."""
    top = rate / 2 if high is None else high
    if not 0 <= low < top <= rate / 2:
        raise InputError("mel bands lie between 0 and half the rate", got=f"{low} to {top} Hz")
    size = 2 * (power.shape[1] - 1)
    energies = power @ mel_filters(bands, size, rate, low, top).T
    return np.asarray(np.log(np.maximum(energies, FLOOR)), dtype=np.float32)


def cepstra(log_energies: Frames, *, keep: int = 13, lifter: float = 22.0) -> Frames:
    """Mel-frequency cepstral coefficients of log-mel energies, liftered; one row per frame."""
    basis = _cosines(log_energies.shape[1], keep)
    lift = 1 + lifter / 2 * np.sin(np.pi * np.arange(keep) / lifter) if lifter else np.ones(keep)
    return np.asarray((log_energies @ basis) * lift.astype(np.float32), dtype=np.float32)


def deltas(frames: Frames, *, reach: int = 2) -> Frames:
    """The slope of each column over `reach` frames on either side."""
    padded = np.pad(frames, ((reach, reach), (0, 0)), mode="edge")
    rows = len(frames)
    slope = sum(
        k * (padded[reach + k : reach + k + rows] - padded[reach - k : reach - k + rows])
        for k in range(1, reach + 1)
    )
    return np.asarray(slope / (2 * sum(k * k for k in range(1, reach + 1))), dtype=np.float32)


def standardise(frames: Frames) -> Frames:
    """Every column with mean 0 and deviation 1; a column that never moves becomes 0."""
    spread = frames.std(axis=0)
    centred = frames - frames.mean(axis=0)
    return np.asarray(centred / np.where(spread > FLOOR, spread, 1.0), dtype=np.float32)


def _mel(hertz: float | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(np.asarray(hertz) / 700.0))


@cache
def _povey(length: int) -> Frames:
    return np.asarray(np.hanning(length) ** 0.85, dtype=np.float32)


@cache
def _cosines(bands: int, keep: int) -> Frames:
    angle = np.pi / bands * np.outer(np.arange(bands) + 0.5, np.arange(keep))
    scale = np.full(keep, math.sqrt(2 / bands))
    scale[0] = math.sqrt(1 / bands)
    return np.asarray(np.cos(angle) * scale, dtype=np.float32)
