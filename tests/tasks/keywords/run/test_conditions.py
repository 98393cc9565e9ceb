"""Conditions under which a keyword is said."""

import numpy as np
import pytest

from earmark.stats.draw import stream
from earmark.tasks.keywords.run.conditions import CONDITIONS, Bystanders, disturbed

RATE = 16000
TONE = (0.3 * np.sin(2 * np.pi * 500 * np.arange(RATE) / RATE)).astype(np.float32)
OTHERS = Bystanders([TONE, TONE[::2]])


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_changes_the_sound_and_not_its_length_and_a_seed_repeats_it(
    condition: str,
) -> None:
    one, same, other = (disturbed(TONE, condition, stream(s), OTHERS) for s in (1, 1, 2))
    assert one.dtype == np.float32 and len(one) == len(TONE)
    assert np.array_equal(one, same) and not np.array_equal(one, other)
    assert np.isfinite(one).all() and np.abs(one).max() <= 1
    likeness = abs(np.corrcoef(one, TONE)[0, 1])
    assert 0.1 < likeness < 0.9999


def test_far_away_is_quieter() -> None:
    assert np.std(disturbed(TONE, "far", stream(3), OTHERS)) < 0.5 * np.std(TONE)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_silence_and_a_few_samples_break_nothing(condition: str) -> None:
    for samples in (np.zeros(RATE, dtype=np.float32), TONE[:40]):
        sound = disturbed(samples, condition, stream(0), Bystanders([samples]))
        assert len(sound) == len(samples) and np.isfinite(sound).all()
