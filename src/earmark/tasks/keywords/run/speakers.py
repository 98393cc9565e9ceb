"""A study's items as speakers: their enrolment, their test clips, and one verdict for each."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from earmark.files.sound import read_sound
from earmark.task.progress import track
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

RATE = 16000
Judge = Callable[[Any], Verdict]


@dataclass(frozen=True, slots=True)
class Speaker:
    """One speaker: items of the enrolment, items to be judged."""

    name: str
    enrolment: tuple[Item, ...]
    trials: tuple[Item, ...]

    def sounds(self) -> list[Any]:
        """The enrolment's samples at 16 kHz."""
        if not self.enrolment:
            raise InputError(
                "a speaker needs enrolment recordings", at=f"speaker {self.name}", got="none"
            )
        return [samples_of(item) for item in self.enrolment]


def samples_of(item: Item) -> Any:
    """An item's samples at 16 kHz."""
    if item.media is None:
        raise InputError("a clip needs a sound file", at=f"item {item.id}")
    return read_sound(item.media, rate=RATE)[0]


def speakers(items: Iterable[Item]) -> list[Speaker]:
    """The speakers of a study, in alphabetical order."""
    found: dict[str, tuple[list[Item], list[Item]]] = {}
    for item in items:
        if item.kind in ("enrolment", "trial"):
            found.setdefault(item.group, ([], []))[item.kind == "trial"].append(item)
    if not any(trials for _, trials in found.values()):
        raise InputError(
            "a keyword system needs test clips",
            got="no item of kind trial",
            fix="make the study with --recordings or --challenge",
        )
    return [Speaker(name, tuple(e), tuple(t)) for name, (e, t) in sorted(found.items())]


def judged(
    items: Iterable[Item], system: str, learn: Callable[[Speaker], Judge]
) -> Iterator[Output[Verdict]]:
    """Every speaker enrolled, every clip judged; a speaker who fails never stops the others."""
    for speaker in track(speakers(items), label=f"{system}: speakers"):
        try:
            judge = learn(speaker)
            verdicts = [(item, judge(samples_of(item))) for item in speaker.trials]
        except InputError as error:
            status = f"failed: {str(error).replace(chr(10), '; ')}"
            verdicts = [(item, Verdict(awake=False, status=status)) for item in speaker.trials]
        for item, verdict in verdicts:
            yield Output(system, item.id, verdict, verdict.score)
