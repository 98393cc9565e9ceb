"""Speakers of a study, judged one after the other."""

from dataclasses import dataclass

import pytest

from earmark.arrays import Samples
from earmark.tasks.keywords.run.speakers import Speaker, judge_speakers, speakers
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item


def items() -> tuple[Item, ...]:
    return tuple(
        Item(f"{s}-{kind}", kind, media=f"/nowhere/{s}-{kind}.wav", parent=s)
        for s in ("ana", "bo")
        for kind in ("enrolment", "trial")
    )


@dataclass(frozen=True)
class AlwaysAwake:
    """A device that wakes at everything."""

    def judge(self, samples: Samples) -> Verdict:
        return Verdict(awake=True, score=1.0)


def test_a_speaker_who_fails_never_stops_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earmark.tasks.keywords.run.speakers.samples_of", lambda item: item.id)

    def enrol(speaker: Speaker) -> AlwaysAwake:
        if speaker.name == "ana":
            raise InputError("a recording must not be silent", at="E001.wav")
        return AlwaysAwake()

    verdicts = {output.item: output.value for output in judge_speakers(items(), "x", enrol)}
    status = "failed: a recording must not be silent;   at:   E001.wav"
    assert verdicts["ana-trial"].status == status
    assert verdicts["bo-trial"] == Verdict(awake=True, score=1.0)


@dataclass(frozen=True)
class Overflowing:
    """A device whose network is damaged."""

    def judge(self, samples: Samples) -> Verdict:
        return Verdict(awake=False, score=float("nan"))


def test_a_score_that_is_no_number_is_a_failure_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("earmark.tasks.keywords.run.speakers.samples_of", lambda item: item.id)
    outputs = list(judge_speakers(items(), "x", lambda speaker: Overflowing()))
    assert all("the score of a clip must be a finite number" in o.value.status for o in outputs)
    assert all(o.value.score is None for o in outputs)


def test_a_study_without_clips_is_refused() -> None:
    with pytest.raises(InputError, match="a keyword system needs test clips"):
        speakers([Item("prompt-0001", "prompt", text="hello")])
