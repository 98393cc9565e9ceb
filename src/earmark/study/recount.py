"""References and scores computed again, by the recipes that their files hold."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from earmark import __version__
from earmark.files import jsonl
from earmark.files.digest import file_digest
from earmark.files.json_text import read_json
from earmark.study.differences import MOST, compare, numbers_in, plain
from earmark.study.places import PLAN, REFERENCES, SCORES, reference_rows
from earmark.study.plan import PlanOptions, planned, planned_from
from earmark.study.reconcile import reconciled
from earmark.study.record import DIGEST, damage_of_measured
from earmark.study.score import ScoreRecipe, score_files
from earmark.study.score_documents import read_board
from earmark.study.snapshot import Snapshot
from earmark.task.options import Option, merged, options_of
from earmark.task.progress import track
from earmark.task.task import Json
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.output import Output
from earmark.values.pack import pack

# Files of a scoring besides those of its systems, each named after the reference.
BESIDE = ("board", "people", "items", "choices")


@dataclass(frozen=True, slots=True)
class Findings:
    """What a verification brought: problems, remarks that are none, numbers counted again."""

    problems: list[Json] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    counted: list[int] = field(default_factory=list)
    versions: set[str] = field(default_factory=set)

    def add(self, file: str, problem: str, **values: Any) -> None:
        """Add a problem of a file, unless it is there already."""
        entry = {"file": file, "problem": problem, **values}
        if entry not in self.problems:
            self.problems.append(entry)

    @contextmanager
    def guard(self, file: str) -> Iterator[None]:
        """Turn whatever damage breaks within this block into a problem of the file."""
        try:
            yield
        except InputError as error:
            lines = [line.strip() for line in str(error).splitlines()]
            self.add(file, "; ".join(lines))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            self.add(file, f"cannot be counted again ({type(error).__name__}: {error})")

    def compare(self, file: str, stored: Any, again: Any, version: object) -> None:
        """Add what differs between a file's content and the same computed again."""
        self.counted.append(numbers_in(again))
        differences = list(compare(stored, again))
        other = "" if version == __version__ else f"; made by version {version}, not {__version__}"
        if other:
            self.versions.add(str(version))
        for one in differences[:MOST]:
            self.add(file, f"{one}{other}", stored=one.stored, again=one.again)
        if len(differences) > MOST:
            self.add(file, f"{len(differences) - MOST} more values differ{other}")


def recount_references(study: Snapshot, findings: Findings) -> None:
    """Reconcile every reference again from the answers, by its own recipe, and compare."""
    paths = sorted((study.folder / REFERENCES).glob("*.jsonl"))
    for path in track(paths, label=REFERENCES):
        file = f"{REFERENCES}/{path.name}"
        with findings.guard(file):
            made_by, rows = jsonl.read_with_header(path)
            recipe = dict(made_by.get("recipe", {}))
            method = str(recipe.pop("by", ""))
            checks.one_of(method, study.task.reconcile, what="way of reconciling", at=file)
            seed = int(recipe.pop("seed"))
            options = restored(options_of(study.task.reconcile[method]), recipe, file, findings)
            as_asked = Snapshot(study.folder, study.task, seed)
            reference = reconciled(as_asked, method, options)
            stored = {_row_name(row): row for _, row in rows}
            again = {_row_name(row): row for row in _packed(reference_rows(reference))}
            findings.compare(file, stored, again, made_by.get("earmark"))


def recount_plan(study: Snapshot, findings: Findings) -> None:
    """Plan again, and compare, where nothing that a plan is made from has changed since."""
    path = study.folder / PLAN
    if not path.exists():
        return
    with findings.guard(PLAN):
        problem = damage_of_measured(path)
        if problem:
            findings.add(PLAN, problem)
            return
        stored = read_json(path, what="plan.json must be JSON")
        made_by = stored.pop("made_by")
        del stored[DIGEST]
        now = {name: file_digest(study.folder / name) for name in planned_from(study.folder)}
        if made_by["inputs"] != now:
            findings.notes.append(f"{PLAN}: the study changed since; it is not planned again")
            return
        recipe = dict(made_by["recipe"])
        seed = int(recipe.pop("seed"))
        options = PlanOptions(**{**recipe, "between": tuple(recipe["between"])})
        again = planned(Snapshot(study.folder, study.task, seed), options)
        again["study"] = stored["study"]  # a folder may be renamed
        findings.compare(PLAN, stored, plain(again), made_by.get("earmark"))


def _packed(rows: Iterator[dict[str, object]]) -> Iterator[Any]:
    return (plain(pack(row)) for row in rows)


