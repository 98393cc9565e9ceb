"""Enrolment under many conditions, and self-trials."""

import numpy as np
import pytest

from earmark.tasks.keywords.clips import read_clip
from earmark.tasks.keywords.run.comparison import MEASURES, compare_clip
from earmark.tasks.keywords.run.enrolment import Enrolment, enrol
from earmark.tasks.keywords.run.enrolment_file import packed, unpacked
from earmark.tasks.keywords.run.utterance import Utterance
from earmark.values.errors import InputError


@pytest.fixture(scope="module")
def clips(recordings) -> list[np.ndarray]:
    return [read_clip(path).floats() for path in sorted((recordings / "bo" / "lamp").iterdir())]


@pytest.fixture(scope="module")
def enrolment(networks: None, clips) -> Enrolment:
    return enrol(clips[:3], seed=1, speaker="bo", copies=1)


def test_one_recording_has_nothing_to_be_compared_with() -> None:
    with pytest.raises(InputError, match="self-trials need at least two enrolment recordings"):
        enrol([np.zeros(16000, dtype=np.float32)], seed=0, speaker="ana")


def test_the_same_seed_enrols_the_same_and_another_nearly_so(enrolment, clips) -> None:
    same, other = (enrol(clips[:3], seed=s, speaker="bo", copies=1) for s in (1, 2))
    assert np.array_equal(enrolment.self_trials.mean, same.self_trials.mean, equal_nan=True)
    assert not np.array_equal(enrolment.self_trials.mean, other.self_trials.mean, equal_nan=True)
    assert np.array_equal(enrolment.voices.first, same.voices.first)
    assert float(enrolment.voices.first @ other.voices.first) > 0.8


def test_every_recording_has_templates_of_its_disturbed_copies(enrolment) -> None:
    for take in enrolment.takes:
        clean, copy = take.sounds
        assert clean.shape == copy.shape and not np.allclose(clean, copy)


def test_a_keyword_fits_better_than_the_same_recordings_backwards(enrolment, clips) -> None:
    measured = compare_clip(Utterance(clips[5]), enrolment.takes, enrolment.voices)
    assert measured.mfcc_cost < measured.mfcc_backwards_cost
    assert measured.sound_cost < measured.sound_backwards_cost


def test_an_enrolment_that_was_packed_judges_the_same(enrolment, clips) -> None:
    again, clip = unpacked(packed(enrolment)), Utterance(clips[4])
    before = compare_clip(clip, enrolment.takes, enrolment.voices)
    after = compare_clip(clip, again.takes, again.voices)
    assert np.array_equal(before.row(), after.row(), equal_nan=True)
    assert len(again.self_trials.deviation) == len(MEASURES)
