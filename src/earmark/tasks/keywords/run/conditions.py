"""Conditions under which a keyword is said: noise, babble, music, rooms, distances, codecs.

`augment` is the challenge's own way of disturbing its clips. These conditions are wider, so that a
device that was enrolled in a quiet room has met the others before its first test clip: `auto`
disturbs its enrolment recordings by them, and its synthetic development speakers too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Samples
from earmark.tasks.keywords.augment import coloured_noise, simulated_rooms
from earmark.tasks.keywords.values import RATE

# Ranges in dB, shares and volumes, chosen by hand around the challenge's 5 to 25 dB and .5 to 2.
NOISE_DB = (3.0, 20.0)
OTHER_SOUND_DB = (3.0, 18.0)
WET = (0.5, 0.95)
FAR_WET = (0.6, 0.95)
FAR_VOLUME = (0.05, 0.3)
FAR_NOISE_DB = (8.0, 20.0)
VOLUME = (0.4, 2.0)
HOLES_DB = (22.0, 35.0)
# Hertz: telephone, and three microphones' bands.
BANDS = ((300.0, 3400.0), (150.0, 5000.0), (80.0, 4000.0), (250.0, 7000.0))
CODE_PROBABILITY = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Bystanders:
    """Recordings of speech that babble is made of."""

    voices: Sequence[Samples]


def in_noise(samples: Samples, rng: np.random.Generator, others: Bystanders) -> Samples:
    """Add steady or unsteady noise of a random colour."""
    from earmark.audio.splice import among_noise

    noise = coloured_noise(rng, len(samples))
    return among_noise(samples, noise, snr_db=float(rng.uniform(*NOISE_DB)))


def in_babble(samples: Samples, rng: np.random.Generator, others: Bystanders) -> Samples:
    """Add people who talk."""
    from earmark.audio.channel import babble_of
    from earmark.audio.splice import among_noise

    talkers = int(rng.integers(3, 9))
    babble = babble_of(list(others.voices), len(samples), rng=rng, talkers=talkers)
    return among_noise(samples, babble, snr_db=float(rng.uniform(*OTHER_SOUND_DB)))


def in_music(samples: Samples, rng: np.random.Generator, others: Bystanders) -> Samples:
    """Add chords and a beat."""
    from earmark.audio.channel import chords
    from earmark.audio.splice import among_noise

    music = chords(len(samples), RATE, rng=rng)
    return among_noise(samples, music, snr_db=float(rng.uniform(*OTHER_SOUND_DB)))


def in_room(samples: Samples, rng: np.random.Generator, others: Bystanders) -> Samples:
    """Put the sound in a room."""
    from earmark.audio.reverberation import reverberate

    rooms = simulated_rooms()
    response = rooms[int(rng.integers(len(rooms)))]
    return reverberate(samples, response, wet=float(rng.uniform(*WET)))


def far_away(samples: Samples, rng: np.random.Generator, others: Bystanders) -> Samples:
    """Put the sound far from the microphone: more room than voice, low, in noise."""
    from earmark.audio.reverberation import reverberate
    from earmark.audio.splice import among_noise

    rooms = simulated_rooms()
    response = rooms[int(rng.integers(len(rooms)))]
    sound = reverberate(samples, response, wet=float(rng.uniform(*FAR_WET)))
    noise = coloured_noise(rng, len(samples))
    sound = among_noise(sound, noise, snr_db=float(rng.uniform(*FAR_NOISE_DB)))
    return np.asarray(sound * np.float32(rng.uniform(*FAR_VOLUME)), dtype=np.float32)


def through_codec(samples: Samples, rng: np.random.Generator, others: Bystanders) -> Samples:
    """Send the sound through a narrow band and a codec."""
    from earmark.audio.channel import band_limited, companded, with_spectral_holes

    low, high = BANDS[int(rng.integers(len(BANDS)))]
    sound = band_limited(samples, RATE, low=low, high=high)
    if rng.random() < CODE_PROBABILITY:
        return companded(sound)
    return with_spectral_holes(sound, RATE, depth_db=float(rng.uniform(*HOLES_DB)))


def in_noisy_room(samples: Samples, rng: np.random.Generator, others: Bystanders) -> Samples:
    """Put the sound in a room with noise."""
    return in_noise(in_room(samples, rng, others), rng, others)


CONDITIONS: dict[str, Callable[[Samples, np.random.Generator, Bystanders], Samples]] = {
    "noise": in_noise,
    "babble": in_babble,
    "room": in_room,
    "far": far_away,
    "codec": through_codec,
    "music": in_music,
    "noisy room": in_noisy_room,
}


def disturbed(
    samples: Samples, condition: str, rng: np.random.Generator, others: Bystanders
) -> Samples:
    """Return the sound under a condition, at another volume, scaled down where it would clip."""
    from earmark.audio.splice import at_volume

    sound = CONDITIONS[condition](samples, rng, others)
    scale = 1.0 if condition == "far" else float(rng.uniform(*VOLUME))
    return at_volume(sound, scale)
