"""A pilot: what a study's systems say of how much a difference varies from group to group."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.score.build import build_metric
from earmark.score.evaluate import EvaluateOptions, evaluate
from earmark.score.groups import Groups, choose_groups
from earmark.score.metric import Metric
from earmark.score.plan import SpreadEstimate, spread_of_pilot
from earmark.score.rank import in_order
from earmark.study.boards import systems_among
from earmark.study.places import file_name
from earmark.study.snapshot import Snapshot
from earmark.task.options import merged
from earmark.task.task import Json
from earmark.values import checks
from earmark.values.errors import StudyError
from earmark.values.reference import Reference
from earmark.values.score import Score

if TYPE_CHECKING:
    from earmark.study.plan import PlanOptions


@dataclass(frozen=True, slots=True)
class Pilot:
    """What a pilot says: the spread of a difference, by which metric, over which groups."""

    metric: Metric
    reference: str
    spread: SpreadEstimate
    systems: int
    unit: str
    groups: int


def look_at_pilot(study: Snapshot, options: "PlanOptions") -> Pilot:
    """Return the spread of the difference between two of the study's systems, or of one."""
    outputs = study.outputs()
    if not outputs or not (study.references() or options.against):
        raise StudyError(
            "nothing says how much a difference varies from item to item",
            at=study.name,
            got="no outputs of systems" if not outputs else "no reference",
            fix="run two systems on a pilot and reconcile, or state the spread: --spread 0.15",
        )
    reference = study.reference(options.against)
    parents = {item.id: item.group for item in study.items()}
    groups = choose_groups(study.task, None, reference.values, parents=parents)
    sides = {
        system: {item: one.value for item, one in outputs[system].items()}
        for system in [*options.between, *systems_among(study, outputs)]
        if system in outputs
    }
    metric, scores = _first_defined(study, reference, sides, groups, options)
    chosen = _chosen(metric, scores, options.between)
    unit = groups.name
    spread = spread_of_pilot(metric, chosen, unit=unit)
    count = len(set(groups.of.values()))
    return Pilot(metric, reference.name, spread, len(sides), unit, count)


def _first_defined(
    study: Snapshot,
    reference: Reference[Any],
    sides: Mapping[str, Mapping[str, Any]],
    groups: Groups,
    options: "PlanOptions",
) -> tuple[Metric, dict[str, Score]]:
    """Return the metric that was named, or the first of the board that has a value."""
    board = study.boards().get(file_name(reference.name), {})
    recipe = board.get("made_by", {}).get("recipe", {})
    names = _named(study, board, options.metric)
    for name in names:
        metric = build_metric(study.task, name, _restored(study, recipe.get("options", {})))
        scores = {}
        for system, output in sides.items():
            checks.same_items(reference.values, output, at=f"{system} against {reference.name}")
            how = EvaluateOptions(resamples=0, groups=groups.of, grouped_by=groups.name)
            scores[system] = evaluate(metric, reference.values, output, how)
        defined = {system: score for system, score in scores.items() if score.value == score.value}
        if defined:
            return metric, defined
    raise StudyError(
        "no metric has a value on this pilot",
        at=study.name,
        got=", ".join(names),
        fix="score it to see why, or state the spread: --spread 0.15",
    )


def _named(study: Snapshot, board: Json, metric: str | None) -> list[str]:
    if metric is not None:
        return [checks.one_of(metric, study.task.score, what="metric", at=study.task.name)]
    on_board = [
        name
        for name, rows in board.get("metrics", {}).items()
        if any(row["value"] is not None for row in rows)
    ]
    return [name for name in on_board if name in study.task.score][:1] or list(study.task.score)


def _restored(study: Snapshot, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metrics' options of a board; files from outside are not known any more."""
    known = merged(study.task.score.values())
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in options.items()
        if name in known and known[name].kind is not Path
    }


def _chosen(
    metric: Metric, scores: Mapping[str, Score], between: tuple[str, ...]
) -> dict[str, Score]:
    """Return the two systems that were named, or the best two, or the only one."""
    for name in between:
        checks.one_of(name, scores, what="system with a value")
    names = list(between) or in_order(metric, scores)[:2]
    return {name: scores[name] for name in names}


def material_groups(study: Snapshot) -> tuple[str, int]:
    """Return what a group of the material is called, and how many there are."""
    items = study.items()
    return study.task.parent, len({item.group for item in items})
