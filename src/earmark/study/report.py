"""The sixth verb: where the page of a study goes, and what it was made from."""

from pathlib import Path

from earmark.files.digest import file_digest
from earmark.files.folder import write_file
from earmark.files.jsonl import dump
from earmark.files.sums import SUMS
from earmark.study.places import (
    ANSWERS,
    MATERIAL,
    OUTPUTS,
    REFERENCES,
    REPORT,
    SCORES,
    header,
)
from earmark.study.record import write_place
from earmark.study.snapshot import Snapshot

ENDING = ".made-by.json"  # beside a page: what it was made from


def write(study: Snapshot, path: Path, page: str) -> None:
    """Write the page; in the place of reports, together with what it was made from."""
    place = (study.folder / REPORT).resolve()
    if path.resolve().parent != place:
        write_file(path, page)
        return
    lists = [f"{name}/{SUMS}" for name in (MATERIAL, ANSWERS, REFERENCES, OUTPUTS, SCORES)]
    inputs = {n: file_digest(study.folder / n) for n in lists if (study.folder / n).exists()}
    made_by = header("report", {"seed": study.seed}, inputs=inputs)
    text = dump({"made_by": made_by}) + "\n"
    write_place(study.folder / REPORT, {path.name: page, path.name + ENDING: text})
