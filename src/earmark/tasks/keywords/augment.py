"""The paper's augmentations: rooms, noise at a ratio, volume; drawn by a seeded hand."""

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from earmark.audio.noise import Colour

RATE = 16000
SNR_DB = (5.0, 25.0)
VOLUME = (0.5, 2.0)
ROOMS = 8
COLOURS: tuple["Colour", ...] = ("white", "pink", "brown")
LONGEST = 0.55


@cache
def room_bank() -> tuple[Any, ...]:
    """Impulse responses of a few rooms, always the same, T60 from .2 to .55 s."""
    import numpy as np

    from earmark.audio.rooms import simulate_room
    from earmark.stats.draw import stream

    times = np.linspace(0.2, LONGEST, ROOMS)
    return tuple(
        simulate_room(stream(0, "room", k), RATE, seconds=float(t)) for k, t in enumerate(times)
    )


def disturb(
    samples: Any,
    rng: "np.random.Generator",
    *,
    chance: float = 0.4,
    noises: tuple[Any, ...] = (),
    rooms: tuple[Any, ...] = (),
) -> Any:
    """The sound in a room, among noise, at another volume: each with its chance, in this order.

    `noises` are recordings to draw from; without any, the noise is coloured noise that swells
    and ebbs half of the time. `rooms` are impulse responses; without any, they are simulated.
    """
    from earmark.audio.rooms import reverberate
    from earmark.audio.splice import among_noise, at_volume

    if rng.random() < chance:
        responses = rooms or room_bank()
        samples = reverberate(samples, responses[rng.integers(len(responses))], wet=0.5)
    if rng.random() < chance:
        noise = noises[rng.integers(len(noises))] if noises else _noise(rng, len(samples))
        samples = among_noise(samples, _cut(rng, noise, len(samples)), snr_db=rng.uniform(*SNR_DB))
    if rng.random() < chance:
        samples = at_volume(samples, float(rng.uniform(*VOLUME)))
    return at_volume(samples, 1.0)


def _cut(rng: "np.random.Generator", noise: Any, size: int) -> Any:
    if len(noise) <= size:
        return noise
    start = int(rng.integers(len(noise) - size))
    return noise[start : start + size]


def _noise(rng: "np.random.Generator", size: int) -> Any:
    import numpy as np

    from earmark.audio.noise import noise

    made = noise(COLOURS[rng.integers(len(COLOURS))], size, rate=RATE, rng=rng)
    if rng.random() < 0.5:
        return made
    stretch = RATE // 5
    swell = np.repeat(rng.uniform(0.2, 1.0, size // stretch + 1), stretch)[:size]
    return (made * swell).astype(np.float32)
