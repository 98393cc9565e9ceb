"""Before anybody is asked: how much material, how many answers, hours and money are enough."""

import math
from dataclasses import dataclass
from pathlib import Path

from earmark.ask.price import Price, price
from earmark.ask.terms import OPINIONS
from earmark.files.digest import file_digest
from earmark.files.folder import write_file
from earmark.files.sums import SUMS
from earmark.score.answer_counts import answers_per_unit, least_answers
from earmark.score.plan import PlanGoal, detectable, plan_curve, planned_groups, stated_spread
from earmark.study.pilot import Pilot, look_at_pilot, material_groups
from earmark.study.pilot_answers import agreement_of_answers
from earmark.study.places import PLACES, PLAN, REPORT, header
from earmark.study.record import measured_text
from earmark.study.snapshot import Snapshot
from earmark.task.options import call_with, option
from earmark.task.task import Json, Question
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item

# From so many timed answers on, their median replaces what the task supposes a question takes.
TIMED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """What is to be seen, what is known of its spread, and what an answer costs."""

    difference: float = option(0.02, "The difference between two systems that is to be seen.")
    power: float = option(0.8, "The probability with which it is seen if it is there.")
    level: float = option(0.05, "The level of the test, before it is corrected for the pairs.")
    systems: int | None = option(
        None, "How many systems will be compared.  [as many as the pilot has]"
    )
    spread: float | None = option(
        None, "The standard deviation of the difference between items, instead of a pilot's."
    )
    metric: str | None = option(None, "By which metric.  [the first on the board]")
    against: str | None = option(None, "Against which reference.  [the truth]")
    between: tuple[str, ...] = option((), "The two systems of the pilot; twice.  [the best two]")
    answers: int | None = option(None, "Answers per question.  [the study's, or 5]")
    agreement: float | None = option(
        None, "As many answers per question as make references agree so well, 0 to 1."
    )
    simulate: bool = option(False, "See what answers do with a simulated crowd; needs the truth.")
    pay: float = option(0.10, "Pay for one answer.")
    currency: str = option("USD", "What pay and price are counted in.")
    fee: float = option(0.20, "The share that a crowd market adds.")

    def __post_init__(self) -> None:
        for name in ("difference", "spread"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise InputError(f"--{name} must be > 0", got=value)
        for name, most in (("power", 0.999), ("level", 0.5)):
            checks.within(getattr(self, name), 0.001, most, what=f"--{name}")
        if self.agreement is not None:
            checks.within(self.agreement, 0, 1, what="--agreement")
        for name, least in (("systems", 2), ("answers", 1), ("pay", 0), ("fee", 0)):
            checks.at_least(getattr(self, name), least, what=f"--{name}")
        if len(self.between) not in (0, 2):
            raise InputError(
                "a difference is between two systems",
                got=", ".join(self.between),
                fix="name two: --between A --between B",
            )


def plan(study: Snapshot, options: PlanOptions) -> Json:
    """Return how much is enough, write it as plan.json, and leave the rest of the study alone.

    The file has its own digest, because it belongs to no place of the study.
    """
    document = planned(study, options)
    made_by = header("plan", {"seed": study.seed, **_recipe(options)})
    inputs = {name: file_digest(study.folder / name) for name in planned_from(study.folder)}
    content = {"made_by": {**made_by, "inputs": inputs}, **document}
    write_file(study.folder / PLAN, measured_text(content))
    return document


def planned_from(folder: Path) -> list[str]:
    """Return the files whose digests change with anything that a plan is made from."""
    return [
        f"{place}/{SUMS}"
        for place in PLACES
        if place != REPORT and (folder / place / SUMS).exists()
    ]


def planned(study: Snapshot, options: PlanOptions) -> Json:
    """Return how much is enough."""
    pilot = None if options.spread else look_at_pilot(study, options)
    unit, present = material_groups(study) if pilot is None else (pilot.unit, pilot.groups)
    estimate = pilot.spread if pilot else stated_spread(float(options.spread or 0))
    systems = options.systems or (max(2, pilot.systems) if pilot else 2)
    goal = PlanGoal(options.difference, options.power, options.level, systems)
    groups = planned_groups(estimate, goal)
    per_group = len(study.items()) / material_groups(study)[1]
    return {
        "study": study.name,
        "task": study.task.name,
        "metric": pilot.metric.name if pilot else options.metric,
        "reference": pilot.reference if pilot else None,
        "difference": goal.difference,
        "power": goal.power,
        "level": goal.level,
        "systems": systems,
        "pairs": goal.pairs,
        "spread": {
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "groups": estimate.groups,
            "from": estimate.source,
        },
        "unit": unit,
        "groups": groups,
        "items": _times(groups, per_group),
        "present": {"groups": present, "items": len(study.items())},
        "detectable": detectable(present, estimate, goal),
        **_asking(study, pilot, groups, options),
        "curve": plan_curve(estimate, goal, present=present),
    }


def _recipe(options: PlanOptions) -> Json:
    return {name: getattr(options, name) for name in options.__dataclass_fields__}


def _times(groups: Json, factor: float) -> Json:
    return {
        key: None if value is None else math.ceil(round(value * factor, 6))
        for key, value in groups.items()
    }


def _asking(study: Snapshot, pilot: Pilot | None, groups: Json, options: PlanOptions) -> Json:
    """Return answers, hours and money for so many groups; nothing for a task that asks nobody."""
    question = study.task.ask
    if question is None:
        return {}
    units = _units(study, question)
    questions = _times(groups, len(units) / material_groups(study)[1])
    answers = _answers(study, pilot, units, options)
    seconds = _seconds(study, question)
    costs = {
        key: None if count is None else _cost(max(1, count), answers["value"], seconds, options)
        for key, count in questions.items()
    }
    return {
        "questions": questions,
        "answers_per_question": answers,
        "seconds_per_answer": seconds,
        "answers": {key: own.opinions if own else None for key, own in costs.items()},
        "hours": {key: own.hours if own else None for key, own in costs.items()},
        "money": {key: own.total if own else None for key, own in costs.items()},
        "currency": options.currency,
    }


def _cost(units: int, answers: int, seconds: float, options: PlanOptions) -> Price:
    return price(units, people=answers, seconds=seconds, pay=options.pay, fee=options.fee)


def _units(study: Snapshot, question: Question) -> tuple[Item, ...]:
    """Return the questions about the study's material: those asked, or those that would be."""
    return study.units() or tuple(call_with(question.units, study.items(), options={}))


def _seconds(study: Snapshot, question: Question) -> float:
    """Return what an answer takes: the median of the pilot's, if enough were timed."""
    ballots = study.ballots()
    taken = sorted(
        answer.seconds_taken
        for answer in (ballots.answers if ballots else ())
        if answer.seconds_taken is not None
    )
    return float(taken[len(taken) // 2]) if len(taken) >= TIMED else question.seconds


def _answers(
    study: Snapshot, pilot: Pilot | None, units: tuple[Item, ...], options: PlanOptions
) -> Json:
    """Return how many answers a question gets, why so many, and how references depend on it."""
    ballots = study.ballots()
    own = answers_per_unit(ballots) if ballots else 0
    if options.agreement is None and not options.simulate:
        source = "--answers" if options.answers else "as in the study" if own else "by default"
        return {"value": options.answers or own or OPINIONS, "from": source}
    curve = agreement_of_answers(study, pilot, units, simulate=options.simulate)
    value, source = options.answers or own or OPINIONS, "--answers" if options.answers else ""
    if options.agreement is not None and not options.answers:
        reached = least_answers(curve.rows, options.agreement)
        value = reached or curve.rows[-1]["answers"]
        source = f"an agreement of {options.agreement:g} with {curve.right}"
        source += "" if reached else ", which is not reached"
    return {
        "value": value,
        "from": source or ("as in the study" if own else "by default"),
        "metric": curve.metric,
        "compared_with": curve.right,
        "agreement": curve.rows,
    }
