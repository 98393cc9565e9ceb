"""Features, voice activity, rooms and splicing."""

import numpy as np
import pytest

from earmark.audio import features, reverberation, speech, splice
from earmark.values.errors import InputError

RATE = 16000


def tone(hertz: float = 440.0, seconds: float = 1.0, level: float = 0.3):
    return (level * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE)).astype("f4")


def quiet(seconds: float = 0.5):
    return np.zeros(int(seconds * RATE), dtype=np.float32)


def test_a_tone_is_loudest_in_the_band_that_holds_it() -> None:
    energies = features.log_mel(tone(1000), RATE, bands=40)
    centres = 700 * np.expm1(np.linspace(*(1127 * np.log1p(np.array([20, 8000]) / 700)), 42) / 1127)
    assert energies.shape == (98, 40)
    assert abs(centres[1:-1][energies.mean(axis=0).argmax()] - 1000) < 60


def test_twice_the_amplitude_adds_log_four_everywhere() -> None:
    soft, loud = (features.log_mel(tone(level=a), RATE) for a in (0.2, 0.4))
    assert np.median(loud - soft) == pytest.approx(np.log(4), abs=1e-3)


def test_bands_above_half_the_rate_are_refused() -> None:
    with pytest.raises(InputError, match="mel bands lie between 0 and half the rate"):
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


def test_speech_is_found_between_silences() -> None:
    rng = np.random.default_rng(0)
    sound = splice.splice(quiet(), tone(), quiet(), rate=RATE)
    sound = sound + 1e-3 * rng.standard_normal(len(sound)).astype("f4")
    span = speech.speech_span(speech.speech_frames(features.log_mel(sound, RATE, bands=40)))
    assert span.start == pytest.approx(48, abs=7) and span.stop == pytest.approx(152, abs=7)


def test_without_speech_the_span_is_everything() -> None:
    assert speech.speech_span(np.zeros(30, dtype=bool)) == slice(0, 30)


def test_runs_of_voiced_frames_begin_and_end_a_template_as_in_the_baseline() -> None:
    """Voiced 10..49 and 60..99: the first run of 30 starts at 10, the last starts at 70."""
    mask = np.zeros(120, dtype=bool)
    mask[10:50] = mask[60:100] = True
    assert speech.span_of_runs(mask, run=30) == slice(10, 99)
    assert speech.span_of_runs(mask, run=41) == slice(0, 120)


def test_energy_finds_a_tone_among_silence() -> None:
    voiced = speech.energy_voiced(splice.splice(quiet(), tone(), quiet(), rate=RATE), RATE)
    assert not voiced[:40].any() and voiced[55:145].all() and not voiced[160:].any()


def test_loud_stretches_are_cut_out_with_a_margin() -> None:
    span = speech.loud_span(splice.splice(quiet(), tone(), quiet(), rate=RATE), RATE)
    assert span.start == pytest.approx(0.45 * RATE, abs=0.02 * RATE)
    assert span.stop == pytest.approx(1.55 * RATE, abs=0.02 * RATE)


def test_a_whisper_is_raised_until_it_is_heard() -> None:
    soft = splice.splice(quiet(), tone(level=1e-3), quiet(), rate=RATE)
    span = speech.loud_span(soft, RATE)
    assert 0 < span.start < RATE < span.stop


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
