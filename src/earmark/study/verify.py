"""Whether the stored numbers still follow from the stored files."""

import math
from pathlib import Path

from earmark.files import jsonl
from earmark.files.digest import file_digest
from earmark.study.places import ANSWERS, REFERENCES, SCORES, file_name, output_files
from earmark.study.score import ScoreRecipe, score_files
from earmark.study.snapshot import Snapshot
from earmark.task.task import Json

# A count that is repeated gives the same number; the margin is for another processor's last digit.
TOLERANCE = 1e-12


def verify(study: Snapshot) -> Json:
    """Compute every stored score again from the stored references and outputs, and compare."""
    problems = stale(study.folder)
    checked = 0
    for reference, board in study.boards().items():
        stored = {row["system"]: row for row in study.scores() if row["reference"] == reference}
        problems += _differences(study, reference, board["made_by"]["recipe"], stored)
        checked += sum(len(row["scores"]) for row in stored.values())
    return {"study": study.name, "checked": checked, "problems": problems, "ok": not problems}


def stale(folder: Path) -> list[Json]:
    """Return the files that were made from inputs that have changed since."""
    paths = [
        *(folder / ANSWERS).glob("units.jsonl"),
        *(folder / REFERENCES).glob("*.jsonl"),
        *output_files(folder),
    ]
    return [problem for path in sorted(paths) if (problem := _stale_file(folder, path))]


def _stale_file(folder: Path, path: Path) -> Json | None:
    recorded = jsonl.header(path).get("inputs", {})
    now = {
        name: file_digest(folder / name) if (folder / name).exists() else "gone"
        for name in recorded
    }
    changed = sorted(name for name in recorded if recorded[name] != now[name])
    if not changed:
        return None
    return {"file": str(path.relative_to(folder)), "problem": f"{', '.join(changed)} changed"}


def _differences(study: Snapshot, reference: str, recipe: Json, stored: Json) -> list[Json]:
    """Return the stored numbers that computing them again does not give."""
    as_scored = Snapshot(study.folder, study.task, int(recipe["seed"]))
    chosen = ScoreRecipe.of_settings(recipe)
    files = score_files(as_scored, as_scored.reference(reference), chosen)
    problems = []
    for system, row in stored.items():
        name = f"{file_name(system)}--{file_name(reference)}.json"
        fresh = files.get(name, {"scores": {}})["scores"]
        for metric, old in row["scores"].items():
            if metric not in fresh or not _same(old, fresh[metric]):
                now = fresh[metric]["value"] if metric in fresh else "gone"
                problem = f"{metric} is {old.get('value')} there, {now} when counted again"
                problems.append({"file": f"{SCORES}/{name}", "problem": problem})
    return problems


def _same(old: Json, new: Json) -> bool:
    if old.get("signature") != new["signature"]:
        return False
    pairs = [(old.get(key), new[key]) for key in ("value", "low", "high")]
    return all((a is None) == (b is None) and (a is None or _close(a, b)) for a, b in pairs)


def _close(old: object, new: float) -> bool:
    if not isinstance(old, int | float):
        return False
    return math.isclose(old, new, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
