"""Sounds in a row, and in noise."""

import numpy as np
import pytest

from earmark.audio import splice

RATE = 16000


def tone(hertz: float = 440.0, seconds: float = 1.0, level: float = 0.3):
    return (level * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE)).astype("f4")


@pytest.mark.parametrize("ratio", [5.0, 25.0])
def test_noise_lies_below_the_sound_by_the_ratio(ratio: float) -> None:
    sound, noise = tone(), np.random.default_rng(0).standard_normal(4000).astype("f4")
    added = splice.among_noise(sound, noise, snr_db=ratio) - sound
    assert 10 * np.log10(np.mean(sound**2) / np.mean(added**2)) == pytest.approx(ratio, abs=0.01)


def test_volume_scales_but_never_clips() -> None:
    assert np.abs(splice.at_volume(tone(level=0.3), 2.0)).max() == pytest.approx(0.6, abs=0.01)
    assert np.abs(splice.at_volume(tone(level=0.8), 2.0)).max() == pytest.approx(1.0)


def test_spliced_sounds_stand_one_after_the_other() -> None:
    found = splice.splice(np.ones(3, "f4"), np.ones(2, "f4"), rate=10, gap=0.2)
    assert found.tolist() == [1, 1, 1, 0, 0, 1, 1]
