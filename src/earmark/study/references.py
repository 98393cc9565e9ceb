"""A study's outputs against several of its references: what the reference does to the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from earmark.files.digest import digest
from earmark.score.build import build_metrics
from earmark.score.evaluate import EvaluateOptions, evaluate_all
from earmark.score.groups import GroupChoice, choose_groups
from earmark.score.references import Cell, Resamples, orders_as_json, parse_cell, rows_as_json
from earmark.study.snapshot import Snapshot
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values import checks
from earmark.values.errors import StudyError
from earmark.values.score import Score


@dataclass(frozen=True, slots=True)
class ReferencesRecipe:
    """What is compared: references by name (all, the truth first), systems, rows, metrics.

    A row is SYSTEM@REFERENCE; every row is compared with the first. Without rows each system is
    scored against each reference and compared with itself against the first.
    """

    against: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    metrics: tuple[str, ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    groups: GroupChoice = None
    resamples: int = 1000


def compare_references(study: Snapshot, recipe: ReferencesRecipe) -> Json:
    """Return the values, the differences and the orders of systems under several references."""
    references = _chosen(recipe.against, list(study.references()), "reference", study.name)
    systems = _chosen(recipe.systems, list(study.outputs()), "system with outputs", study.name)
    if len(references) < 2:
        raise StudyError(
            "references are compared with one another",
            at=study.name,
            got=f"{len(references)} reference",
            fix=f"earmark reconcile {study.name}",
        )
    metrics = build_metrics(study.task, recipe.metrics or (next(iter(study.task.score)),),
                            recipe.options)  # fmt: skip
    cells = _evaluate(study, recipe, metrics, [(s, r) for r in references for s in systems])
    how = Resamples(recipe.resamples, study.seed)
    asked = [parse_cell(word, systems, references) for word in recipe.rows]
    tables = [asked] if asked else [[(s, r) for r in references] for s in systems]
    result: Json = {}
    for name, metric in metrics.items():
        scores = {cell: own[name] for cell, own in cells.items()}
        result[name] = {
            "higher_is_better": metric.higher_is_better,
            "rows": [rows_as_json(metric, scores, rows, how) for rows in tables],
            "orders": orders_as_json(metric, scores, systems, references, how),
        }
    return {"task": study.task.name, "references": references, "systems": systems,
            "metrics": result}  # fmt: skip


def _chosen(given: Sequence[str], known: list[str], what: str, at: str) -> list[str]:
    for name in given:
        checks.one_of(name, known, what=what, at=at)
    if not known:
        raise StudyError(f"there is no {what}", at=at, fix=f"earmark run {at} SYSTEM")
    # the truth first: differences are to the first
    return list(given) or sorted(known, key=lambda name: (name != "truth", known.index(name)))


def _evaluate(
    study: Snapshot, recipe: ReferencesRecipe, metrics: Mapping[str, Any], cells: Sequence[Cell]
) -> dict[Cell, dict[str, Score]]:
    """Return the score of every system against every reference, by metric."""
    parents = {item.id: item.group for item in study.items()}
    # once for each side: outputs with frame scores are long
    outputs = {
        system: {item: each.value for item, each in study.outputs()[system].items()}
        for system in dict.fromkeys(system for system, _ in cells)
    }
    signed = {system: f"{system}@{digest(output)}" for system, output in outputs.items()}
    result: dict[Cell, dict[str, Score]] = {}
    for system, reference in track(cells, label="score", total=len(cells)):
        values, output = study.reference(reference).values, outputs[system]
        checks.same_items(values, output, at=f"{system} against {reference}")
        groups = choose_groups(study.task, recipe.groups, values, parents=parents)
        how = EvaluateOptions(
            resamples=recipe.resamples,
            seed=study.seed,
            groups=groups.of,
            grouped_by=groups.name,
            names=(f"{reference}@{digest(values)}", signed[system]),
        )
        result[system, reference] = evaluate_all(metrics, values, output, how)
    return result
