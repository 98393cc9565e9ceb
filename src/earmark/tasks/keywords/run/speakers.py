"""A study's items as speakers: their enrolment, their test clips, and one verdict for each."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from earmark.arrays import Samples
from earmark.files.sound import read_sound
from earmark.task.inference import judging
from earmark.task.progress import track
from earmark.tasks.keywords.values import RATE, Verdict
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.names import some
from earmark.values.output import Output


class WakeDetector(Protocol):
    """A device that one speaker has enrolled with."""

    def judge(self, samples: Samples) -> Verdict:
        """Decide whether a clip at 16 kHz wakes the device."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """One speaker: items of the enrolment, items to be judged."""

    name: str
    enrolment: tuple[Item, ...]
    trials: tuple[Item, ...]

    def enrolment_samples(self) -> list[Samples]:
        """Return the samples of the enrolment recordings at 16 kHz."""
        if not self.enrolment:
            raise InputError(
                "a speaker needs enrolment recordings", at=f"speaker {self.name}", got="none"
            )
        return [samples_of(item) for item in self.enrolment]


def samples_of(item: Item) -> Samples:
    """Return an item's samples at 16 kHz."""
    if item.media is None:
        raise InputError("a clip needs a sound file", at=f"item {item.id}")
    return read_sound(item.media, rate=RATE)[0]


def speakers(items: Iterable[Item]) -> list[Speaker]:
    """Return the speakers of a study, in alphabetical order."""
    enrolments: dict[str, list[Item]] = {}
    trials: dict[str, list[Item]] = {}
    for item in items:
        if item.kind == "enrolment":
            enrolments.setdefault(item.group, []).append(item)
        elif item.kind == "trial":
            trials.setdefault(item.group, []).append(item)
    silent = [item.id for own in trials.values() for item in own if item.media is None]
    if silent:
        raise InputError(
            "a keyword system needs the sound of the clips",
            got=f"{some(silent, 'clip')} without sound",
            fix="make the study with --recordings or --challenge, or run a folder of predictions",
        )
    if not trials:
        raise InputError(
            "a keyword system needs test clips",
            got="no item of kind trial",
            fix="make the study with --recordings or --challenge",
        )
    return [
        Speaker(name, tuple(enrolments.get(name, ())), tuple(trials.get(name, ())))
        for name in sorted({*enrolments, *trials})
    ]


def _judged(detector: WakeDetector, samples: Samples) -> Verdict:
    with judging(len(samples) / RATE):
        verdict = detector.judge(samples)
    if verdict.score is not None:
        checks.finite(verdict.score, what="the score of a clip")
    return verdict


def judge_speakers(
    items: Iterable[Item], system: str, enrol: Callable[[Speaker], WakeDetector]
) -> Iterator[Output[Verdict]]:
    """Enrol every speaker and judge every clip; a speaker who fails never stops the others."""
    for speaker in track(speakers(items), label=f"{system}: speakers"):
        try:
            detector = enrol(speaker)
            verdicts = [_judged(detector, samples_of(item)) for item in speaker.trials]
        except InputError as error:
            status = f"failed: {str(error).replace(chr(10), '; ')}"
            verdicts = [Verdict(awake=False, status=status)] * len(speaker.trials)
        for item, verdict in zip(speaker.trials, verdicts, strict=True):
            yield Output(system, item.id, verdict, verdict.score)
