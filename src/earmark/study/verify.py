"""What is done, what is next, and whether the numbers still follow from the files."""

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.files import jsonl
from earmark.files.digest import file_digest
from earmark.study.places import (
    ANSWERS,
    MATERIAL,
    OUTPUTS,
    REFERENCES,
    REPORT,
    SCORES,
)
from earmark.task.task import Json
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.study.study import Study

INPUT_FILES = {MATERIAL: ("items.jsonl", "truth.jsonl"), ANSWERS: ("units.jsonl", "answers.jsonl")}


def file_name(name: str) -> str:
    """A name that can be a file's, or an error."""
    if not re.fullmatch(r"[\w][\w .+=@-]*", name) or "--" in name:
        raise InputError(
            "a name is made of letters, digits, blanks and . + = @ _ -",
            got=name,
            fix="choose another with --name",
        )
    return name


def inputs(study: "Study", *places: str) -> dict[str, str]:
    """The digests of what a verb reads."""
    return {
        f"{place}/{name}": file_digest(path)
        for place in places
        for name in INPUT_FILES[place]
        if (path := study.folder / place / name).exists()
    }


def last_run(study: "Study", systems: list[str]) -> str:
    """The system whose outputs are newest."""

    def age(name: str) -> float:
        return (study.folder / OUTPUTS / name / "outputs.jsonl").stat().st_mtime

    return max(systems, key=age)


def show(study: "Study") -> Json:
    """What each place holds, and what to do next."""
    places = {
        MATERIAL: _listing(study, MATERIAL, "items.jsonl"),
        ANSWERS: _listing(study, ANSWERS, "*.jsonl"),
        REFERENCES: _listing(study, REFERENCES, "*.jsonl"),
        OUTPUTS: sorted(p.parent.name for p in (study.folder / OUTPUTS).glob("*/outputs.jsonl")),
        SCORES: _listing(study, SCORES, "*--*.json"),
        REPORT: _listing(study, REPORT, "*.html"),
    }
    counts = {"items": len(study.items())} if places[MATERIAL] else {}
    return {
        "study": study.name,
        "task": study.task.name,
        "seed": study.seed,
        "places": places,
        **counts,
        "stale": [problem["file"] for problem in stale(study)],
        "next": next_step(study, places),
    }


def _listing(study: "Study", place: str, pattern: str) -> list[str]:
    return sorted(path.name for path in (study.folder / place).glob(pattern))


def next_step(study: "Study", places: Json) -> str:
    """The command that brings the study one step further."""
    name, task = study.name, study.task
    steps = [
        (MATERIAL, f"earmark make {task.name} {name}", bool(task.make)),
        (ANSWERS, f"earmark ask {name}", task.ask is not None and study.truth() is None),
        (REFERENCES, f"earmark reconcile {name}", bool(task.reconcile) and bool(places[ANSWERS])),
        (OUTPUTS, f"earmark run {name} {next(iter(task.run), 'FILE')}", True),
        (SCORES, f"earmark score {name}", True),
        (REPORT, f"earmark report {name} --open", True),
    ]
    for place, command, applies in steps:
        if applies and not places[place]:
            return command
    return "nothing: the road is walked"


def stale(study: "Study") -> list[Json]:
    """Files made from inputs that have changed since."""
    paths = [
        *(study.folder / ANSWERS).glob("units.jsonl"),
        *(study.folder / REFERENCES).glob("*.jsonl"),
        *(study.folder / OUTPUTS).glob("*/outputs.jsonl"),
    ]
    return [problem for path in sorted(paths) if (problem := _stale_file(study, path))]


def _stale_file(study: "Study", path: Path) -> Json | None:
    recorded = jsonl.header(path).get("inputs", {})
    now = {
        name: file_digest(study.folder / name) if (study.folder / name).exists() else "gone"
        for name in recorded
    }
    changed = sorted(name for name in recorded if recorded[name] != now[name])
    if not changed:
        return None
    return {"file": str(path.relative_to(study.folder)), "problem": f"{', '.join(changed)} changed"}


def verify(study: "Study") -> Json:
    """Whether every stored score follows again from the stored references and outputs."""
    problems = stale(study)
    checked = 0
    for reference, stored in study.boards().items():
        old = {f"{row['system']}": row for row in study.scores() if row["reference"] == reference}
        problems += _score_differences(study, reference, stored["made_by"]["recipe"], old)
        checked += sum(len(row["scores"]) for row in old.values())
    return {"study": study.name, "checked": checked, "problems": problems, "ok": not problems}


def _score_differences(study: "Study", reference: str, recipe: Json, stored: Json) -> list[Json]:
    """Stored numbers that a fresh count does not give."""
    from earmark.study import score

    as_then = type(study)(study.folder, study.task, int(recipe["seed"]))
    _, files = score.compute(as_then, study.reference(reference), recipe)
    problems = []
    for system, row in stored.items():
        name = f"{file_name(system)}--{file_name(reference)}.json"
        fresh = files.get(name, {"scores": {}})["scores"]
        for metric, old in row["scores"].items():
            if metric not in fresh or not _same(old, fresh[metric]):
                now = fresh[metric]["value"] if metric in fresh else "gone"
                problem = f"{metric} is {old['value']} there, {now} when counted again"
                problems.append({"file": f"{SCORES}/{name}", "problem": problem})
    return problems


def _same(old: Json, new: Json) -> bool:
    if old["signature"] != new["signature"]:
        return False
    pairs = [(old[key], new[key]) for key in ("value", "low", "high")]
    return all(
        (a is None) == (b is None)
        and (a is None or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12))
        for a, b in pairs
    )


EARMARK = """@software{earmark,
  author = {{The Earmark authors}},
  title  = {Earmark: an evaluation workbench for machine listening},
  year   = {2026}
}"""


def cite(study: "Study") -> str:
    """BibTeX of the task, and of the metrics and ways of reconciling that this study used."""
    used = {metric for row in study.scores() for metric in row["scores"]}
    references = (study.folder / REFERENCES).glob("*.jsonl")
    used |= {str(jsonl.header(path).get("recipe", {}).get("by")) for path in references}
    papers = [
        study.task.paper,
        *(study.task.cites[n] for n in sorted(used & set(study.task.cites))),
    ]
    return "\n\n".join([*dict.fromkeys(paper.bibtex() for paper in papers), EARMARK])
