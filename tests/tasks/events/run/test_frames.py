"""Recordings as frames, and frames as events."""

import numpy as np
import pytest

from earmark.tasks.events.run.frames import (
    Bands,
    ScoreReading,
    as_timeline,
    median,
    mel_power,
    standardised,
    targets,
)
from earmark.tasks.events.values import Event, Timeline
from earmark.values.item import Item


def test_frames_hear_what_sounds_in_their_middle() -> None:
    active = targets(Timeline(4, (Event("a", 1.0, 2.0),)), ["a", "b"], 8, 0.5)
    assert active[:, 0].tolist() == [0, 0, 1, 1, 0, 0, 0, 0]
    assert not active[:, 1].any()


def test_a_tone_lights_its_own_band() -> None:
    bands = Bands()
    time = np.arange(bands.rate * 2) / bands.rate
    tone = np.where(time < 1, np.sin(2 * np.pi * 1000 * time), 0).astype(np.float32)
    energies = standardised(mel_power(tone, bands))
    gained = energies[:15].mean(axis=0) - energies[-15:].mean(axis=0)
    assert gained.argmax() == pytest.approx(13, abs=3)


def test_a_running_median_drops_single_frames() -> None:
    scores = np.array([[0.0], [1.0], [0.0], [0.0], [1.0], [1.0], [1.0]])
    assert median(scores, 3)[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_a_frame_is_centred_on_its_hop() -> None:
    """A click in the middle of hop 5 is loudest in frame 5, and equal in 4 and 6."""
    bands = Bands()
    sound = np.zeros(20 * bands.hop, dtype=np.float32)
    sound[5 * bands.hop + bands.hop // 2] = 1.0
    power = mel_power(sound, bands).sum(axis=1)
    assert len(power) == 20 and power.argmax() == 5
    assert power[4] == pytest.approx(power[6], rel=0.02)


def test_every_label_has_its_own_threshold_and_median() -> None:
    """Frames of a second; a single frame survives a median of 1 s and not of 3 s."""
    scores = np.array([[0.6, 0.6, 0.6]] + [[0.0] * 3] * 3)
    item = Item("r", "recording", details={"seconds": 4.0})
    line = as_timeline(scores, "abc", item, 1.0, ScoreReading((0.5, 0.7, 0.5), (1.0, 1.0, 3.0)))
    assert line.events == (Event("a", 0.0, 1.0), Event("c", 0.0, 1.0))
    later = np.roll(scores, 1, axis=0)
    line = as_timeline(later, "abc", item, 1.0, ScoreReading((0.5, 0.7, 0.5), (1.0, 1.0, 3.0)))
    assert line.events == (Event("a", 1.0, 2.0),)
