"""Screening: which recordings of a text are kept; and which trials must wake, by vote."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from earmark.stats.rates import proportion
from earmark.task.options import option
from earmark.tasks.keywords.ask.judging import VerdictPosterior, is_majority
from earmark.tasks.keywords.values import Recording, Screening, Takes, Trial, Verdict
from earmark.values.answer import Ballots
from earmark.values.errors import InputError
from earmark.values.reference import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningOptions:
    """When a recording is kept."""

    share: float = option(0.5, "Share of listeners that must be exceeded for a take to stay.")
    unheard: bool = option(False, "Whether a take that nobody screened stays.")

    def __post_init__(self) -> None:
        if not 0 <= self.share < 1:
            raise InputError("a share must be >= 0 and < 1", got=self.share)

    def keeps(self, votes: Sequence[bool]) -> bool:
        """Return whether a recording with these votes is kept."""
        return sum(votes) > self.share * len(votes) if votes else self.unheard


def by_listeners(
    ballots: "Ballots[Recording | Screening]",
    options: ScreeningOptions = ScreeningOptions(),
    *,
    seed: int,
) -> Reference[Takes]:
    """Return the recordings that listeners kept, text by text.

    The uncertainty of a text is the share of its recordings on which listeners disagreed.
    """
    text_of = {unit.id: unit.group for unit in ballots.items}
    votes_on = _votes(ballots)
    recordings: dict[str, list[tuple[str, Recording]]] = {text: [] for text in text_of.values()}
    disagreements: dict[str, list[bool]] = {text: [] for text in text_of.values()}
    for answer in ballots.answers:
        if not isinstance(answer.value, Recording):
            continue
        votes = votes_on.get((answer.item, answer.person), [])
        text = text_of[answer.item]
        disagreements[text].append(0 < sum(votes) < len(votes))
        if options.keeps(votes):
            recordings[text].append((answer.person, answer.value))
    return Reference(
        "listeners",
        {
            text: Takes(tuple(p for p, _ in rows), tuple(r for _, r in rows))
            for text, rows in recordings.items()
        },
        doubt={
            text: proportion(sum(split), of=len(split))
            for text, split in disagreements.items()
            if split
        },
        made_by={
            "by": "listeners",
            "share": options.share,
            "unheard": options.unheard,
            "seed": seed,
        },
    )


def by_majority(ballots: "Ballots[Verdict]", *, seed: int) -> Reference[Trial]:
    """Hold those trials to be targets for which more than half of the people would wake."""
    speaker_of = {unit.id: unit.group for unit in ballots.items}
    verdicts: dict[str, dict[str, bool]] = {}
    for answer in ballots.answers:
        if isinstance(answer.value, Verdict):
            verdicts.setdefault(answer.item, {})[answer.person] = answer.value.awake
    if not verdicts:
        raise InputError(
            "a majority needs verdicts on trials",
            want="answers that say whether a clip must wake the device",
            fix="recordings of texts are reconciled by listeners",
        )
    votes = {item: dict(sorted(own.items())) for item, own in sorted(verdicts.items())}
    values = {
        item: Trial(speaker_of[item], is_majority([*own.values()])) for item, own in votes.items()
    }
    agreed: dict[str, list[bool]] = {}
    for item, own in votes.items():
        for person, awake in own.items():
            agreed.setdefault(person, []).append(awake == values[item].is_target)
    return Reference(
        "majority",
        values,
        doubt={item: _doubt([*own.values()]) for item, own in votes.items()},
        people={name: proportion(sum(own), of=len(own)) for name, own in sorted(agreed.items())},
        made_by={"by": "majority", "seed": seed},
        posterior={
            item: VerdictPosterior(tuple(own), tuple(own.values())) for item, own in votes.items()
        },
    )


def _doubt(votes: Sequence[bool]) -> float:
    """Return twice the smaller share: 0 where all agree, 1 where opinions are evenly divided."""
    return 2 * proportion(min(sum(votes), len(votes) - sum(votes)), of=len(votes))


def _votes(ballots: "Ballots[Recording | Screening]") -> Mapping[tuple[str, str], list[bool]]:
    """Return the votes on each recording, by unit and contributor; True is keep."""
    votes: dict[tuple[str, str], list[bool]] = {}
    recorded = {(a.item, a.person) for a in ballots.answers if isinstance(a.value, Recording)}
    for answer in ballots.answers:
        if not isinstance(answer.value, Screening):
            continue
        for vote in answer.value.heard:
            if (answer.item, vote.person) not in recorded:
                raise InputError(
                    "a listener can only screen a take that was recorded",
                    at=f"item {answer.item}, listener {answer.person}",
                    got=vote.person,
                )
            votes.setdefault((answer.item, vote.person), []).append(vote.keep)
    return votes
