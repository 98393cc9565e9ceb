"""White, pink and brown noise."""

from typing import Literal

import numpy as np

from earmark.arrays import Samples

Colour = Literal["white", "pink", "brown"]
# Below this brown noise is flat: a running sum without it would drift off. Just below hearing.
LOWEST_HZ = 15.0
# Paul Kellet's economy filter: poles and gains of three low-passes, and the gain of the white
# noise added to them; he gives it as within 0.5 dB of -3 dB per octave at 44.1 kHz.
PINK_FILTERS = ((0.99765, 0.0990460), (0.96300, 0.2965164), (0.57000, 1.0526913))
PINK_WHITE = 0.1848


def noise(colour: Colour, samples: int, *, rate: int, rng: np.random.Generator) -> Samples:
    """Return noise of that colour, scaled to a root mean square of 1.

    Brown falls by 6 dB per octave above 15 Hz, pink by 3 dB.

    Examples
    --------
    >>> noise("brown", 4, rate=8000, rng=np.random.default_rng(1)).dtype
    dtype('float32')
    """
    sound = rng.standard_normal(samples, dtype=np.float32)
    if colour == "brown":
        sound = _brown(sound, rate)
    elif colour == "pink":
        sound = _pink(sound)
    # in double precision: single squares of many samples would lose digits
    power = float(np.sqrt(np.mean(np.square(sound, dtype=np.float64)))) if samples else 0.0
    return sound / np.float32(power) if power else sound


def _brown(white: Samples, rate: int) -> Samples:
    """Return the running sum of white noise, leaking with the time constant of LOWEST_HZ."""
    from scipy.signal import lfilter

    leak = np.exp(-2 * np.pi * LOWEST_HZ / rate)
    return np.asarray(lfilter([1.0], [1.0, -leak], white), dtype=np.float32)


def _pink(white: Samples) -> Samples:
    """Return the sum of three first-order low-passes, which falls by about 3 dB per octave."""
    from scipy.signal import lfilter

    parts = [lfilter([gain], [1.0, -pole], white) for pole, gain in PINK_FILTERS]
    return np.asarray(sum(parts) + PINK_WHITE * white, dtype=np.float32)
