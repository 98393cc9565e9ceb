"""What is counted for every speaker."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from earmark.stats import rates
from earmark.tasks.keywords.values import OK, Trial, Verdict


@dataclass(frozen=True, slots=True)
class Tally:
    """One speaker's trials. `status` is that of a failed verdict, if there is one, or "ok".

    `scored` has (score, is target) of every trial that has a score, for the oracle.
    """

    targets: float = 0
    missed: float = 0
    others: float = 0
    false_alarms: float = 0
    status: str = OK
    scored: tuple[tuple[float, bool], ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        return Tally.sum_of((self, other))

    @classmethod
    def sum_of(cls, tallies: Sequence["Tally"]) -> "Tally":
        """Return all tallies of one speaker together."""
        return cls(
            sum(one.targets for one in tallies),
            sum(one.missed for one in tallies),
            sum(one.others for one in tallies),
            sum(one.false_alarms for one in tallies),
            min((one.status for one in tallies if one.status != OK), default=OK),
            tuple(pair for one in tallies for pair in one.scored),
        )

    @property
    def miss_rate(self) -> float:
        """Share of target trials that did not wake; 1 for a speaker who failed."""
        return rates.proportion(self.missed, of=self.targets) if self.status == OK else 1.0

    @property
    def false_alarm_rate(self) -> float:
        """Share of other trials that woke; 0 for a speaker who failed."""
        return rates.proportion(self.false_alarms, of=self.others) if self.status == OK else 0.0

    def score(self, penalty: float) -> float:
        """Return miss rate plus `penalty` times false-alarm rate; 1 for a speaker who failed."""
        return self.miss_rate + penalty * self.false_alarm_rate if self.status == OK else 1.0


@dataclass(frozen=True, slots=True)
class SpeakerTallies:
    """Tallies by speaker; they add speaker by speaker."""

    speakers: Mapping[str, Tally] = field(default_factory=dict)

    def __add__(self, other: "SpeakerTallies") -> "SpeakerTallies":
        return SpeakerTallies.sum_of((self, other))

    @classmethod
    def sum_of(cls, counts: Iterable["SpeakerTallies"]) -> "SpeakerTallies":
        """Return all tallies together, speaker by speaker: a challenge has many thousand trials."""
        by_speaker: dict[str, list[Tally]] = {}
        for one in counts:
            for name, tally in one.speakers.items():
                by_speaker.setdefault(name, []).append(tally)
        return cls({name: Tally.sum_of(by_speaker[name]) for name in sorted(by_speaker)})


def count_trial(reference: Trial, output: Verdict) -> SpeakerTallies:
    """Return the tally of one trial.

    Examples
    --------
    >>> count_trial(Trial("ana", True), Verdict(awake=False)).speakers["ana"].missed
    1
    """
    awake = output.awake
    tally = Tally(
        targets=int(reference.is_target),
        missed=int(reference.is_target and not awake),
        others=int(not reference.is_target),
        false_alarms=int(not reference.is_target and awake),
        status=output.status,
        scored=() if output.score is None else ((output.score, reference.is_target),),
    )
    return SpeakerTallies({reference.speaker: tally})
