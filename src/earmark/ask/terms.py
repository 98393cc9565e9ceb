"""The terms of asking: how many opinions, from whom, what it costs; who may answer and how much."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from earmark.ask.batch import From, batches, passed
from earmark.ask.price import price
from earmark.task.options import option
from earmark.task.task import Json, Question
from earmark.values import checks
from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item

OPINIONS = 5  # people per question, as in Martin-Morato et al. 2021
# People, answers or trials: more would take a simulated crowd hours.
MOST = 100_000
PASS_SHARE = 0.75  # of the trial questions; chosen by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How asking is arranged and paid; what is None comes from the crowd's file or the task."""

    people: int | None = option(None, "Opinions wanted for every question.  [5]")
    apart: float = option(15.0, "Seconds between neighbours of one batch.")
    apart_from: From = option(
        "end",
        "Whether they are counted from the end of a question's sound to the next one's start, or "
        "from start to start.",
    )
    pay: float = option(0.10, "Pay for one answer.")
    fee: float = option(0.20, "The share that a crowd market adds.")
    currency: str = option("USD", "What pay and price are counted in.")
    cap: int | None = option(None, "Answers that one person may give; whoever gave more is noted.")
    trials: int | None = option(None, "Trial questions with known answers before the real ones.")
    pass_share: float | None = option(
        None, "The share of trials to get right; others are left out, and named.  [0.75]"
    )
    known: Path | None = option(None, "Right answers to the trial questions, as an answer file.")

    def __post_init__(self) -> None:
        for name, least in (("people", 1), ("apart", 0), ("pay", 0), ("fee", 0), ("cap", 1)):
            checks.at_least(getattr(self, name), least, what=f"--{name}")
        checks.at_least(self.trials, 0, what="--trials")
        for name in ("people", "trials"):
            checks.within(getattr(self, name) or 0, 0, MOST, what=f"--{name}")
        if self.pass_share is not None:
            checks.within(self.pass_share, 0, 1, what="--pass-share")

    def distance(self) -> dict[str, Any]:
        """Return how far apart the questions of a batch are, for the recipe."""
        return {"apart": self.apart, "apart_from": self.apart_from}

    def completed(self, crowd: Mapping[str, Any]) -> "Terms":
        """Return these terms with a crowd's in the places that are None."""
        share = crowd.get("pass_share", PASS_SHARE) if self.pass_share is None else self.pass_share
        cap = crowd.get("cap") if self.cap is None else self.cap
        trials = crowd.get("trials", 0) if self.trials is None else self.trials
        people = self.people or int(crowd.get("opinions", OPINIONS))
        return replace(self, people=people, cap=cap, trials=int(trials), pass_share=float(share))

    def for_crowd(self) -> dict[str, Any]:
        """Return those of these terms that a simulated crowd follows, if they are not None."""
        terms = {"cap": self.cap, "trials": self.trials, "pass_share": self.pass_share}
        return {name: value for name, value in terms.items() if value is not None}


def plan(question: Question, units: tuple[Item, ...], opinions: int, terms: Terms) -> Json:
    """Return how many answers, hours and how much money asking takes, before anyone is asked.

    It is assumed that no more people take the trial than the cap makes necessary; everyone who
    fails it costs `each_failure` more.
    """
    least = max(math.ceil(opinions / terms.cap) if terms.cap else 1, terms.people or 1)
    trials = terms.trials or 0

    def cost(questions: int) -> Any:
        seconds, pay, fee = question.seconds, terms.pay, terms.fee
        return price(questions, people=1, seconds=seconds, pay=pay, fee=fee)

    whole = cost(opinions + trials * least)
    groups = (
        batches(units, apart=terms.apart, counted_from=terms.apart_from)
        if units and units[0].span
        else ()
    )
    limits = {"cap": terms.cap} if terms.cap else {}
    trial = {"trials": trials, "each_failure": cost(trials).total} if trials else {}
    return {
        "units": len(units),
        "opinions": opinions,
        "batches": len(groups) or 1,
        "people_at_least": least,
        **limits,
        **trial,
        "hours": whole.hours,
        "money": whole.total,
        "currency": terms.currency,
    }


class TrialOutcome(NamedTuple):
    """Answers that count, answers left out, and whose those are: "3 of 4" right, by person."""

    counted: tuple[Answer[Any], ...]
    left_out: tuple[Answer[Any], ...]
    failed: dict[str, str]


def mark_trials(
    question: Question, units: tuple[Item, ...], answers: Sequence[Answer[Any]], terms: Terms
) -> TrialOutcome:
    """Return which answers count after the trial questions among them are marked.

    A trial question is a question of the study whose right answer is known, so that nobody can
    tell it from the others; one that a person did not answer is not right.
    """
    if terms.known is None and not terms.trials:
        return TrialOutcome(tuple(answers), (), {})
    known = _known(question, units, terms)
    trials: dict[str, dict[str, object]] = {answer.person: {} for answer in answers}
    for answer in answers:
        if answer.item in known:
            trials[answer.person][answer.item] = answer.value
    share = PASS_SHARE if terms.pass_share is None else terms.pass_share
    inside = set(passed(trials, known, share=share))
    failed = {
        person: f"{sum(said.get(k) == v for k, v in known.items())} of {len(known)}"
        for person, said in sorted(trials.items())
        if person not in inside
    }
    return TrialOutcome(
        tuple(answer for answer in answers if answer.person in inside),
        tuple(answer for answer in answers if answer.person not in inside),
        failed,
    )


def _known(question: Question, units: tuple[Item, ...], terms: Terms) -> dict[str, object]:
    if terms.known is None:
        raise InputError(
            "a trial needs the right answers to its questions",
            got=f"{terms.trials} trial questions",
            fix="name an answer file with them: --known FILE",
        )
    known = {answer.item: answer.value for answer in question.read_answers(terms.known, units)}
    if terms.trials and len(known) != terms.trials:
        raise InputError(
            "every trial question must have one right answer",
            at=terms.known,
            got=f"right answers to {len(known)} questions",
            want=terms.trials,
        )
    return dict(known)


def over_cap(answers: Iterable[Answer[Any]], cap: int | None) -> dict[str, int]:
    """Return who gave more answers than the cap allows, and how many.

    They are noted, not refused: a cap is looked at between batches, so that honest people pass it
    within one (the paper's 50 let through 56), and what they gave was asked for and paid.
    """
    counts: dict[str, int] = {}
    for answer in answers:
        counts[answer.person] = counts.get(answer.person, 0) + 1
    return {name: n for name, n in sorted(counts.items()) if cap and n > cap}
