"""Enrolment by self-trials."""

import numpy as np
import pytest

from earmark.tasks.keywords.run.enrolment import enrol
from earmark.values.errors import InputError


def test_one_recording_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(InputError, match="self-trials need at least two enrolment recordings"):
        enrol([np.zeros(16000, dtype=np.float32)], seed=0, speaker="ana")


def test_the_same_seed_enrols_the_same_and_another_nearly_so(networks: None, recordings) -> None:
    from earmark.tasks.keywords.clips import read_clip

    clips = [read_clip(path).floats() for path in sorted((recordings / "bo" / "lamp").iterdir())]
    one, same, other = (enrol(clips[:3], seed=s, speaker="bo", copies=1) for s in (1, 1, 2))
    assert one.self_trials == same.self_trials != other.self_trials
    assert np.array_equal(one.voice, same.voice)
    assert float(one.voice @ other.voice) > 0.8
