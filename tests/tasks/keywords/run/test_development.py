"""Development trials: recognising a development speaker, and adding trials."""

import numpy as np
import pytest

from earmark.tasks.keywords.run.development import DevelopmentSet
from earmark.tasks.keywords.run.enrolment import Enrolment, SelfTrials
from earmark.tasks.keywords.run.model_file import load_model
from earmark.tasks.keywords.run.utterance import Utterance


@pytest.fixture(scope="module")
def development() -> DevelopmentSet:
    return load_model()


def enrolment() -> Enrolment:
    noise = np.random.default_rng(0).standard_normal(16000, dtype=np.float32)
    return Enrolment((Utterance(noise),), np.zeros(192, "f4"), SelfTrials(0.0, 0.0, 0.0))


@pytest.mark.parametrize(("rewritten", "is_known"), [(0.01, True), (0.05, False)])
def test_a_development_speaker_is_recognised_by_the_recordings(
    development, monkeypatch: pytest.MonkeyPatch, rewritten: float, is_known: bool
) -> None:
    for name, spectrum in zip(development.speakers, development.mean_spectra, strict=True):
        shifted = spectrum + rewritten
        monkeypatch.setattr(Enrolment, "mean_spectrum", lambda self, shifted=shifted: shifted)
        assert development.speaker_of(enrolment()) == (name if is_known else None)


def test_a_stranger_is_not_recognised(development) -> None:
    assert development.speaker_of(enrolment()) is None


def test_joined_trials_follow_the_first_ones(development) -> None:
    few = np.arange(440) < 3
    part = DevelopmentSet(
        development.speakers,
        development.mean_spectra,
        development.cohort,
        development.owners[:3],
        development.labels[few],
        development.measurements.rows(few),
    )
    both = development.joined(part)
    assert both.owners == (*development.owners, *development.owners[:3])
    assert np.array_equal(both.measurements.tail[-3:], development.measurements.tail[:3])
    assert both.measurements.mfcc_cohort_costs.shape == (443, 11)
