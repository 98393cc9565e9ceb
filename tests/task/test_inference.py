"""The real-time factor: time of judging over the sound that was judged, and nothing else."""

from pathlib import Path

import pytest
from tests.run.strangers import challenge

from earmark.arrays import Samples
from earmark.task.inference import inference_measured, judging
from earmark.tasks.keywords.run.speakers import Speaker, WakeDetector, judge_speakers
from earmark.tasks.keywords.values import Verdict


def test_without_a_word_from_the_system_there_is_no_factor() -> None:
    with inference_measured() as clock:
        pass
    assert clock.real_time_factor is None


def test_only_the_time_within_judging_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([0.0, 1.0, 10.0, 12.0])
    monkeypatch.setattr("earmark.task.inference.time.perf_counter", lambda: next(ticks))
    with inference_measured() as clock:
        with judging(4.0):
            pass  # one second by this clock; the nine until the next are not its
        with judging(8.0):
            pass
    assert (clock.work, clock.sound, clock.real_time_factor) == (3.0, 12.0, 0.25)


class Deaf:
    def judge(self, samples: Samples) -> Verdict:
        return Verdict(awake=False)


def test_keyword_systems_count_test_clips_and_not_enrolments(tmp_path: Path) -> None:
    study = challenge(tmp_path, 2)
    asked = []

    def enrol(speaker: Speaker) -> WakeDetector:
        asked.append(speaker.enrolment_samples())
        return Deaf()

    with inference_measured() as clock:
        assert len(list(judge_speakers(study.items(), "deaf", enrol))) == 6
    # a clip of .3 s and two of .6 s for each of two speakers
    assert clock.sound == pytest.approx(2 * 1.5)
    assert len(asked) == 2 and clock.real_time_factor is not None
