"""Levels, gains, fades."""

import numpy as np
import pytest

from earmark.audio.level import amplitude, faded, gain_over, rms


def test_six_decibels_are_about_twice_the_amplitude() -> None:
    assert amplitude(20 * np.log10(3.0)) == pytest.approx(3.0)


def test_a_sound_is_raised_above_a_background_by_the_level() -> None:
    sound = np.full(4, 0.5, np.float32)
    assert gain_over(sound, 0.05, level_db=20.0) == pytest.approx(1.0)


def test_silence_stays_silent() -> None:
    assert gain_over(np.zeros(3, np.float32), 0.1, level_db=0.0) == 1.0
    assert rms(np.zeros(0, np.float32)) == 0.0


def test_a_fade_begins_and_ends_at_nothing_and_leaves_its_input_alone() -> None:
    sound = np.ones(100, np.float32)
    shaped = faded(sound, rate=1000)
    assert (shaped[0], shaped[-1], shaped[50]) == (0.0, 0.0, 1.0)
    assert sound.min() == 1.0
    assert faded(sound[:1], rate=1000).tolist() == [1.0]
