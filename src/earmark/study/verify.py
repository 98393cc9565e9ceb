"""Whether a study is as its verbs wrote it, and its numbers still follow from its files.

Three questions, for every file of every place: does it have the digest that was recorded when it
was written (`record`), have the files that it was made from changed since (`stale`), and does
computing it again give the same (`recount`)?
"""

import tomllib
from pathlib import Path

from earmark import tasks
from earmark.files import jsonl
from earmark.files.sums import SUMS, files_below, sha256
from earmark.files.text import read_text
from earmark.study import record
from earmark.study.differences import compare
from earmark.study.places import (
    ANSWERS,
    MATERIAL,
    PLACES,
    REFERENCES,
    REPORT,
    SETTINGS,
    output_files,
)
from earmark.study.recount import Findings, recount_plan, recount_references, recount_scores
from earmark.study.settings import (
    derived_settings,
    has_settings,
    organisers_tables,
    read_settings,
    settings_text,
)
from earmark.study.snapshot import Snapshot
from earmark.study.stale import recorded_files, stale_file
from earmark.study.writing import put_right
from earmark.task.task import Json
from earmark.values.errors import InputError, StudyError


def verify(folder: Path) -> Json:
    """Check every file of a study; a damaged one is a problem with its name, never an error.

    Nothing is written and no lock is taken. Raise StudyError if another command wrote the study
    meanwhile and something seemed wrong: it may be right now.
    """
    if not folder.is_dir() or not has_settings(folder):
        raise StudyError(
            "there is no study in this folder", at=folder, fix="make one: earmark make TASK STUDY"
        )
    put_right(folder)
    before, findings = _inodes(folder), Findings()
    files = _check_digests(folder, findings)
    _check_settings(folder, findings)
    for path in recorded_files(folder):
        with findings.guard(str(path.relative_to(folder))):
            problem = stale_file(folder, path)
            if problem:
                findings.add(**problem)
    _recount(folder, findings)
    if findings.problems and _inodes(folder) != before:
        raise StudyError(
            "the study was written while it was verified", at=folder, fix="verify it again"
        )
    return _result(folder, files, findings)


def _result(folder: Path, files: int, findings: Findings) -> Json:
    return {
        "study": folder.resolve().name,
        "checked": sum(findings.counted),
        "files": files,
        "problems": findings.problems,
        "notes": findings.notes,
        "other_versions": sorted(findings.versions),
        "ok": not findings.problems,
    }


def _inodes(folder: Path) -> list[int]:
    """Return what changes when a place is written."""
    paths = [folder / name for name in (*PLACES, SETTINGS)]
    return [path.stat().st_ino if path.exists() else 0 for path in paths]


def _check_digests(folder: Path, findings: Findings) -> int:
    """Compare every file with its digest; return how many were compared."""
    count, is_recorded = 0, _is_recorded(folder)
    for name in PLACES:
        place = folder / name
        if not place.is_dir():
            continue
        if not (place / SUMS).exists():
            if is_recorded:
                findings.add(f"{name}/{SUMS}", "is gone")
            else:
                findings.notes.append(f"{name}: made before digests were recorded")
            continue
        count += sum(1 for _ in files_below(place))
        with findings.guard(f"{name}/{SUMS}"):
            for file, problem in record.differences(place):
                findings.add(f"{name}/{file}", problem)
    return count


def _is_recorded(folder: Path) -> bool:
    """Return whether the study was made since digests are recorded."""
    if any((folder / name / SUMS).exists() for name in (MATERIAL, REPORT)):
        return True
    try:
        return jsonl.header(folder / MATERIAL / "items.jsonl").get("files") == SUMS
    except InputError:
        return True


def _check_settings(folder: Path, findings: Findings) -> None:
    """Compare study.toml with what the material says.

    A seed that was used since is the user's, and tables of a challenge are the organiser's.
    """
    with findings.guard(SETTINGS):
        text = read_text(folder / SETTINGS, keep_line_ends=True)
        again = settings_text(folder)
        if text == again:
            return
        try:
            differences = list(compare(tomllib.loads(text), tomllib.loads(again)))
        except tomllib.TOMLDecodeError as error:
            raise InputError("study.toml must be TOML", got=error) from error
        seeds = _seeds(folder)
        for one in differences:
            if one.place == "seed" and one.stored in seeds:
                findings.notes.append(f"{SETTINGS}: {one.place} is {one.stored}, and was used")
            else:
                findings.add(SETTINGS, str(one), stored=one.stored, again=one.again)
        if not differences and not organisers_tables(folder):
            findings.add(
                SETTINGS, f"is not as make wrote it: its digest is {sha256(folder / SETTINGS)}"
            )


def _seeds(folder: Path) -> set[object]:
    """Return the seeds that verbs after `make` used."""
    paths = [*(folder / REFERENCES).glob("*.jsonl"), *output_files(folder)]
    paths += (folder / ANSWERS).glob("units.jsonl")
    return {jsonl.header(path).get("recipe", {}).get("seed") for path in paths}


def _recount(folder: Path, findings: Findings) -> None:
    """Compute references and scores again, if the material says for which task."""
    try:
        settings = read_settings(folder)
    except InputError:
        settings = {}  # named already; the material may still tell
    with findings.guard(f"{MATERIAL}/items.jsonl"):
        settings = settings or derived_settings(folder)
        study = Snapshot(folder, tasks.load(str(settings["task"])), int(settings.get("seed", 0)))
        study.items()
        recount_references(study, findings)
        recount_scores(study, findings)
        recount_plan(study, findings)
