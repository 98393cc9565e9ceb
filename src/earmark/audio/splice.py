"""Sounds one after the other, and sounds among noise: the arithmetic of augmentation."""

import math

import numpy as np
from numpy.typing import NDArray

from earmark.values import checks

Samples = NDArray[np.float32]


def splice(*sounds: Samples, rate: int, gap: float = 0.0) -> Samples:
    """The sounds one after the other, `gap` seconds of silence between them."""
    silence = np.zeros(round(gap * rate), dtype=np.float32)
    parts: list[Samples] = []
    for sound in sounds:
        parts += [silence, sound] if parts else [sound]
    return np.concatenate(parts).astype(np.float32)


def among_noise(samples: Samples, noise: Samples, *, snr_db: float) -> Samples:
    """The sound with noise under it; the noise is repeated or cut to the sound's length."""
    checks.finite(snr_db, what="a signal-to-noise ratio")
    fitted = np.resize(noise, len(samples)).astype(np.float64)
    power, loud = float(np.mean(samples**2)), float(np.mean(fitted**2))
    if not power or not loud:
        return samples
    gain = math.sqrt(power / loud) * 10 ** (-snr_db / 20)
    return np.asarray(samples + gain * fitted, dtype=np.float32)


def at_volume(samples: Samples, scale: float) -> Samples:
    """The sound `scale` times as loud, made softer as a whole where that would clip."""
    checks.within(scale, 0.0, 100.0, what="a volume scale")
    louder = samples * np.float32(scale)
    peak = float(np.abs(louder).max(initial=0.0))
    return np.asarray(louder / max(1.0, peak), dtype=np.float32)


def coloured(rng: np.random.Generator, size: int, *, slope: float = 1.0) -> Samples:
    """Noise whose power falls with frequency as f to the minus `slope`: 0 white, 1 pink, 2 brown.

    The mean square is 1.
    """
    bins = size // 2 + 1
    spectrum = rng.standard_normal(bins) + 1j * rng.standard_normal(bins)
    frequency = np.maximum(np.arange(bins), 1)
    noise = np.fft.irfft(spectrum * frequency ** (-slope / 2), size)
    spread = float(np.sqrt(np.mean(noise**2))) or 1.0
    return np.asarray(noise / spread, dtype=np.float32)
