"""Which files of a study were made from something that has changed since."""

from collections.abc import Iterator
from pathlib import Path

from earmark.files import jsonl
from earmark.files.digest import file_digest
from earmark.study.places import ANSWERS, REFERENCES, REPORT, output_files
from earmark.study.report import ENDING
from earmark.task.task import Json


def stale(folder: Path) -> list[Json]:
    """Return the files that were made from inputs that have changed since, and which those are."""
    return [problem for path in recorded_files(folder) if (problem := stale_file(folder, path))]


def recorded_files(folder: Path) -> Iterator[Path]:
    """Yield the files that say what they were made from."""
    yield from sorted((folder / ANSWERS).glob("units.jsonl"))
    yield from sorted((folder / REFERENCES).glob("*.jsonl"))
    yield from output_files(folder)
    yield from sorted((folder / REPORT).glob(f"*{ENDING}"))


def stale_file(folder: Path, path: Path) -> Json | None:
    """Return what is stale about a file, or None."""
    recorded = jsonl.header(path).get("inputs", {})
    changes = [
        f"{name} ({recorded[name]} then, {now} now)"
        for name in sorted(recorded)
        if recorded[name] != (now := _digest(folder / name))
    ]
    if not changes:
        return None
    file = str(path.relative_to(folder)).removesuffix(ENDING)
    return {"file": file, "problem": f"was made from something that changed: {', '.join(changes)}"}


def _digest(path: Path) -> str:
    return file_digest(path) if path.exists() else "gone"
