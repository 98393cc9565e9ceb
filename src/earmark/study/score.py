"""The fifth verb: every system by every metric, people beside them, and the boards."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from earmark.files.digest import digest
from earmark.score.build import build_metrics, details_of
from earmark.score.evaluate import EvaluateOptions, evaluate_all
from earmark.score.groups import GroupChoice, Groups, choose_groups
from earmark.score.leave_one_out import MOST_PEOPLE
from earmark.score.metric import Metric
from earmark.score.people import PeopleOptions
from earmark.study.boards import (
    BoardOptions,
    require_posteriors,
    study_boards,
    systems_among,
)
from earmark.study.choices import study_choices
from earmark.study.item_values import item_columns
from earmark.study.people import score_people
from earmark.study.places import SCORES, file_name, header
from earmark.study.record import write_place
from earmark.study.run import run_numbers
from earmark.study.score_documents import items_file
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

    At most `people` people are scored beside the systems. `groups` says which items belong
    together; by default what the material declares.
    `draws`, if not 0, is how many times the reference is drawn from its posteriors. With `choices`
    the systems are also ranked under every setting that the task declares.
    """

    resamples: int
    metrics: tuple[str, ...] | None
    options: Mapping[str, Any]
    people: int = MOST_PEOPLE
    groups: GroupChoice = None
    draws: int = 0
    choices: bool = False

    @classmethod
    def of_settings(cls, settings: Json) -> "ScoreRecipe":
        """Return the recipe that a board was made with."""
        groups = settings.get("groups")
        metrics = settings["metrics"]
        return cls(
            int(settings["resamples"]),
            None if metrics is None else tuple(metrics),
            settings["options"],
            int(settings.get("people", MOST_PEOPLE)),
            Groups(groups["name"], groups["of"]) if isinstance(groups, dict) else groups,
            int(settings.get("draws", 0)),
            bool(settings.get("choices", False)),
        )


@dataclass(frozen=True, slots=True)
class Scoring:
    """One call of `score`: metrics that are built, the reference, and which items go together."""

    metrics: Mapping[str, Metric]
    reference: Reference[Any]
    groups: Groups
    recipe: ScoreRecipe


def score(study: Snapshot, against: str | None, recipe: ScoreRecipe) -> Json:
    """Score everything against one reference; the files of 5-scores are written together."""
    reference = study.reference(against)
    files = score_files(study, reference, recipe)
    _write(study, files, file_name(reference.name))
    return _document(study, files, file_name(reference.name))


def score_files(study: Snapshot, reference: Reference[Any], recipe: ScoreRecipe) -> dict[str, Json]:
    """Return the files of 5-scores against one reference: file name to content."""
    if recipe.draws:
        require_posteriors(study, reference)
    scoring = _scoring(study, reference, recipe)
    metrics, groups = scoring.metrics, scoring.groups
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
    how = BoardOptions(recipe.resamples, recipe.draws)
    boards = study_boards(study, reference, metrics, scores, how)
    files[f"board-{name}.json"] = {"made_by": made_by, **boards}
    files[items_file(name)] = {"made_by": made_by, **item_columns(metrics, scores)}
    options = PeopleOptions(metrics, groups.of, recipe.resamples, study.seed, groups.name)
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


def score_one(
    study: Snapshot, reference: Reference[Any], recipe: ScoreRecipe, system: str, output: Json
) -> Json:
    """Return one system's scores, which stand alone: metric to value, interval and signature."""
    scores = _scores(_scoring(study, reference, recipe), system, output, study.seed)
    return {metric: one.as_json() for metric, one in scores.items()}


def _scoring(study: Snapshot, reference: Reference[Any], recipe: ScoreRecipe) -> Scoring:
    metrics = build_metrics(study.task, recipe.metrics, recipe.options)
    parents = {item.id: item.group for item in study.items()}
    groups = choose_groups(study.task, recipe.groups, reference.values, parents=parents)
    return Scoring(metrics, reference, groups, recipe)


def _choices(scoring: Scoring, systems: Mapping[str, Any], study: Snapshot) -> Json:
    """Return the systems under every setting that the task declares."""
    recipe = scoring.recipe
    ranked = {system: systems[system] for system in systems_among(study, systems)}

    def evaluate(metrics: Mapping[str, Metric]) -> dict[str, Scores]:
        plain = replace(scoring, metrics=metrics, recipe=replace(recipe, resamples=0))
        return {
            system: _scores(plain, system, output, study.seed)
            for system, output in track(ranked.items(), label="choices", total=len(ranked))
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
        "groups": _stored(recipe.groups, scoring.groups),
        "people": recipe.people,
        **({"draws": recipe.draws} if recipe.draws else {}),
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
    reference, groups = scoring.reference, scoring.groups
    checks.same_items(reference.values, output, at=f"{system} against {reference.name}")
    names = (f"{reference.name}@{digest(reference.values)}", f"{system}@{digest(output)}")
    how = EvaluateOptions(
        resamples=scoring.recipe.resamples,
        seed=seed,
        groups=groups.of,
        grouped_by=groups.name,
        names=names,
    )
    return evaluate_all(scoring.metrics, reference.values, output, how)


def _stored(choice: GroupChoice, groups: Groups) -> str | Json | None:
    """Return the chosen groups as a board stores them: a name, or the whole table."""
    if choice is None or choice == groups.name:
        return groups.name if choice else None
    return {"name": groups.name, "of": dict(groups.of)}


def _write(study: Snapshot, files: Mapping[str, Json], against: str) -> None:
    """Write all files of this scoring at once; those against other references stay."""
    texts = {
        name: json.dumps(content, indent=None if "items" in content else 1, allow_nan=False) + "\n"
        for name, content in files.items()
    }
    scores, beside = f"--{against}.json", (f"people-{against}.json", f"choices-{against}.json")
    write_place(
        study.folder / SCORES, texts, drop=lambda name: name.endswith(scores) or name in beside
    )


def _document(study: Snapshot, files: Mapping[str, Json], against: str) -> Json:
    """Return what the command prints: the system that ran last first, then all of them."""
    rows = {name: file for name, file in files.items() if "--" in name}
    systems = {row["system"]: row for row in rows.values()}
    numbers = run_numbers(study.folder)
    last = max(systems, key=lambda name: numbers.get(name, 0))
    board_file = files[f"board-{against}.json"]
    document = {
        "task": study.task.name,
        "scores": systems[last]["scores"],
        "details": {"system": last, "reference": against, **systems[last]["details"]},
        "systems": {
            name: {key: row[key] for key in ("scores", "details")} for name, row in systems.items()
        },
        "board": board_file["metrics"],
        **({"draws": board_file["draws"]} if "draws" in board_file else {}),
    }
    people = files.get(f"people-{against}.json")
    if people:
        hidden = ("made_by", "reference")
        document["people"] = {key: value for key, value in people.items() if key not in hidden}
    if f"choices-{against}.json" in files:
        document["choices"] = files[f"choices-{against}.json"]["metrics"]
    return document
