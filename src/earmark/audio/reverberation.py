"""Reverberation: impulse responses of simulated rooms, and sounds heard in them."""

import math

import numpy as np
from numpy.typing import NDArray

from earmark.values import checks
from earmark.values.errors import InputError

Samples = NDArray[np.float32]
SPEED_OF_SOUND = 343.0
NEAREST = 0.2
SHORTEST_TAIL = 0.05
KEPT = 2 / 3


def simulate_room(
    rng: np.random.Generator,
    rate: int,
    *,
    seconds: float | None = None,
    size: tuple[float, float, float] | None = None,
) -> Samples:
    """An impulse response of a shoebox room, by mirror images of the source (Allen, Berkley 1979).

    Source and microphone are drawn anywhere at least 0.2 m from the walls. `seconds` is the
    reverberation time T60 (drawn from .2 to .7 when not given), `size` the three sides in metres.
    The response is cut where it has fallen by 40 dB, and its largest value is 1.
    """
    sides = np.array(size) if size else rng.uniform((2.5, 2.5, 2.2), (8.0, 6.0, 3.5))
    decay = float(rng.uniform(0.2, 0.7)) if seconds is None else seconds
    checks.within(decay, SHORTEST_TAIL, 5.0, what="a reverberation time in seconds")
    if sides.min() < 3 * NEAREST:
        raise InputError("a room must have sides of more than 0.6 m", got=sides.tolist())
    source, microphone = rng.uniform(NEAREST, sides - NEAREST, (2, 3))
    distances, bounces = _mirror_images(
        sides, source, microphone, reach=KEPT * decay * SPEED_OF_SOUND
    )
    walls = _absorption(sides, decay)
    gains = (1 - walls) ** (bounces / 2) / np.maximum(distances, NEAREST)
    response = np.zeros(math.ceil(KEPT * decay * rate) + 1)
    at = np.rint((distances - distances.min()) / SPEED_OF_SOUND * rate).astype(int)
    near = at < len(response)
    # the sign alternates at random, which breaks the flutter of perfectly regular images
    signs = np.where(bounces[near] > 0, rng.choice((-1.0, 1.0), near.sum()), 1.0)
    np.add.at(response, at[near], gains[near] * signs)
    return np.asarray(response / np.abs(response).max(), dtype=np.float32)


def reverberate(samples: Samples, response: Samples, *, wet: float = 0.5) -> Samples:
    """The sound mixed with itself as the room returns it; `wet` is the room's share.

    The room's part is brought to the level of the dry sound first, and the length stays.
    """
    from scipy.signal import fftconvolve

    checks.within(wet, 0.0, 1.0, what="the wet share")
    heard = fftconvolve(samples, response)[: len(samples)]
    level = math.sqrt(float(np.mean(heard**2))) if len(samples) else 0.0
    dry_level = math.sqrt(float(np.mean(samples**2))) if len(samples) else 0.0
    matched = heard * (dry_level / level) if level > 0 else heard
    return np.asarray((1 - wet) * samples + wet * matched, dtype=np.float32)


def _absorption(sides: NDArray[np.float64], decay: float) -> float:
    """The walls' absorption that gives the decay, by Eyring's formula."""
    volume = float(np.prod(sides))
    x, y, z = sides
    surface = 2 * float(x * y + y * z + x * z)
    return 1 - math.exp(-0.1611 * volume / (surface * decay))


def _mirror_images(
    sides: NDArray[np.float64],
    source: NDArray[np.float64],
    microphone: NDArray[np.float64],
    *,
    reach: float,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """How far each mirror image is from the microphone, and how many walls it bounced off."""
    along = [_images_on_axis(*axis, reach) for axis in zip(sides, source, microphone, strict=True)]
    offsets, orders = zip(*along, strict=True)
    x, y, z = np.meshgrid(*(offset**2 for offset in offsets), indexing="ij")
    squared = x + y + z
    near = squared <= reach * reach
    near.flat[np.argmin(squared)] = True
    a, b, c = np.meshgrid(*orders, indexing="ij")
    return np.sqrt(squared[near]), (a + b + c)[near]


def _images_on_axis(
    side: float, source: float, microphone: float, reach: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    most = math.ceil(reach / side / 2) + 1
    cells = np.arange(-most, most + 1)
    straight = 2 * cells * side + source - microphone
    mirrored = 2 * cells * side - source - microphone
    orders = np.concatenate([np.abs(2 * cells), np.abs(2 * cells - 1)])
    return np.concatenate([straight, mirrored]), orders
