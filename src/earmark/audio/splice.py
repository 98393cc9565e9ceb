"""Sounds one after the other, and sounds in noise: the arithmetic of augmentation."""

import numpy as np

from earmark.arrays import Samples
from earmark.audio.level import gain_over, rms
from earmark.values import checks


def splice(*sounds: Samples, rate: int, gap: float = 0.0) -> Samples:
    """Return the sounds one after the other, with `gap` seconds of silence between them."""
    silence = np.zeros(round(gap * rate), dtype=np.float32)
    parts: list[Samples] = []
    for sound in sounds:
        parts += [silence, sound] if parts else [sound]
    return np.concatenate(parts).astype(np.float32)


def among_noise(samples: Samples, noise: Samples, *, snr_db: float) -> Samples:
    """Return the sound plus noise, which is repeated or cut to the sound's length."""
    checks.finite(snr_db, what="a signal-to-noise ratio")
    fitted = np.resize(noise, len(samples)).astype(np.float32)
    if not rms(samples) or not rms(fitted):
        return samples
    gain = gain_over(fitted, rms(samples), level_db=-snr_db)
    return np.asarray(samples + np.float32(gain) * fitted, dtype=np.float32)


def at_volume(samples: Samples, scale: float) -> Samples:
    """Return the sound times `scale`, scaled down as a whole if that would clip."""
    checks.within(scale, 0.0, 100.0, what="a volume scale")
    louder = samples * np.float32(scale)
    peak = float(np.abs(louder).max(initial=0.0))
    return np.asarray(louder / max(1.0, peak), dtype=np.float32)
