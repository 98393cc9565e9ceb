"""What a pilot's answers, or a simulated crowd's, say of how many are enough."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from earmark.score.answer_counts import (
    MOST_ANSWERS,
    AnswerTrial,
    agreement_curve,
    answers_per_unit,
    can_compare,
)
from earmark.score.build import build_metric
from earmark.score.leave_one_out import recipe_of
from earmark.score.metric import Metric
from earmark.study.pilot import Pilot
from earmark.study.places import TRUTH
from earmark.study.snapshot import Snapshot
from earmark.task.options import call_with
from earmark.task.task import Json
from earmark.values.answer import Ballots
from earmark.values.errors import StudyError
from earmark.values.item import Item


@dataclass(frozen=True, slots=True)
class AnswerCurve:
    """Agreement by number of answers: by which metric, and with what."""

    rows: list[Json]
    metric: str
    right: str


def agreement_of_answers(
    study: Snapshot, pilot: Pilot | None, units: tuple[Item, ...], *, simulate: bool
) -> AnswerCurve:
    """Return how well references of fewer answers agree with that of all, or with the truth."""
    ballots = _simulated(study, units) if simulate else study.ballots()
    if ballots is None or not ballots.answers:
        raise StudyError(
            "how many answers are enough can be seen from answers alone",
            at=study.name,
            fix="ask a pilot, or see what a simulated crowd says: --simulate",
        )
    by, recipe = _method(study)

    def reconcile(some: Ballots[Any]) -> Mapping[str, Any]:
        method = study.task.reconcile[by]
        values: Mapping[str, Any] = call_with(method, some, options=recipe, seed=study.seed).values
        return values

    truth = study.truth() if simulate else None
    right = truth.values if truth else reconcile(ballots)
    metric = _comparing(study, pilot, right)
    trial = AnswerTrial(ballots, reconcile, right, metric)
    most = answers_per_unit(ballots)
    rows = agreement_curve(trial, most=most, seed=study.seed)
    return AnswerCurve(rows, metric.name, TRUTH if truth else f"all {most} answers by {by}")


def _method(study: Snapshot) -> tuple[str, dict[str, Any]]:
    """Return the method and options of the first reconciled reference, or the task's first."""
    for reference in study.references().values():
        recipe = recipe_of(reference)
        if recipe is not None and recipe["by"] in study.task.reconcile:
            options = {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in recipe.items()
                if key not in ("by", "seed")
            }
            return str(recipe["by"]), options
    if not study.task.reconcile:
        raise StudyError(f"{study.task.name} has no way of reconciling yet", at=study.name)
    return next(iter(study.task.reconcile)), {}


def _comparing(study: Snapshot, pilot: Pilot | None, values: Mapping[str, Any]) -> Metric:
    """Return the pilot's metric, or the first of the task's, that can compare two references."""
    if pilot and can_compare(pilot.metric, values):
        return pilot.metric
    for name in study.task.score:
        metric = build_metric(study.task, name, {})
        if can_compare(metric, values):
            return metric
    raise StudyError(
        "no metric can compare two of these references with each other",
        at=study.name,
        fix="state how many answers there shall be: --answers 5",
    )


def _simulated(study: Snapshot, units: tuple[Item, ...]) -> Ballots[Any]:
    """Return the answers of the task's simulated crowd, as many per question as are tried."""
    question, truth = study.task.ask, study.truth()
    if question is None or question.simulate is None or truth is None:
        raise StudyError(
            "a simulated crowd needs a task that can simulate, and a known truth",
            at=study.name,
            fix="leave out --simulate",
        )
    crowd = dict(question.crowd)
    if "opinions" in crowd:
        crowd["opinions"] = MOST_ANSWERS
    answers = tuple(question.simulate(units, truth, crowd=crowd, seed=study.seed))
    return Ballots(units, answers, study.items())
