"""Voice activity."""

import numpy as np
import pytest

from earmark.audio import features, speech, splice

RATE = 16000


def tone(hertz: float = 440.0, seconds: float = 1.0, level: float = 0.3):
    return (level * np.sin(2 * np.pi * hertz * np.arange(int(seconds * RATE)) / RATE)).astype("f4")


def quiet(seconds: float = 0.5):
    return np.zeros(int(seconds * RATE), dtype=np.float32)


def test_speech_is_found_between_silences() -> None:
    rng = np.random.default_rng(0)
    sound = splice.splice(quiet(), tone(), quiet(), rate=RATE)
    sound += 1e-3 * rng.standard_normal(len(sound), dtype=np.float32)
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
