"""Level of a sound: root mean square, gain, fades."""

import math

import numpy as np

from earmark.arrays import Samples


def rms(samples: Samples) -> float:
    """Return the root mean square; 0 for no samples.

    Examples
    --------
    >>> rms(np.array([3.0, -3.0], dtype=np.float32))
    3.0
    """
    if not len(samples):
        return 0.0
    return math.sqrt(float(np.dot(samples, samples)) / len(samples))


def amplitude(level_db: float) -> float:
    """Return the amplitude ratio of a level in dB.

    Examples
    --------
    >>> amplitude(20.0)
    10.0
    """
    return float(10 ** (level_db / 20))


def gain_over(sound: Samples, background: float, *, level_db: float) -> float:
    """Return the gain that lifts a sound `level_db` above a background of that root mean square.

    Silence stays silent: its gain is 1.
    """
    power = rms(sound)
    return background * amplitude(level_db) / power if power else 1.0


def faded(samples: Samples, *, rate: int, seconds: float = 0.01) -> Samples:
    """Return the sound with short linear ramps at both ends, so that a cut does not click."""
    length = min(len(samples) // 2, round(seconds * rate))
    if not length:
        return samples
    ramp = np.linspace(0.0, 1.0, length, endpoint=False, dtype=np.float32)
    shaped = samples.copy()
    shaped[:length] *= ramp
    shaped[-length:] *= ramp[::-1]
    return shaped
