"""White, pink and brown noise."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]
Colour = Literal["white", "pink", "brown"]
LOWEST_HZ = 15.0


def noise(colour: Colour, samples: int, *, rate: int, rng: np.random.Generator) -> Samples:
    """Noise of that colour, scaled to a root mean square of 1.

    Brown falls by 6 dB an octave above 15 Hz, pink by 3 dB.

    Examples
    --------
    >>> noise("brown", 4, rate=8000, rng=np.random.default_rng(1)).dtype
    dtype('float32')
    """
    made = rng.standard_normal(samples, dtype=np.float32)
    if colour == "brown":
        made = _brown(made, rate)
    elif colour == "pink":
        made = _pink(made)
    power = float(np.sqrt(np.mean(np.square(made, dtype=np.float64)))) if samples else 0.0
    return made / np.float32(power) if power else made


def _brown(white: Samples, rate: int) -> Samples:
    """A running sum that forgets what is older than the lowest frequency."""
    from scipy.signal import lfilter

    keep = np.exp(-2 * np.pi * LOWEST_HZ / rate)
    return np.asarray(lfilter([1.0], [1.0, -keep], white), dtype=np.float32)


def _pink(white: Samples) -> Samples:
    """Three first-order low-passes whose sum falls by 3 dB an octave (Kellet's coefficients)."""
    from scipy.signal import lfilter

    poles = ((0.99765, 0.0990460), (0.96300, 0.2965164), (0.57000, 1.0526913))
    parts = [lfilter([gain], [1.0, -pole], white) for pole, gain in poles]
    return np.asarray(sum(parts) + 0.1848 * white, dtype=np.float32)
