"""The fifth verb: every system by every metric, people beside them, and the boards."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from earmark.files.digest import digest
from earmark.files.folder import write_files
from earmark.score.build import build_metrics, details_of
from earmark.score.evaluate import EvaluateOptions, evaluate_all
from earmark.score.metric import Metric
from earmark.study.boards import BoardOptions, require_posteriors, study_boards
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

    `draws`, if not 0, is how many times the reference is drawn from its posteriors.
    """

    resamples: int
    metrics: tuple[str, ...] | None
    options: Mapping[str, Any]
    draws: int = 0


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who is scored: a system, or a person against a reference that leaves them out."""

    name: str
    reference: Mapping[str, Any]
    output: Mapping[str, Any]
    human: bool = False


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
    metrics = build_metrics(study.task, recipe.metrics, recipe.options)
    entrants = list(_entrants(study, reference))
    groups = {item.id: item.group for item in study.items()}
    scores: dict[str, Scores] = {
        entrant.name: _scores(entrant, metrics, reference.name, groups, recipe, study.seed)
        for entrant in track(entrants, label="score")
    }
    settings = {
        "reference": reference.name,
        "seed": study.seed,
        "resamples": recipe.resamples,
        "metrics": recipe.metrics,
        "options": recipe.options,
        **({"draws": recipe.draws} if recipe.draws else {}),
    }
    made_by = header("score", settings)
    name = file_name(reference.name)
    files: dict[str, Json] = {
        f"{file_name(entrant.name)}--{name}.json": {
            "made_by": made_by,
            "task": study.task.name,
            "system": entrant.name,
            "human": entrant.human,
            "reference": reference.name,
            "scores": {metric: one.as_json() for metric, one in scores[entrant.name].items()},
            "details": details_of(scores[entrant.name]),
        }
        for entrant in entrants
    }
    systems = {entrant.name: scores[entrant.name] for entrant in entrants if not entrant.human}
    how = BoardOptions(recipe.resamples, recipe.draws)
    boards = study_boards(study, reference, metrics, systems, how)
    return {**files, f"board-{name}.json": {"made_by": made_by, **boards}}


def _entrants(study: Snapshot, reference: Reference[Any]) -> Iterator[Entrant]:
    outputs = study.outputs()
    if not outputs:
        raise StudyError(
            "score needs outputs",
            at=study.name,
            fix=f"earmark run {study.name} {next(iter(study.task.run), 'FILE')}",
        )
    for system, by_item in outputs.items():
        yield Entrant(system, reference.values, {item: out.value for item, out in by_item.items()})
    ballots = study.ballots()
    if study.task.people and ballots and ballots.answers:
        for person in study.task.people(ballots, reference):
            yield Entrant(person.name, person.reference, person.output, human=True)


def _scores(
    entrant: Entrant,
    metrics: Mapping[str, Metric],
    against: str,
    groups: Mapping[str, str],
    recipe: ScoreRecipe,
    seed: int,
) -> Scores:
    checks.same_items(entrant.reference, entrant.output, at=f"{entrant.name} against {against}")
    names = (f"{against}@{digest(entrant.reference)}", f"{entrant.name}@{digest(entrant.output)}")
    how = EvaluateOptions(resamples=recipe.resamples, seed=seed, groups=groups, names=names)
    return evaluate_all(metrics, entrant.reference, entrant.output, how)


def _write(study: Snapshot, files: Mapping[str, Json], against: str) -> None:
    """Write all files of this scoring at once; those against other references stay."""
    texts = {
        name: json.dumps(content, indent=1, allow_nan=False) + "\n"
        for name, content in files.items()
    }
    own = f"--{against}.json"
    write_files(study.folder / SCORES, texts, drop=lambda name: name.endswith(own))


def _document(study: Snapshot, files: Mapping[str, Json], against: str) -> Json:
    """Return what the command prints: the system that ran last first, then all of them."""
    rows = {file["system"]: file for name, file in files.items() if not name.startswith("board-")}
    numbers = run_numbers(study.folder)
    systems = [name for name, row in rows.items() if not row["human"]]
    last = max(systems, key=lambda name: numbers.get(name, 0))
    board_file = files[f"board-{against}.json"]
    return {
        "task": study.task.name,
        "scores": rows[last]["scores"],
        "details": {"system": last, "reference": against, **rows[last]["details"]},
        "systems": {
            name: {key: row[key] for key in ("human", "scores", "details")}
            for name, row in rows.items()
        },
        "board": board_file["metrics"],
        **({"draws": board_file["draws"]} if "draws" in board_file else {}),
    }
