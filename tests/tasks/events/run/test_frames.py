"""Recordings as frames, and frames as events."""

import numpy as np
import pytest

from earmark.tasks.events.run.frames import Bands, log_mel, median, targets
from earmark.tasks.events.values import Event, Timeline


def test_frames_hear_what_sounds_in_their_middle() -> None:
    active = targets(Timeline(4, (Event("a", 1.0, 2.0),)), ["a", "b"], 8, 0.5)
    assert active[:, 0].tolist() == [0, 0, 1, 1, 0, 0, 0, 0]
    assert not active[:, 1].any()


def test_a_tone_lights_its_own_band() -> None:
    bands = Bands()
    time = np.arange(bands.rate * 2) / bands.rate
    tone = np.where(time < 1, np.sin(2 * np.pi * 1000 * time), 0).astype(np.float32)
    energies = log_mel(tone, bands)
    gained = energies[:15].mean(axis=0) - energies[-15:].mean(axis=0)
    assert gained.argmax() == pytest.approx(13, abs=3)


def test_a_running_median_drops_single_frames() -> None:
    scores = np.array([[0.0], [1.0], [0.0], [0.0], [1.0], [1.0], [1.0]])
    assert median(scores, 3)[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 1]
