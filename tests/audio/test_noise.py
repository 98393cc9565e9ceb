"""The colours of noise."""

import numpy as np
import pytest

from earmark.audio.level import rms
from earmark.audio.noise import noise


@pytest.mark.parametrize(("colour", "fall"), [("white", 0.0), ("pink", -3.0), ("brown", -6.0)])
def test_noise_falls_by_its_decibels_per_octave_and_has_power_one(colour, fall) -> None:
    sound = noise(colour, 2**18, rate=16000, rng=np.random.default_rng(1))
    power = np.abs(np.fft.rfft(sound)) ** 2
    hertz = np.fft.rfftfreq(len(sound), 1 / 16000)
    low, high = (power[(hertz > f) & (hertz < 1.4 * f)].mean() for f in (200, 1600))
    assert 10 * np.log10(high / low) / 3 == pytest.approx(fall, abs=0.7)
    assert rms(sound) == pytest.approx(1.0, abs=1e-3)


def test_no_samples_are_no_noise() -> None:
    assert len(noise("white", 0, rate=16000, rng=np.random.default_rng(1))) == 0
