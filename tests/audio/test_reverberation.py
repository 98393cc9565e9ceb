"""Simulated rooms."""

from typing import Any

import numpy as np
import pytest

from earmark.audio import reverberation
from earmark.values.errors import InputError

RATE = 16000


@pytest.mark.parametrize("seconds", [0.25, 0.5])
def test_a_room_decays_about_as_fast_as_it_was_asked_to(seconds: float) -> None:
    response = reverberation.simulate_room(
        np.random.default_rng(1), RATE, seconds=seconds, size=(5, 4, 2.8)
    )
    energy = np.cumsum(response[::-1].astype(float) ** 2)[::-1]
    level = 10 * np.log10(np.maximum(energy / energy[0], 1e-12))
    decay = (np.argmax(level < -20) - np.argmax(level < -5)) / RATE * 4
    assert decay == pytest.approx(seconds, rel=0.3)


def test_the_same_seed_gives_the_same_room_and_another_another() -> None:
    one, same, other = (
        reverberation.simulate_room(np.random.default_rng(seed), RATE, seconds=0.2)
        for seed in (1, 1, 2)
    )
    assert np.array_equal(one, same) and not np.array_equal(one[:50], other[:50])


def test_a_dry_share_is_the_sound_itself_and_length_and_level_stay() -> None:
    sound = np.random.default_rng(0).standard_normal(RATE).astype("f4")
    response = reverberation.simulate_room(np.random.default_rng(1), RATE, seconds=0.3)
    assert np.allclose(reverberation.reverberate(sound, response, wet=0.0), sound)
    wet = reverberation.reverberate(sound, response, wet=1.0)
    assert len(wet) == len(sound)
    assert np.std(wet) == pytest.approx(np.std(sound), rel=1e-3)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"seconds": 0.01}, "a reverberation time in seconds"),
        ({"size": (0.5, 4.0, 3.0)}, "sides of more than 0.6 m"),
    ],
)
def test_a_room_that_cannot_be_is_refused(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        reverberation.simulate_room(np.random.default_rng(1), RATE, **changes)
