"""The six synthesised sounds have what makes the real ones what they are.

Whether recognisers trained on real recordings name them is measured by `python -m
benchmarks.listeners`; these are the figures that would change first if a sound were ruined.
"""

import numpy as np
import pytest
from numpy.typing import NDArray

from earmark.stats.draw import stream
from earmark.tasks.events.make.sounds import LENGTHS, SOUNDS, synthesise

Sound = NDArray[np.float32]
RATE = 22050
SEEDS = range(8)


def sound(label: str, seed: int, seconds: float = 6.0) -> Sound:
    return synthesise(label, seconds, rate=RATE, rng=stream(seed, "test", label))


def spectrum(samples: Sound) -> tuple[Sound, Sound]:
    """Magnitudes and their frequencies."""
    size = 1 << max(14, len(samples).bit_length())
    found = np.abs(np.fft.rfft(samples * np.hanning(len(samples)), size))
    return found, np.fft.rfftfreq(size, 1 / RATE)


def strongest(samples: Sound, low: float, high: float) -> float:
    """The frequency of the strongest part between two frequencies."""
    found, hertz = spectrum(samples)
    inside = (hertz > low) & (hertz < high)
    return float(hertz[inside][np.argmax(found[inside])])


def loudness(samples: Sound, hop: int = 110) -> Sound:
    """The envelope, 200 values a second."""
    rows = samples[: len(samples) // hop * hop].reshape(-1, hop)
    return np.asarray(np.sqrt(np.mean(rows.astype(np.float64) ** 2, axis=1)))


def rhythm(samples: Sound, low: float, high: float) -> float:
    """The strongest rate at which the envelope beats, between two rates."""
    level = loudness(samples)
    beats = np.abs(np.fft.rfft((level - level.mean()) * np.hanning(len(level)), 1 << 15))
    rate = np.fft.rfftfreq(1 << 15, 110 / RATE)
    inside = (rate > low) & (rate < high)
    return float(rate[inside][np.argmax(beats[inside])])


def cents(one: float, other: float) -> float:
    return float(abs(1200 * np.log2(one / other)))


@pytest.mark.parametrize("label", SOUNDS)
def test_the_same_seed_gives_the_same_sound_and_another_another(label: str) -> None:
    assert np.array_equal(sound(label, 1, 2.0), sound(label, 1, 2.0))
    assert not np.array_equal(sound(label, 1, 2.0), sound(label, 2, 2.0))


@pytest.mark.parametrize("label", SOUNDS)
def test_each_sound_is_audible_from_start_to_end(label: str) -> None:
    seconds = LENGTHS[label][0] + 1
    samples = synthesise(label, seconds, rate=16000, rng=np.random.default_rng(2))
    assert np.max(np.abs(samples)) == pytest.approx(1.0)
    for second in np.array_split(samples, int(seconds)):
        assert np.sqrt(np.mean(second**2)) > 0.005


@pytest.mark.parametrize("rate", [8000, 44100])
@pytest.mark.parametrize("seconds", [0.02, 1.0])
@pytest.mark.parametrize("label", SOUNDS)
def test_any_length_and_rate_will_do(label: str, seconds: float, rate: int) -> None:
    made = synthesise(label, seconds, rate=rate, rng=stream(0, "test"))
    assert len(made) == round(seconds * rate)
    assert np.isfinite(made).all() and np.max(np.abs(made)) <= 1


@pytest.mark.parametrize("label", SOUNDS)
def test_a_sound_begins_at_its_onset(label: str) -> None:
    for seed in SEEDS:
        level = loudness(sound(label, seed))
        assert level[: round(0.25 * 200)].max() > 0.1 * level.max()


def test_a_horn_is_two_steady_tones_a_third_apart() -> None:
    for seed in SEEDS:
        made = sound("car_horn", seed)
        level = loudness(made)
        blast = made[: 110 * int(np.argmax(level[10:] < 0.3 * level.max()))]
        low, high = strongest(blast, 380, 450), strongest(blast, 455, 570)
        assert 2.5 < cents(high, low) / 100 < 4.5
        half = len(blast) // 2
        for part in (blast[:half], blast[half:]):
            assert cents(strongest(part, 380, 450), low) < 15
        assert strongest(blast, 100, 8000) > 1000, "a horn is bright"


def test_a_siren_goes_up_and_down_an_octave_or_between_two_tones_a_fourth_apart() -> None:
    kinds = set()
    for seed in range(16):
        made = sound("siren", seed)
        parts = made[RATE : 6 * RATE].reshape(-1, RATE // 30)[:140]
        pitch = np.array([strongest(part, 350, 1750) for part in parts])
        low, high = np.percentile(pitch, [5, 95])
        swing = cents(high, low) / 100
        kinds.add("fourth" if swing < 8 else "octave")
        assert 4 < swing < 6 if swing < 8 else 12 <= swing + 0.5 < 17
    assert kinds == {"fourth", "octave"}


def test_an_idling_engine_fires_20_to_30_times_a_second_and_never_stops() -> None:
    for seed in SEEDS:
        made = sound("engine_idling", seed)
        assert 19 < rhythm(np.diff(made, n=2), 8, 60) < 31
        level = loudness(made, 2205)
        assert level.min() > 0.4 * level.max()
        found, hertz = spectrum(made)
        power = found**2
        assert power[hertz < 500].sum() > 0.7 * power.sum()


def test_a_dog_barks_in_short_bursts_with_silence_between() -> None:
    for seed in SEEDS:
        level = loudness(sound("dog_bark", seed), 1102)
        loud = np.concatenate([[False], level > 0.25 * level.max(), [False]])
        edges = np.flatnonzero(np.diff(loud.astype(int)))
        lengths = (edges[1::2] - edges[::2]) / 20
        assert 0.05 <= np.median(lengths) <= 0.3
        assert 1 < len(lengths) / 6 < 4
        assert 0.1 < loud.mean() < 0.6


def test_voices_have_a_childs_pitch_and_the_rhythm_of_syllables() -> None:
    for seed in SEEDS:
        made = sound("children_voices", seed)
        assert 210 < strongest(made, 80, 520) < 520
        assert rhythm(made, 2, 20) < 9


def test_music_keeps_its_beat_and_its_scale() -> None:
    for seed in SEEDS:
        made = sound("street_music", seed, 12.0)
        rise = np.maximum(np.diff(loudness(made)), 0)
        again = np.correlate(rise, rise, "full")[len(rise) - 1 :]
        lag = 80 + int(np.argmax(again[80:150]))
        assert 90 < 60 * 200 / lag < 150
        assert again[lag] > 0.3 * again[0]
        assert scale_share(made) > 0.8


def test_no_other_sound_keeps_a_scale_of_seven_notes_and_a_beat() -> None:
    for label in ("children_voices", "dog_bark", "engine_idling"):
        assert np.mean([scale_share(sound(label, seed)) for seed in SEEDS]) < 0.6


def scale_share(samples: Sound) -> float:
    """How much of the sound between 200 and 1200 Hz lies on its seven strongest notes of twelve."""
    found, hertz = spectrum(samples)
    inside = (hertz > 200) & (hertz < 1200)
    note = 12 * np.log2(hertz[inside] / 440)
    shares = []
    for shift in np.arange(0, 1, 0.1):
        near = np.abs((note - shift + 0.5) % 1 - 0.5) < 0.2
        names = np.round(note - shift).astype(int)[near] % 12
        power = np.bincount(names, found[inside][near] ** 2, minlength=12)
        shares.append(np.sort(power)[-7:].sum() / np.sum(found[inside] ** 2))
    return float(max(shares))
