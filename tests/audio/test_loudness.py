"""Loudness by ITU-R BS.1770: the standard's coefficients and signals worked by hand."""

import math

import numpy as np
import pytest

from earmark.audio.loudness import _k_filters, gain_to, loudness

# BS.1770-4, tables 1 and 2, for 48 kHz.
SHELF = (1.53512485958697, -2.69169618940638, 1.19839281085285)
SHELF_POLES = (-1.69065929318241, 0.73248077421585)
HIGH_PASS_POLES = (-1.99004745483398, 0.99007225036621)


def sine(level_db: float, seconds: float, *, rate: int = 48000, hertz: float = 997.0):
    wave = np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)
    return (10 ** (level_db / 20) * wave).astype(np.float32)


def test_the_filters_at_48_khz_are_those_of_the_standard():
    shelf, high_pass = _k_filters(48000)
    assert shelf[:3] == pytest.approx(SHELF, abs=1e-8)
    assert shelf[4:] == pytest.approx(SHELF_POLES, abs=1e-8)
    assert high_pass[:3].tolist() == [1, -2, 1]
    assert high_pass[4:] == pytest.approx(HIGH_PASS_POLES, abs=1e-8)


@pytest.mark.parametrize("rate", [16000, 22050, 44100, 48000])
def test_a_full_scale_sine_of_997_hz_is_3_01_below_zero_at_every_rate(rate):
    """The standard's own check: mean square .5 is -3.01 dB; the weighting lifts it by .691 dB."""
    assert loudness(sine(0, 2, rate=rate), rate) == pytest.approx(-3.01, abs=0.05)


def test_soft_parts_are_gated_as_in_the_test_signals_of_ebu_3341():
    """-36, -23 and -36 dBFS for 10, 60 and 10 s: the soft parts are 13 LU below, so do not count.

    The test signal is stereo, which adds 3.01 LU to one channel.
    """
    signal = np.concatenate([sine(-36, 10), sine(-23, 60), sine(-36, 10)])
    assert loudness(signal, 48000) + 3.01 == pytest.approx(-23, abs=0.1)
    below_all = np.concatenate([sine(-72, 10), sine(-36, 10), sine(-23, 60), sine(-36, 10)])
    assert loudness(below_all, 48000) + 3.01 == pytest.approx(-23, abs=0.1)


def test_parts_within_ten_units_of_the_mean_all_count():
    """-20 and -26 dBFS for 20.1 s each: the mean power is that of -22.0 dBFS, worked by hand."""
    signal = np.concatenate([sine(-20, 20), sine(-26, 20)])
    mean = 10 * math.log10((10**-2.0 + 10**-2.6) / 2)
    assert loudness(signal, 48000) == pytest.approx(mean - 3.01, abs=0.05)


def test_low_rumble_is_softer_than_a_middle_tone_of_the_same_power():
    assert loudness(sine(0, 2, hertz=30), 48000) < loudness(sine(0, 2), 48000) - 6


def test_silence_has_no_loudness_and_short_sounds_have_one():
    assert loudness(np.zeros(48000, np.float32), 48000) == -math.inf
    assert loudness(np.zeros(0, np.float32), 48000) == -math.inf
    assert loudness(sine(0, 0.2), 48000) == pytest.approx(-3.01, abs=0.2)


@pytest.mark.parametrize("scale", [1.0, 1e-6])
def test_the_gain_brings_a_sound_to_a_loudness_however_faint_it_was(scale):
    sound = sine(-10, 2) * np.float32(scale)
    gain = gain_to(sound, 48000, level_lufs=-30.0)
    assert loudness((sound * gain).astype(np.float32), 48000) == pytest.approx(-30, abs=0.01)
    assert gain_to(np.zeros(10, np.float32), 48000, level_lufs=-30.0) == 1.0
