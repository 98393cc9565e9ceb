"""Where a clip sounds at all: stretches whose level is near that of its loudest part."""

import numpy as np

from earmark.arrays import Samples

FRAME = 0.05  # seconds over which a level is measured: two periods of the lowest pitch one hears


def sounding(
    samples: Samples, rate: int, *, under_db: float, gap: float
) -> tuple[tuple[int, int], ...]:
    """Return the stretches (first sample, end) in which a clip sounds.

    A frame of 50 ms is silent when it is more than `under_db` below the loudest one; silences
    shorter than `gap` seconds belong to the stretch around them. Digital silence has no stretch.

    Examples
    --------
    >>> clip = np.concatenate([np.zeros(1000), np.ones(500), np.zeros(1500)]).astype(np.float32)
    >>> sounding(clip, 1000, under_db=30, gap=0.5)
    ((1000, 1500),)
    """
    frame = max(1, round(FRAME * rate))
    count = -(-len(samples) // frame)
    padded = np.pad(samples.astype(np.float64), (0, count * frame - len(samples)))
    power = np.mean(padded.reshape(count, frame) ** 2, axis=1)
    loudest = float(power.max(initial=0.0))
    if not loudest:
        return ()
    active = np.flatnonzero(power > loudest * 10 ** (-under_db / 10))
    breaks = np.flatnonzero((np.diff(active) - 1) * frame >= max(gap * rate, 1)) + 1
    return tuple(
        (int(part[0]) * frame, min(len(samples), (int(part[-1]) + 1) * frame))
        for part in np.split(active, breaks)
    )
