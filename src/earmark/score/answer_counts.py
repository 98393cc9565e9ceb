"""How a reference changes with the number of answers to a question.

Of the answers to every question some are drawn, the same method reconciles them, and the result is
compared, by a metric, with what all answers give (or with the truth, where it is known).
"""

import math
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric
from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError

# Draws for each number of answers; their range is shown, so few are enough.
REPEATS = 3
# More answers than so many per question are not tried one by one.
MOST_ANSWERS = 10

# Answers to a reference's values, by item.
Reconcile = Callable[[Ballots[Any]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class AnswerTrial:
    """What is drawn from, how it is reconciled, and what the result is compared with."""

    ballots: Ballots[Any]
    reconcile: Reconcile
    right: Mapping[str, Any]
    metric: Metric


def answers_per_unit(ballots: Ballots[Any]) -> int:
    """Return how many answers a question mostly has: the median over those that have any."""
    counts: dict[str, int] = {}
    for answer in ballots.answers:
        counts[answer.item] = counts.get(answer.item, 0) + 1
    return int(statistics.median_low(counts.values())) if counts else 0


def can_compare(metric: Metric, values: Mapping[str, Any]) -> bool:
    """Return whether a metric can compare references: one against itself must be perfect.

    Error rates are left out, so that more is always better.

    It cannot where an output is of another kind than a reference (scores of words against labels,
    a boundary against a panel of people).
    """
    if not metric.higher_is_better:
        return False
    try:
        score = evaluate(metric, values, values, resamples=0)
    except (AttributeError, LookupError, TypeError, ValueError):
        return False
    return math.isclose(score.value, metric.best, abs_tol=1e-9)


def agreement_curve(trial: AnswerTrial, *, most: int, seed: int) -> list[Json]:
    """Return for 1 to `most` answers per question how well the reference agrees with the right one.

    Each row has the mean over draws and the lowest and highest; a number of answers from which the
    method can make no reference has None.
    """
    counts = range(1, min(most, MOST_ANSWERS) + 1)
    rows = []
    for answers in track(counts, label="answers", total=len(counts)):
        values = [_agreement(trial, answers, (seed, repeat)) for repeat in range(REPEATS)]
        defined = [value for value in values if not math.isnan(value)]
        rows.append(
            {
                "answers": answers,
                "value": statistics.fmean(defined) if defined else None,
                "low": min(defined, default=None),
                "high": max(defined, default=None),
            }
        )
    return rows


def _agreement(trial: AnswerTrial, answers: int, seed: tuple[int, int]) -> float:
    try:
        values = trial.reconcile(drawn_answers(trial.ballots, answers, seed=seed))
    except InputError:
        return math.nan
    shared = {item: value for item, value in trial.right.items() if item in values}
    output = {item: values[item] for item in shared}
    return evaluate(trial.metric, shared, output, resamples=0).value if shared else math.nan


def drawn_answers(ballots: Ballots[Any], answers: int, *, seed: tuple[int, int]) -> Ballots[Any]:
    """Return the ballots with at most so many answers to each question, drawn at random."""
    by_item: dict[str, list[Answer[Any]]] = {}
    for answer in ballots.answers:
        by_item.setdefault(answer.item, []).append(answer)
    chosen: list[Answer[Any]] = []
    for item, own in by_item.items():
        order = stream(seed[0], "answers", seed[1], item).permutation(len(own))
        chosen += [own[place] for place in sorted(order[:answers].tolist())]
    return replace(ballots, answers=tuple(chosen))


def least_answers(curve: list[Json], wanted: float) -> int | None:
    """Return the fewest answers from which on the agreement is as wanted; None if it never is.

    Examples
    --------
    >>> curve = [{"answers": k, "value": v} for k, v in ((1, 0.7), (2, 0.9), (3, 0.8), (4, 0.95))]
    >>> least_answers(curve, 0.85)
    4
    """
    reached = None
    for row in reversed(curve):
        if row["value"] is None or row["value"] < wanted:
            break
        reached = row["answers"]
    return reached
