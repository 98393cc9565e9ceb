"""Where a clip sounds."""

import numpy as np

from earmark.audio.silence import sounding

RATE = 1000


def clip(*parts):
    """A clip of parts (level in dB, seconds)."""
    levels = [np.full(round(seconds * RATE), 10 ** (db / 20)) for db, seconds in parts]
    return np.concatenate(levels).astype(np.float32)


def test_silence_before_between_and_after_is_left_out():
    sound = clip((-60, 1), (0, 1), (-60, 1), (-20, 0.5), (-60, 2))
    assert sounding(sound, RATE, under_db=30, gap=0.5) == ((1000, 2000), (3000, 3500))
    assert sounding(sound, RATE, under_db=15, gap=0.5) == ((1000, 2000),)
    assert sounding(sound, RATE, under_db=30, gap=1.5) == ((1000, 3500),)


def test_a_sound_that_never_pauses_is_whole_whatever_its_level_and_length():
    assert sounding(clip((-50, 1.234)), RATE, under_db=30, gap=0.5) == ((0, 1234),)


def test_digital_silence_sounds_nowhere():
    assert sounding(np.zeros(500, np.float32), RATE, under_db=30, gap=0.5) == ()
    assert sounding(np.zeros(0, np.float32), RATE, under_db=30, gap=0.5) == ()
