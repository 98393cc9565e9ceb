"""The paper's augmentations (section 2.2): a room, noise at a ratio, another volume.

Test clips are augmented when a challenge is made, and copies of the enrolment recordings when
`auto` calibrates itself.
"""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from earmark.arrays import Samples
from earmark.tasks.keywords.values import RATE

if TYPE_CHECKING:
    from earmark.audio.noise import Colour

# The paper's figures: MUSAN noise at 5 to 25 dB, rooms mixed in with a weight of .5, volume
# scaled by .5 to 2.
SNR_DB = (5.0, 25.0)
WET = 0.5
VOLUME = (0.5, 2.0)
COLOURS: tuple["Colour", ...] = ("white", "pink", "brown")
# Simulated rooms stand in for the paper's RIRS_NOISES: reverberation times (T60, in seconds)
# spread evenly over this range. Chosen by hand, not tuned.
ROOMS = 8
REVERBERATION = (0.2, 0.55)
# The envelope of unsteady noise changes every 200 ms. Chosen by hand, not tuned.
ENVELOPE_STEP = RATE // 5


@cache
def simulated_rooms() -> tuple[Samples, ...]:
    """Return the impulse responses of a few rooms, the same in every process."""
    from earmark.audio.reverberation import simulate_room
    from earmark.stats.draw import stream

    times = np.linspace(*REVERBERATION, ROOMS)
    return tuple(
        simulate_room(stream(0, "room", k), RATE, seconds=float(t)) for k, t in enumerate(times)
    )


def augment(
    samples: Samples,
    rng: np.random.Generator,
    *,
    probability: float,
    noises: tuple[Samples, ...] = (),
    rooms: tuple[Samples, ...] = (),
) -> Samples:
    """Return the sound in a room, with noise, at another volume: each with this probability.

    `noises` are recordings to draw from; without any, coloured noise is generated. `rooms` are
    impulse responses; without any, rooms are simulated.
    """
    from earmark.audio.reverberation import reverberate
    from earmark.audio.splice import among_noise, at_volume

    if rng.random() < probability:
        responses = rooms or simulated_rooms()
        samples = reverberate(samples, responses[rng.integers(len(responses))], wet=WET)
    if rng.random() < probability:
        noise = noises[rng.integers(len(noises))] if noises else coloured_noise(rng, len(samples))
        noise = _excerpt(rng, noise, len(samples))
        samples = among_noise(samples, noise, snr_db=rng.uniform(*SNR_DB))
    if rng.random() < probability:
        samples = at_volume(samples, float(rng.uniform(*VOLUME)))
    # Scaled down where the sum of sound and noise would clip.
    return at_volume(samples, 1.0)


def _excerpt(rng: np.random.Generator, noise: Samples, size: int) -> Samples:
    """Return `size` samples of the noise from a random start; all of it when it is shorter."""
    if len(noise) <= size:
        return noise
    start = int(rng.integers(len(noise) - size))
    return noise[start : start + size]


def coloured_noise(rng: np.random.Generator, size: int) -> Samples:
    """Generate noise of a random colour, half of the time with a random envelope."""
    from earmark.audio.noise import noise

    steady = noise(COLOURS[rng.integers(len(COLOURS))], size, rate=RATE, rng=rng)
    if rng.random() < 0.5:
        return steady
    levels = rng.uniform(0.2, 1.0, size // ENVELOPE_STEP + 1)
    envelope = np.repeat(levels, ENVELOPE_STEP)[:size]
    return (steady * envelope).astype(np.float32)
