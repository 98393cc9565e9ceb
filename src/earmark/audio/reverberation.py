"""Reverberation: impulse responses of simulated rooms, and sounds heard in them."""

import math

import numpy as np

from earmark.arrays import Floats, Ints, Samples
from earmark.values import checks
from earmark.values.errors import InputError

SPEED_OF_SOUND = 343.0  # metres per second, in air of 20 degrees
# Metres from source and microphone to the nearest wall, and least distance between the two: nearer
# than that, the direct sound would drown the room.
NEAREST = 0.2
# Seconds, the limits of a reverberation time: below .05 a room is dry, 5 is a cathedral's.
SHORTEST, LONGEST = 0.05, 5.0
# What is drawn when nothing is given: living rooms to classrooms. Chosen by hand, not tuned.
DRAWN_SECONDS = (0.2, 0.7)
SMALLEST_ROOM, LARGEST_ROOM = (2.5, 2.5, 2.2), (8.0, 6.0, 3.5)
# T60 is the time to fall by 60 dB; the response is cut after two thirds of it, at -40 dB.
LENGTH = 2 / 3


def simulate_room(
    rng: np.random.Generator,
    rate: int,
    *,
    seconds: float | None = None,
    size: tuple[float, float, float] | None = None,
) -> Samples:
    """Return the impulse response of a shoebox room, by the image method of Allen and Berkley 1979.

    Source and microphone are drawn anywhere at least 0.2 m from the walls. `seconds` is the
    reverberation time T60 (drawn from .2 to .7 if None), `size` the three sides in metres.
    The response is cut where it has fallen by 40 dB, and its largest value is 1.
    """
    sides = np.array(size) if size else rng.uniform(SMALLEST_ROOM, LARGEST_ROOM)
    decay = float(rng.uniform(*DRAWN_SECONDS)) if seconds is None else seconds
    checks.within(decay, SHORTEST, LONGEST, what="a reverberation time in seconds")
    if sides.min() < 3 * NEAREST:
        raise InputError("a room must have sides of more than 0.6 m", got=sides.tolist())
    source, microphone = rng.uniform(NEAREST, sides - NEAREST, (2, 3))
    distances, bounces = _mirror_images(
        sides, source, microphone, reach=LENGTH * decay * SPEED_OF_SOUND
    )
    walls = _absorption(sides, decay)
    gains = (1 - walls) ** (bounces / 2) / np.maximum(distances, NEAREST)
    response = np.zeros(math.ceil(LENGTH * decay * rate) + 1)
    arrivals = np.rint((distances - distances.min()) / SPEED_OF_SOUND * rate).astype(int)
    near = arrivals < len(response)
    # a random sign for each image breaks the flutter echo of perfectly regular images
    signs = np.where(bounces[near] > 0, rng.choice((-1.0, 1.0), near.sum()), 1.0)
    np.add.at(response, arrivals[near], gains[near] * signs)
    return np.asarray(response / np.abs(response).max(), dtype=np.float32)


def reverberate(samples: Samples, response: Samples, *, wet: float = 0.5) -> Samples:
    """Return the sound mixed with its reverberation; `wet` is the share of the latter.

    The reverberation is brought to the level of the dry sound first, and the length stays.
    """
    from scipy.signal import fftconvolve

    checks.within(wet, 0.0, 1.0, what="the wet share")
    echo = fftconvolve(samples, response)[: len(samples)]
    level = math.sqrt(float(np.mean(echo**2))) if len(samples) else 0.0
    dry_level = math.sqrt(float(np.mean(samples**2))) if len(samples) else 0.0
    matched = echo * (dry_level / level) if level > 0 else echo
    return np.asarray((1 - wet) * samples + wet * matched, dtype=np.float32)


def _absorption(sides: Floats, decay: float) -> float:
    """Return the absorption of the walls that gives the reverberation time, by Eyring's formula."""
    volume = float(np.prod(sides))
    x, y, z = sides
    surface = 2 * float(x * y + y * z + x * z)
    return 1 - math.exp(-0.1611 * volume / (surface * decay))


def _mirror_images(
    sides: Floats,
    source: Floats,
    microphone: Floats,
    *,
    reach: float,
) -> tuple[Floats, Ints]:
    """Return how far each image of the source is from the microphone, and its wall reflections.

    Only images within `reach` metres, and always the nearest, which is the source itself.
    """
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
) -> tuple[Floats, Ints]:
    """Return the offsets of the images along one axis, and how many walls each reflected off.

    Two walls facing each other repeat the room every two sides; in each repetition the source
    appears once as it is and once mirrored.
    """
    most = math.ceil(reach / side / 2) + 1
    cells = np.arange(-most, most + 1)
    straight = 2 * cells * side + source - microphone
    mirrored = 2 * cells * side - source - microphone
    orders = np.concatenate([np.abs(2 * cells), np.abs(2 * cells - 1)])
    return np.concatenate([straight, mirrored]), orders
