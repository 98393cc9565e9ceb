"""Development trials: recognising a development speaker, and adding trials."""

import numpy as np
import pytest

from earmark.tasks.keywords.run.comparison import MEASURES, EnrolledTake, Voices
from earmark.tasks.keywords.run.development import DevelopmentSet
from earmark.tasks.keywords.run.enrolment import Enrolment, SelfTrials
from earmark.tasks.keywords.run.model_file import load_model
from earmark.tasks.keywords.run.utterance import Utterance


@pytest.fixture(scope="module")
def development() -> DevelopmentSet:
    return load_model()


def enrolment() -> Enrolment:
    noise = np.random.default_rng(0).standard_normal(16000, dtype=np.float32)
    spectrum, nothing = Utterance(noise).spectrum, np.zeros(len(MEASURES))
    take = EnrolledTake(spectrum, spectrum, (), np.zeros((1, 96), "f4"))
    return Enrolment((take,), Voices(np.zeros(192, "f4")), SelfTrials(nothing, nothing))


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


def test_joined_trials_and_speakers_follow_the_first_ones(development) -> None:
    few = np.arange(len(development.labels)) < 3
    part = DevelopmentSet(
        development.speakers[:1],
        development.mean_spectra[:1],
        development.owners[:3],
        development.labels[few],
        development.measurements.rows(few),
    )
    both = development.joined(part)
    assert both.owners == (*development.owners, *development.owners[:3])
    assert both.speakers == (*development.speakers, development.speakers[0])
    assert len(both.mean_spectra) == len(both.speakers)
    assert np.array_equal(both.measurements.trials[-3:], development.measurements.trials[:3])
