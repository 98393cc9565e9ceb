"""Sounds laid over one another."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Samples


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A sound, the sample at which it begins, and its gain."""

    samples: Samples
    start: int = 0
    gain: float = 1.0


def mix(background: Samples, layers: Iterable[Layer], *, peak: float = 0.99) -> Samples:
    """Return all layers over the background, as long as it; scaled down if it would exceed `peak`.

    Examples
    --------
    >>> mix(np.zeros(3, np.float32), [Layer(np.ones(2, np.float32), 2, 0.5)]).tolist()
    [0.0, 0.0, 0.5]
    """
    mixed = background.astype(np.float32, copy=True)
    for layer in layers:
        first, last = max(0, layer.start), min(len(mixed), layer.start + len(layer.samples))
        if first < last:
            part = layer.samples[first - layer.start : last - layer.start]
            mixed[first:last] += part * np.float32(layer.gain)
    loudest = float(np.max(np.abs(mixed), initial=0.0))
    return mixed if loudest <= peak else mixed * np.float32(peak / loudest)
