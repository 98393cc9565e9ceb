"""Power, gain, signal-to-noise ratio."""

import math

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]


def rms(samples: Samples) -> float:
    """Root mean square; 0 for no samples.

    Examples
    --------
    >>> rms(np.array([3.0, -3.0], dtype=np.float32))
    3.0
    """
    if not len(samples):
        return 0.0
    return math.sqrt(float(np.dot(samples, samples)) / len(samples))


def decibels(ratio: float) -> float:
    """An amplitude ratio in dB.

    Examples
    --------
    >>> decibels(10.0)
    20.0
    """
    return 20 * math.log10(ratio)


def amplitude(level_db: float) -> float:
    """The amplitude ratio of a level in dB.

    Examples
    --------
    >>> amplitude(20.0)
    10.0
    """
    return float(10 ** (level_db / 20))


def gain_over(sound: Samples, background: float, *, level_db: float) -> float:
    """The gain that lifts a sound `level_db` above a background of that root mean square.

    Silence stays silent: its gain is 1.
    """
    power = rms(sound)
    return background * amplitude(level_db) / power if power else 1.0


def faded(samples: Samples, *, rate: int, seconds: float = 0.01) -> Samples:
    """The sound with short ramps at both ends, so that a cut does not click."""
    length = min(len(samples) // 2, round(seconds * rate))
    if not length:
        return samples
    ramp = np.linspace(0.0, 1.0, length, endpoint=False, dtype=np.float32)
    shaped = samples.copy()
    shaped[:length] *= ramp
    shaped[-length:] *= ramp[::-1]
    return shaped
