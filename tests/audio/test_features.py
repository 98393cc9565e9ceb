"""Mel filters, log-mel energies, cepstra, slopes."""

import numpy as np
import pytest

from earmark.audio import features
from earmark.values.errors import InputError

RATE = 16000


def tone(hertz: float = 440.0, seconds: float = 1.0, level: float = 0.3):
    return (level * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE)).astype("f4")


def test_a_tone_is_loudest_in_the_band_that_holds_it() -> None:
    energies = features.log_mel(tone(1000), RATE, bands=40)
    low, high = 1127 * np.log1p(np.array([20.0, 8000.0]) / 700)
    centres = 700 * np.expm1(np.linspace(low, high, 42) / 1127)
    assert energies.shape == (98, 40)
    assert abs(centres[1:-1][energies.mean(axis=0).argmax()] - 1000) < 60


def test_twice_the_amplitude_adds_log_four_everywhere() -> None:
    soft, loud = (features.log_mel(tone(level=a), RATE) for a in (0.2, 0.4))
    assert np.median(loud - soft) == pytest.approx(np.log(4), abs=1e-3)


def test_bands_above_half_the_rate_are_refused() -> None:
    with pytest.raises(InputError, match="mel bands must lie between 0 and half the sample rate"):
        features.log_mel(tone(), RATE, high=9000)


def test_cepstra_of_a_flat_spectrum_have_only_the_first() -> None:
    found = features.cepstra(np.ones((3, 20), dtype=np.float32), keep=5)
    assert found[:, 0] == pytest.approx(np.sqrt(20), rel=1e-5)
    assert np.abs(found[:, 1:]).max() < 1e-4


def test_slopes_of_a_ramp_are_its_slope_away_from_the_edges() -> None:
    ramp = np.arange(10, dtype=np.float32)[:, None] * 3
    assert features.deltas(ramp)[2:-2, 0] == pytest.approx(3.0)


def test_standardised_columns_have_mean_nothing_and_constant_ones_are_nothing() -> None:
    frames = np.stack([np.arange(5.0), np.ones(5)], axis=1).astype("f4")
    found = features.standardise(frames)
    assert found.mean(axis=0) == pytest.approx([0, 0], abs=1e-6)
    assert found[:, 1].tolist() == [0.0] * 5


def test_filters_with_slopes_in_mel_are_kaldis() -> None:
    """Written down again from Kaldi's mel-computations.cc, a band and a bin at a time."""
    bands, size, rate, low, high = 20, 512, 16000, 20.0, 8000.0

    def mel(hertz: float) -> float:
        return float(1127.0 * np.log1p(hertz / 700.0))

    corners = np.linspace(mel(low), mel(high), bands + 2)
    expected = np.zeros((bands, size // 2 + 1), dtype=np.float32)
    for band in range(bands):
        left, centre, right = corners[band : band + 3]
        for place in range(size // 2 + 1):
            here = mel(place * rate / size)
            if left < here < right:
                up, down = (here - left) / (centre - left), (right - here) / (right - centre)
                expected[band, place] = min(up, down)
    found = features.mel_filters(bands, size, rate, low=low, high=high)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("rate", [16000, 22050, 44100])
def test_filters_with_slopes_in_hertz_are_those_of_htks_formula(rate: int) -> None:
    """2595 log10 in place of 1127 ln: one scale, up to rounding at the very last bin."""
    bands, size = 40, 2048
    top = 2595 * np.log10(1 + rate / 2 / 700)
    corners = 700 * (10 ** (np.linspace(0, top, bands + 2) / 2595) - 1)
    bins = np.fft.rfftfreq(size, 1 / rate)
    low, middle, high = corners[:-2, None], corners[1:-1, None], corners[2:, None]
    rising, falling = (bins - low) / (middle - low), (high - bins) / (high - middle)
    expected = np.maximum(0.0, np.minimum(rising, falling)).astype(np.float32)
    found = features.mel_filters(bands, size, rate, slopes="hertz")
    assert np.array_equal(found[:, :-1], expected[:, :-1])
    assert np.abs(found[:, -1]).max() < 1e-14


def test_filters_are_shared_and_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        features.mel_filters(20, 512, 16000)[0, 0] = 1.0
