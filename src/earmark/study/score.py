"""The fifth verb: every system by every metric, people beside them, and the board."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from earmark.files.digest import digest
from earmark.files.folder import whole_folder, write_file
from earmark.score.build import build_metrics, details_of
from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric
from earmark.score.rank import board
from earmark.study import verify
from earmark.study.places import SCORES, header
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values import checks
from earmark.values.errors import StudyError
from earmark.values.reference import Reference
from earmark.values.score import Score, number

if TYPE_CHECKING:
    from earmark.study.study import Study


@dataclass(frozen=True, slots=True)
class Side:
    """One row to score: a system, or a person against the others."""

    name: str
    reference: Mapping[str, Any]
    output: Mapping[str, Any]
    human: bool = False


def score(
    study: "Study",
    reference: Reference[Any],
    *,
    resamples: int = 1000,
    metrics: tuple[str, ...] | None = None,
    **options: Any,
) -> Json:
    """Score everything against one reference; the files of 5-scores are written together."""
    recipe = {"resamples": resamples, "metrics": metrics, "options": options}
    sides, files = compute(study, reference, recipe)
    _write(study, files, verify.file_name(reference.name))
    return _answer(study, sides, files, verify.file_name(reference.name))


def compute(
    study: "Study", reference: Reference[Any], recipe: Mapping[str, Any]
) -> tuple[list[Side], dict[str, Json]]:
    """The rows that were scored, and the files of 5-scores by name."""
    built = build_metrics(study.task, recipe["metrics"], recipe["options"])
    sides = list(_sides(study, reference))
    if not any(not side.human for side in sides):
        raise StudyError(
            "score needs outputs",
            at=study.name,
            fix=f"earmark run {study.name} {next(iter(study.task.run), 'FILE')}",
        )
    groups = {item.id: item.group for item in study.items()}
    doubt = {"resamples": int(recipe["resamples"]), "seed": study.seed}
    made_by = header("score", {"reference": reference.name, "seed": study.seed, **recipe})
    found = {
        side.name: _score_side(side, built, reference.name, groups, **doubt)
        for side in track(sides, label="score")
    }
    name = verify.file_name(reference.name)
    files = {
        f"{verify.file_name(side.name)}--{name}.json": {
            "made_by": made_by,
            "task": study.task.name,
            "system": side.name,
            "human": side.human,
            "reference": reference.name,
            "scores": {name: one.as_json() for name, one in found[side.name].items()},
            "details": details_of(found[side.name]),
        }
        for side in sides
    }
    systems = {side.name: found[side.name] for side in sides if not side.human}
    files[f"board-{name}.json"] = {"made_by": made_by, "metrics": _boards(built, systems, **doubt)}
    return sides, files


def _sides(study: "Study", reference: Reference[Any]) -> Iterator[Side]:
    for system, outputs in study.outputs().items():
        yield Side(system, reference.values, {item: out.value for item, out in outputs.items()})
    ballots = study.ballots()
    if study.task.people and ballots and ballots.answers:
        for person in study.task.people(ballots, reference):
            yield Side(person.name, person.reference, person.output, human=True)


def _score_side(
    side: Side,
    metrics: Mapping[str, Metric],
    against: str,
    groups: Mapping[str, str],
    *,
    resamples: int,
    seed: int,
) -> dict[str, Score]:
    checks.same_items(side.reference, side.output, at=f"{side.name} against {against}")
    names = (f"{against}@{digest(side.reference)}", f"{side.name}@{digest(side.output)}")
    return {
        name: evaluate(
            metric,
            side.reference,
            side.output,
            resamples=resamples,
            seed=seed,
            groups=groups,
            names=names,
        )
        for name, metric in metrics.items()
    }


def _boards(
    metrics: Mapping[str, Metric],
    found: Mapping[str, Mapping[str, Score]],
    *,
    resamples: int,
    seed: int,
) -> Json:
    """Metric to ranked rows."""
    boards: Json = {}
    for name, metric in metrics.items():
        rows = board(
            metric,
            {system: scores[name] for system, scores in found.items()},
            resamples=resamples,
            seed=seed,
        )
        boards[name] = [
            {
                "system": row.system,
                "rank": row.rank,
                **row.score.as_json(),
                "behind": number(row.behind.value) if row.behind else None,
                "p": number(row.p),
            }
            for row in rows
        ]
    return boards


def _write(study: "Study", files: Mapping[str, Json], against: str) -> None:
    """All files of this scoring at once; those against other references stay."""
    kept = {
        path.name: path.read_text(encoding="utf-8")
        for path in (study.folder / SCORES).glob("*.json")
    }
    with whole_folder(study.folder / SCORES) as place:
        for name, text in kept.items():
            if not name.endswith(f"--{against}.json"):
                write_file(place / name, text)
        for name, content in files.items():
            write_file(place / name, json.dumps(content, indent=1, allow_nan=False) + "\n")


def _answer(study: "Study", sides: list[Side], files: Mapping[str, Json], against: str) -> Json:
    """What the command prints: the system that ran last first, then all of them."""
    systems = [side.name for side in sides if not side.human]
    last = verify.last_run(study, systems)
    by_name = {side.name: files[f"{verify.file_name(side.name)}--{against}.json"] for side in sides}
    return {
        "task": study.task.name,
        "scores": by_name[last]["scores"],
        "details": {"system": last, "reference": against, **by_name[last]["details"]},
        "systems": {
            name: {key: file[key] for key in ("human", "scores", "details")}
            for name, file in by_name.items()
        },
        "board": files[f"board-{against}.json"]["metrics"],
    }