def _row_name(row: Mapping[str, Any]) -> str:
    return f"person {row['person']}" if "person" in row else f"item {row['item']}"


def restored(
    known: Mapping[str, Option], recipe: Mapping[str, Any], file: str, findings: Findings
) -> dict[str, Any]:
    """Return the options of a recipe as they were given; a file from outside cannot be had again.

    A recipe holds the names of such files alone, so that no path of somebody's machine is stored.
    """
    options: dict[str, Any] = {}
    for name, value in recipe.items():
        if value is not None and name in known and known[name].kind is Path:
            findings.notes.append(f"{file}: counted again without --{known[name].flag} {value}")
            continue
        options[name] = tuple(value) if isinstance(value, list) else value
    return options


class _AsScored(Snapshot):
    """The study with those systems alone that were there when it was scored."""

    systems: Collection[str] = ()

    def outputs(self) -> dict[str, dict[str, Output[Any]]]:
        """Return outputs by system and item."""
        outputs = super().outputs()
        return {name: by_item for name, by_item in outputs.items() if name in self.systems}


def recount_scores(study: Snapshot, findings: Findings) -> None:
    """Score again against every reference that was scored against, and compare every file."""
    place = study.folder / SCORES
    stored = _stored(place, findings)
    for reference in sorted({_reference_of(name) for name in stored}):
        board = f"board-{reference}.json"
        own = {name: text for name, text in stored.items() if _reference_of(name) == reference}
        if board not in own:
            findings.add(f"{SCORES}/{board}", "is gone, or damaged")
            continue
        with findings.guard(f"{SCORES}/{board}"):
            fresh = _scored_again(study, reference, own, findings)
            for name in track(sorted({*own, *fresh}), label=f"scores {reference}"):
                _compare_scores(name, own, fresh, findings)


def _stored(place: Path, findings: Findings) -> dict[str, Json]:
    """Return the content of the score files that can be read."""
    stored: dict[str, Json] = {}
    patterns = (*(f"{kind}-*.json" for kind in BESIDE), "*--*.json")
    for path in sorted({path for pattern in patterns for path in place.glob(pattern)}):
        with findings.guard(f"{SCORES}/{path.name}"):
            content = read_json(path)
            if not isinstance(content, dict):
                raise InputError("a file of scores must hold one object")
            stored[path.name] = content
    return stored


def _reference_of(name: str) -> str:
    """Return the reference of a file: `SYSTEM--REFERENCE`, or a kind of file and `-REFERENCE`."""
    stem = name.removesuffix(".json")
    return stem.partition("--" if "--" in stem else "-")[2]


def _scored_again(
    study: Snapshot, reference: str, own: Mapping[str, Json], findings: Findings
) -> dict[str, Json]:
    """Return the files of one scoring, computed by the recipe of its board."""
    file = f"board-{reference}.json"
    recipe = read_board(study.folder / SCORES / file)["made_by"]["recipe"]
    as_scored = _AsScored(study.folder, study.task, int(recipe["seed"]))
    as_scored.systems = _systems(own)
    metrics = [study.task.score[metric] for metric in recipe.get("metrics") or study.task.score]
    known, given = merged(metrics), recipe.get("options", {})
    options = restored(known, given, f"{SCORES}/{file}", findings)
    chosen = ScoreRecipe.of_settings({**recipe, "options": options})
    fresh: dict[str, Json] = plain(score_files(as_scored, as_scored.reference(reference), chosen))
    return fresh


def _systems(own: Mapping[str, Json]) -> set[str]:
    """Return the systems of a scoring: those with a file, and those on its board."""
    named = {str(content.get("system")) for name, content in own.items() if "--" in name}
    boards = (
        content["metrics"]
        for name, content in own.items()
        if name.startswith("board-") and "--" not in name
    )
    return named | {str(row["system"]) for b in boards for rows in b.values() for row in rows}


def _compare_scores(
    name: str, own: Mapping[str, Json], fresh: Mapping[str, Json], findings: Findings
) -> None:
    file = f"{SCORES}/{name}"
    if name not in own:
        findings.add(file, "is gone, or damaged")
    elif name not in fresh:
        findings.add(file, "has nothing to be counted from: outputs or answers are gone")
    else:
        with findings.guard(file):
            version = own[name]["made_by"].get("earmark")
            findings.compare(
                file, _without_version(own[name]), _without_version(fresh[name]), version
            )


def _without_version(content: Json) -> Json:
    return {**content, "made_by": {**content["made_by"], "earmark": None}}
