"""People in the device's place: they hear the enrolment and a clip, and say whether it must wake.

A listener's answer to a trial is a verdict, as a system's is. So people stand beside systems on the
same scale, and trials that nobody labelled get a reference by vote.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from earmark.stats.draw import stream
from earmark.task.people import People
from earmark.tasks.keywords.values import Trial, Verdict
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item

if TYPE_CHECKING:
    from earmark.tables.answers import AnswerRow
    from earmark.values.reference import Reference

TRIAL = "trial"
WORDS = {"wake": True, "yes": True, "1": True, "sleep": False, "no": False, "0": False}
# Simulated listeners, who know the voice and the words mostly: shares chosen by hand, not measured.
LISTENERS: Mapping[str, object] = {
    "opinions": 3,
    "people": 6,
    "wakes_to_targets": 0.95,
    "wakes_to_others": 0.02,
    "seconds": 12.0,
}


def trial_units(items: Sequence[Item]) -> Iterator[Item]:
    """Yield a question per trial, under the trial's own id, with the clips that enrol its owner."""
    enrolments: dict[str, list[str]] = {}
    for item in items:
        if item.kind == "enrolment":
            enrolments.setdefault(item.group, []).append(item.id)
    for item in items:
        if item.kind == TRIAL:
            details = {"enrolments": enrolments.get(item.group, [])}
            yield Item(item.id, TRIAL, media=item.media, parent=item.parent, details=details)


def read_verdict(word: object, *, at: str) -> Verdict:
    """Return the verdict of a filled form; raise InputError if it is neither yes nor no."""
    said = str(word if word is not None else "").strip().lower()
    if said not in WORDS:
        raise InputError(
            "a listener says whether the device must wake", at=at, got=said, want="yes or no"
        )
    return Verdict(awake=WORDS[said])


def read_verdicts(rows: Sequence["AnswerRow"]) -> Iterator[Answer[Any]]:
    """Yield the verdicts of a table of answers."""
    for row in rows:
        verdict = read_verdict(row.cells.get("verdict"), at=row.at)
        yield Answer(row.item, row.person, verdict, row.seconds_taken)


def simulate_listeners(
    units: tuple[Item, ...], truth: "Reference[Trial]", *, crowd: Mapping[str, Any], seed: int
) -> Iterator[Answer[Verdict]]:
    """Yield the verdicts of people who err alike; everybody hears some of the trials."""
    names = [f"listener-{number + 1:02d}" for number in range(int(crowd["people"]))]
    for unit in units:
        if unit.kind != TRIAL:
            raise InputError(
                "nobody can record a text in a simulation",
                at=f"item {unit.id}",
                fix="take recordings with --import, or let people judge trials",
            )
        rng = stream(seed, "listeners", unit.id)
        target = truth.values[unit.id].is_target
        wakes = float(crowd["wakes_to_targets" if target else "wakes_to_others"])
        for place in sorted(rng.permutation(len(names))[: int(crowd["opinions"])].tolist()):
            seconds = round(float(crowd["seconds"]) * (0.5 + rng.random()), 2)
            yield Answer(unit.id, names[place], Verdict(awake=rng.random() < wakes), seconds)


@dataclass(frozen=True, slots=True)
class VerdictPosterior:
    """Everybody's verdict on a trial: `people[k]` said `awake[k]`."""

    people: tuple[str, ...]
    awake: tuple[bool, ...]

    def draw(self, value: Trial, *, item: str, seed: int) -> Trial:
        """Return the trial as so many people, drawn with replacement, vote on it."""
        from earmark.reconcile.panel import drawn_people

        own = dict(zip(self.people, self.awake, strict=True))
        votes = [own[person] for person in drawn_people(self.people, seed=seed)]
        return Trial(value.speaker, is_majority(votes), value.kind)


def is_majority(votes: Sequence[bool]) -> bool:
    """Return whether more than half said yes; a tie leaves the device asleep."""
    return 2 * sum(votes) > len(votes)


def who_judged(ballots: "Ballots[Any]") -> tuple[str, ...]:
    """Return those who judged a trial: contributors of recordings and their screeners do not."""
    judged = {answer.person for answer in ballots.answers if isinstance(answer.value, Verdict)}
    return tuple(sorted(judged))


# People give no scores, so that metrics of a threshold cannot rate them.
METRICS = ("wake_score", "miss_rate", "false_alarm_rate")
PEOPLE = People(names=who_judged, metrics=METRICS, who="people who judged trials")
