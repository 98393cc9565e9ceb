"""Loudness in LUFS, as ITU-R BS.1770-4 defines it for one channel: K-weighting, blocks, two gates.

Sounds of the same root mean square are not equally loud: low rumble counts for little. K-weighting
is a shelf that lifts what the head lifts, above 1.5 kHz, and a high-pass that drops the lowest
octaves. The mean square of blocks of 400 ms, each a quarter further, is averaged over those blocks
that are above -70 LUFS and not more than 10 LU below the mean of these.
"""

import math
from functools import cache

import numpy as np

from earmark.arrays import Floats, Samples

# The two filters of the standard as analogue prototypes (hertz, quality, gain in dB). Its table is
# for 48 kHz only; these values give that table to 1e-8, and other rates follow from them.
SHELF = (1681.974450955533, 0.7071752369554196, 3.999843853973347)
HIGH_PASS = (38.13547087602444, 0.5003270373238773)
# Exponent that shares the shelf's gain between its poles and zeros; part of the same prototype.
SHELF_SHARE = 0.4996667741545416

BLOCK, STEP = 0.4, 0.1  # seconds
ABSOLUTE_GATE, RELATIVE_GATE = -70.0, -10.0  # LUFS; LU under the mean of what passes the first
OFFSET = -0.691  # dB: makes a full-scale sine of 997 Hz in one channel -3.01 LUFS

SILENT = -math.inf


def loudness(samples: Samples, rate: int) -> float:
    """Return the integrated loudness in LUFS; -inf for silence.

    A sound shorter than one block counts as one block.

    Examples
    --------
    >>> sine = np.sin(2 * np.pi * 997 * np.arange(48000) / 48000).astype(np.float32)
    >>> round(loudness(sine, 48000), 2)
    -3.01
    """
    if not len(samples):
        return SILENT
    power = _block_power(k_weighted(samples, rate), rate)
    loud = power[_lufs(power) > ABSOLUTE_GATE]
    if not len(loud):
        return SILENT
    gate = float(_lufs(loud.mean())) + RELATIVE_GATE
    return float(_lufs(loud[_lufs(loud) > gate].mean()))


def gain_to(samples: Samples, rate: int, *, level_lufs: float) -> float:
    """Return the gain that brings a sound to that loudness; 1 for silence, which stays silent.

    The absolute gate is about playback levels, and a clip's level says nothing yet: clips are
    measured at a peak of 1, so that faint ones are not taken for silence.
    """
    peak = float(np.max(np.abs(samples), initial=0.0))
    if not peak:
        return 1.0
    level = loudness(samples / np.float32(peak), rate)
    return 10 ** ((level_lufs - level) / 20) / peak if level > SILENT else 1.0


def k_weighted(samples: Samples, rate: int) -> Floats:
    """Return the sound as the standard's two filters leave it."""
    from scipy.signal import sosfilt

    return np.asarray(sosfilt(_k_filters(rate), samples.astype(np.float64)))


def _lufs(power: Floats) -> Floats:
    with np.errstate(divide="ignore"):  # log 0 is -inf, which no gate lets through
        return np.asarray(OFFSET + 10 * np.log10(power))


def _block_power(weighted: Floats, rate: int) -> Floats:
    """Return the mean square of every whole block, or of a sound that is shorter than one."""
    length, step = round(BLOCK * rate), round(STEP * rate)
    if len(weighted) < length:
        return np.array([np.mean(weighted**2)])
    sums = np.concatenate([[0.0], np.cumsum(weighted**2)])
    starts = np.arange(0, len(weighted) - length + 1, step)
    return np.asarray((sums[starts + length] - sums[starts]) / length)


@cache
def _k_filters(rate: int) -> Floats:
    """Return both filters as second-order sections (2, 6), by the bilinear transform."""
    hertz, quality, gain_db = SHELF
    k = math.tan(math.pi * hertz / rate)
    high = 10 ** (gain_db / 20)
    band = high**SHELF_SHARE
    scale = 1 + k / quality + k * k
    shelf = (
        (high + band * k / quality + k * k) / scale,
        2 * (k * k - high) / scale,
        (high - band * k / quality + k * k) / scale,
        1.0,
        2 * (k * k - 1) / scale,
        (1 - k / quality + k * k) / scale,
    )
    hertz, quality = HIGH_PASS
    k = math.tan(math.pi * hertz / rate)
    scale = 1 + k / quality + k * k
    # the standard leaves the high-pass with a gain of 1, -2, 1 at every rate
    rumble = (1.0, -2.0, 1.0, 1.0, 2 * (k * k - 1) / scale, (1 - k / quality + k * k) / scale)
    return np.array([shelf, rumble])
