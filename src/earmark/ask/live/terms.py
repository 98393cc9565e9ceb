"""The terms of asking live: how many opinions, how long one may take, how much to give."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from earmark.task.options import option
from earmark.values import checks

Order = Literal["random", "doubt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOptions:
    """How people are asked in the browser; study.toml may hold them in a table `[serve]`."""

    ask: Order = option("random", "Which unit next: any, or the one whose answer tells most.")
    people: int = option(5, "Opinions wanted for every question; with --ask doubt, at most.")
    apart: float = option(15.0, "Seconds between parts of one recording that one person gets.")
    cap: int | None = option(None, "Answers that one person may give.  [no cap]")
    answers: int | None = option(
        None, "Answers in all; when they are in, everybody is finished.  [no limit]"
    )
    minutes: float = option(10.0, "Minutes in which an answer must arrive; others then get it.")
    trials: int = option(0, "Questions with known answers that come first; whoever fails goes.")
    pass_share: float = option(0.75, "The share of trials to get right.")
    gold_every: int = option(0, "Every n-th question is one with a known answer.  [none]")
    one_batch: bool = option(False, "Finish a batch before the next begins, as the paper did.")
    settled: float = option(0.01, "With --ask doubt: bits below which a unit is settled.")
    pay: float = option(0.10, "Pay for one answer.")
    fee: float = option(0.20, "The share that a crowd market adds.")
    currency: str = option("USD", "What pay and price are counted in.")

    def __post_init__(self) -> None:
        for name, least in (("people", 1), ("cap", 1), ("answers", 1)):
            checks.at_least(getattr(self, name), least, what=f"--{name}")
        for name in ("apart", "trials", "pay", "gold_every", "fee", "settled"):
            checks.at_least(getattr(self, name), 0, what=f"--{name.replace('_', '-')}")
        checks.at_least(self.minutes, 0.05, what="--minutes")
        checks.within(self.pass_share, 0, 1, what="--pass-share")


@dataclass(frozen=True, slots=True)
class LiveTerms:
    """The options, and the right answers to the questions that have one, by unit.

    `trial_units` are those of them that one person can be given all: none overlaps another.
    """

    options: LiveOptions = LiveOptions()
    known: Mapping[str, Any] = field(default_factory=dict)
    trial_units: tuple[str, ...] = ()

    @property
    def lease_seconds(self) -> float:
        """How long a unit is reserved for one person."""
        return self.options.minutes * 60

    @property
    def trials(self) -> int:
        """How many trial questions everybody gets."""
        return self.options.trials
