"""Bands, codecs, babble and music."""

import numpy as np
import pytest

from earmark.audio.channel import babble_of, band_limited, chords, companded, with_spectral_holes

RATE = 16000
TIME = np.arange(RATE) / RATE


def tone(hertz: float) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * hertz * TIME)).astype(np.float32)


@pytest.mark.parametrize(("hertz", "is_passed"), [(100, False), (1000, True), (6000, False)])
def test_a_telephone_passes_300_to_3400_hertz(hertz: float, is_passed: bool) -> None:
    share = np.std(band_limited(tone(hertz), RATE, low=300, high=3400)) / np.std(tone(hertz))
    assert (share > 0.9) if is_passed else (share < 0.1)


def test_mu_law_has_256_values_and_errs_by_little() -> None:
    """Steps of 1/128 of the code: near full scale, ln(256)/128 = 4.3 % apart, so 2.2 % off."""
    ramp = np.linspace(-1, 1, 5000).astype(np.float32)
    coded = companded(ramp)
    assert len(np.unique(coded)) <= 257
    assert np.abs(coded - ramp).max() < 0.023
    assert companded(np.array([3.0], dtype=np.float32)).tolist() == [1.0]


def test_holes_take_away_what_is_far_below_the_peak() -> None:
    both = (tone(500) + 0.01 * tone(3000)).astype(np.float32)
    holed = with_spectral_holes(both, RATE, depth_db=30)
    spectrum = np.abs(np.fft.rfft(holed * np.hanning(RATE)))
    assert spectrum[3000] < 0.1 * np.abs(np.fft.rfft(both * np.hanning(RATE)))[3000]
    assert spectrum[500] == pytest.approx(
        np.abs(np.fft.rfft(both * np.hanning(RATE)))[500], rel=0.1
    )


def test_babble_and_chords_have_the_length_asked_for_and_follow_their_seed() -> None:
    for make in (
        lambda seed: babble_of([tone(300), tone(400)[:900]], 7000, rng=np.random.default_rng(seed)),
        lambda seed: chords(7000, RATE, rng=np.random.default_rng(seed)),
    ):
        one, same, other = make(1), make(1), make(2)
        assert len(one) == 7000 and np.std(one) > 0
        assert np.array_equal(one, same) and not np.array_equal(one, other)
