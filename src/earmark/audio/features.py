"""Log-mel energies and cepstra: what a sound looks like to a recogniser, frame by frame."""

import math
from functools import cache
from typing import Literal

import numpy as np

from earmark.arrays import Floats, Floats32, Samples
from earmark.values.errors import InputError

Frames = Floats32  # (frames, values per frame)
PCM_SCALE = 32768.0  # Kaldi computes on 16-bit integers
FLOOR = float(np.finfo(np.float32).eps)  # the least energy of which Kaldi takes the logarithm
# As in Kaldi's fbank, with which the public speaker networks were trained.
FRAME_SECONDS, HOP_SECONDS = 0.025, 0.010
PRE_EMPHASIS = 0.97
# Hertz at which the mel scale turns from linear to logarithmic, and its factor (HTK, Kaldi).
MEL_CORNER, MEL_FACTOR = 700.0, 1127.0


def cut_frames(samples: Samples, *, length: int, hop: int) -> Frames:
    """Return overlapping frames as rows, without copying; a short sound is padded to one frame."""
    if len(samples) < length:
        samples = np.pad(samples, (0, length - len(samples)))
    return np.lib.stride_tricks.sliding_window_view(samples, length)[::hop]


@cache
def mel_filters(
    bands: int,
    size: int,
    rate: int,
    *,
    low: float = 0.0,
    high: float | None = None,
    slopes: Literal["mel", "hertz"] = "mel",
) -> Floats32:
    """Return triangular filters (bands, bins) over the bins of a `size`-point FFT.

    Their corners are spaced evenly on the mel scale from `low` to `high` Hz (half the rate when
    None). The sides of a triangle are straight lines over mel, as in Kaldi, or over hertz, as in
    most other toolkits.
    """
    top = rate / 2 if high is None else high
    corners = np.linspace(_mel(low), _mel(top), bands + 2)
    bins: Floats = np.arange(size // 2 + 1) * rate / size
    if slopes == "mel":
        bins = _mel(bins)
    else:
        corners = MEL_CORNER * np.expm1(corners / MEL_FACTOR)
    left, centre, right = (corners[k : k + bands, None] for k in range(3))
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
    """Return log energies in mel bands (frames, bands), 25 ms frames every 10 ms.

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
    """Return power spectra (frames, bins) of 25 ms frames every 10 ms, prepared as by Kaldi."""
    length, hop = round(FRAME_SECONDS * rate), round(HOP_SECONDS * rate)
    size = 1 << math.ceil(math.log2(length))
    frames = cut_frames(samples, length=length, hop=hop) * np.float32(PCM_SCALE)
    frames = frames - frames.mean(axis=1, keepdims=True)
    previous = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    shaped = (frames - np.float32(PRE_EMPHASIS) * previous) * _povey(length)
    spectra = np.fft.rfft(shaped, size, axis=1)
    return np.asarray(spectra.real**2 + spectra.imag**2, dtype=np.float32)


def mel_of_power(
    power: Frames, rate: int, *, bands: int = 80, low: float = 20.0, high: float | None = None
) -> Frames:
    """Return log energies in mel bands (frames, bands) of power spectra (frames, bins)."""
    top = rate / 2 if high is None else high
    if not 0 <= low < top <= rate / 2:
        raise InputError(
            "mel bands must lie between 0 and half the sample rate", got=f"{low} to {top} Hz"
        )
    size = 2 * (power.shape[1] - 1)
    energies = power @ mel_filters(bands, size, rate, low=low, high=top).T
    return np.asarray(np.log(np.maximum(energies, FLOOR)), dtype=np.float32)


def cepstra(log_energies: Frames, *, keep: int = 13, lifter: float = 22.0) -> Frames:
    """Return mel-frequency cepstral coefficients (frames, keep) of log-mel energies, liftered.

    The lifter evens out the coefficients, of which the higher are much smaller; 22 is HTK's.
    """
    basis = _cosines(log_energies.shape[1], keep)
    lift = 1 + lifter / 2 * np.sin(np.pi * np.arange(keep) / lifter) if lifter else np.ones(keep)
    return np.asarray((log_energies @ basis) * lift.astype(np.float32), dtype=np.float32)


def deltas(frames: Frames, *, reach: int = 2) -> Frames:
    """Return the slope of each column, by least squares over `reach` frames on either side."""
    padded = np.pad(frames, ((reach, reach), (0, 0)), mode="edge")
    rows = len(frames)
    slope = sum(
        k * (padded[reach + k : reach + k + rows] - padded[reach - k : reach - k + rows])
        for k in range(1, reach + 1)
    )
    return np.asarray(slope / (2 * sum(k * k for k in range(1, reach + 1))), dtype=np.float32)


def standardise(frames: Frames) -> Frames:
    """Return every column with mean 0 and standard deviation 1; a constant column becomes 0."""
    spread = frames.std(axis=0)
    centred = frames - frames.mean(axis=0)
    return np.asarray(centred / np.where(spread > FLOOR, spread, 1.0), dtype=np.float32)


def _mel(hertz: float | Floats) -> Floats:
    return np.asarray(MEL_FACTOR * np.log1p(np.asarray(hertz) / MEL_CORNER))


@cache
def _povey(length: int) -> Floats32:
    """Return Kaldi's own window: a Hann window to the power .85, which reaches zero at its ends."""
    return np.asarray(np.hanning(length) ** 0.85, dtype=np.float32)


@cache
def _cosines(bands: int, keep: int) -> Floats32:
    """Return the orthonormal discrete cosine basis (bands, keep), type II."""
    angle = np.pi / bands * np.outer(np.arange(bands) + 0.5, np.arange(keep))
    scale = np.full(keep, math.sqrt(2 / bands))
    scale[0] = math.sqrt(1 / bands)
    return np.asarray(np.cos(angle) * scale, dtype=np.float32)
