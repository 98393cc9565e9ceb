"""The fifth verb: every system by every metric, people beside them, and the boards."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from earmark.files.digest import digest
from earmark.files.folder import write_files
from earmark.score.build import build_metrics, details_of
from earmark.score.evaluate import EvaluateOptions, evaluate_all
from earmark.score.leave_one_out import MOST_PEOPLE
from earmark.score.metric import Metric
from earmark.score.people import PeopleOptions
from earmark.score.rank import board, row_as_json
from earmark.study.choices import study_choices
from earmark.study.people import score_people
from earmark.study.places import SCORES, file_name, header
from earmark.study.run import run_numbers
from earmark.study.snapshot import Snapshot
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values import checks
from earmark.values.errors import StudyError
from earmark.values.reference import Reference
from earmark.values.score import Score

Scores = dict[str, Score]  # metric to score


@dataclass(frozen=True, slots=True)
class ScoreRecipe:
    """What is computed: resamples of the bootstrap, metrics by name (all), their options.

    At most `people` people are scored beside the systems. With `choices` the systems are also
    ranked under every setting that the task declares.
    """

    resamples: int
    metrics: tuple[str, ...] | None
    options: Mapping[str, Any]
    people: int = MOST_PEOPLE
    choices: bool = False


@dataclass(frozen=True, slots=True)
class Scoring:
    """One call of `score`: metrics that are built, the reference, and which items go together."""

    metrics: Mapping[str, Metric]
    reference: Reference[Any]
    groups: Mapping[str, str]
    recipe: ScoreRecipe


def score(study: Snapshot, against: str | None, recipe: ScoreRecipe) -> Json:
    """Score everything against one reference; the files of 5-scores are written together."""
    reference = study.reference(against)
    files = score_files(study, reference, recipe)
    _write(study, files, file_name(reference.name))
    return _document(study, files, file_name(reference.name))


def score_files(study: Snapshot, reference: Reference[Any], recipe: ScoreRecipe) -> dict[str, Json]:
    """Return the files of 5-scores against one reference: file name to content."""
    metrics = build_metrics(study.task, recipe.metrics, recipe.options)
    groups = {item.id: item.group for item in study.items()}
    scoring = Scoring(metrics, reference, groups, recipe)
    systems = _systems(study)
    scores: dict[str, Scores] = {
        system: _scores(scoring, system, output, study.seed)
        for system, output in track(systems.items(), label="score", total=len(systems))
    }
    made_by = header("score", _settings(study, scoring))
    name = file_name(reference.name)
    files: dict[str, Json] = {
        f"{file_name(system)}--{name}.json": {
            "made_by": made_by,
            "task": study.task.name,
            "system": system,
            "reference": reference.name,
            "scores": {metric: one.as_json() for metric, one in scores[system].items()},
            "details": details_of(scores[system]),
        }
        for system in systems
    }
    boards = {}
    for metric, built in metrics.items():
        own = {system: by_metric[metric] for system, by_metric in scores.items()}
        boards[metric] = _board(built, own, resamples=recipe.resamples, seed=study.seed)
    files[f"board-{name}.json"] = {"made_by": made_by, "metrics": boards}
    options = PeopleOptions(metrics, groups, recipe.resamples, study.seed)
    people = score_people(study, reference, systems, options, most=recipe.people)
    if people:
        files[f"people-{name}.json"] = {"made_by": made_by, "reference": reference.name, **people}
    if recipe.choices:
        settings = _choices(scoring, systems, study)
        files[f"choices-{name}.json"] = {
            "made_by": made_by,
            "reference": reference.name,
            "metrics": settings,
        }
    return files


def _choices(scoring: Scoring, systems: Mapping[str, Any], study: Snapshot) -> Json:
    """Return the systems under every setting that the task declares."""
    recipe = scoring.recipe

    def evaluate(metrics: Mapping[str, Metric]) -> dict[str, Scores]:
        plain = replace(scoring, metrics=metrics, recipe=replace(recipe, resamples=0))
        return {
            system: _scores(plain, system, output, study.seed)
            for system, output in track(systems.items(), label="choices", total=len(systems))
        }

    return study_choices(
        study.task,
        scoring.metrics,
        recipe.options,
        evaluate,
        resamples=recipe.resamples,
        seed=study.seed,
    )


def _settings(study: Snapshot, scoring: Scoring) -> Json:
    recipe = scoring.recipe
    return {
        "reference": scoring.reference.name,
        "seed": study.seed,
        "resamples": recipe.resamples,
        "metrics": recipe.metrics,
        "options": recipe.options,
        "people": recipe.people,
        **({"choices": True} if recipe.choices else {}),
    }


def _systems(study: Snapshot) -> dict[str, dict[str, Any]]:
    """Return what each system said, item by item."""
    outputs = study.outputs()
    if not outputs:
        raise StudyError(
            "score needs outputs",
            at=study.name,
            fix=f"earmark run {study.name} {next(iter(study.task.run), 'FILE')}",
        )
    return {
        system: {item: output.value for item, output in by_item.items()}
        for system, by_item in outputs.items()
    }


def _scores(scoring: Scoring, system: str, output: Mapping[str, Any], seed: int) -> Scores:
    reference = scoring.reference
    checks.same_items(reference.values, output, at=f"{system} against {reference.name}")
    names = (f"{reference.name}@{digest(reference.values)}", f"{system}@{digest(output)}")
    how = EvaluateOptions(
        resamples=scoring.recipe.resamples, seed=seed, groups=scoring.groups, names=names
    )
    return evaluate_all(scoring.metrics, reference.values, output, how)


def _board(metric: Metric, scores: Mapping[str, Score], *, resamples: int, seed: int) -> list[Json]:
    """Return the ranked rows of one metric."""
    return [row_as_json(row) for row in board(metric, scores, resamples=resamples, seed=seed)]


def _write(study: Snapshot, files: Mapping[str, Json], against: str) -> None:
    """Write all files of this scoring at once; those against other references stay."""
    texts = {
        name: json.dumps(content, indent=1, allow_nan=False) + "\n"
        for name, content in files.items()
    }
    scores, beside = f"--{against}.json", (f"people-{against}.json", f"choices-{against}.json")
    write_files(
        study.folder / SCORES, texts, drop=lambda name: name.endswith(scores) or name in beside
    )


def _document(study: Snapshot, files: Mapping[str, Json], against: str) -> Json:
    """Return what the command prints: the system that ran last first, then all of them."""
    rows = {name: file for name, file in files.items() if "--" in name}
    systems = {row["system"]: row for row in rows.values()}
    numbers = run_numbers(study.folder)
    last = max(systems, key=lambda name: numbers.get(name, 0))
    document = {
        "task": study.task.name,
        "scores": systems[last]["scores"],
        "details": {"system": last, "reference": against, **systems[last]["details"]},
        "systems": {
            name: {key: row[key] for key in ("scores", "details")} for name, row in systems.items()
        },
        "board": files[f"board-{against}.json"]["metrics"],
    }
    people = files.get(f"people-{against}.json")
    if people:
        hidden = ("made_by", "reference")
        document["people"] = {key: value for key, value in people.items() if key not in hidden}
    if f"choices-{against}.json" in files:
        document["choices"] = files[f"choices-{against}.json"]["metrics"]
    return document
