"""The systems of a study on disk: a folder each, with outputs, cost, and the record of a run."""

from collections.abc import Mapping
from pathlib import Path

from earmark.files.json_text import read_json
from earmark.study.places import OUTPUTS
from earmark.study.record import measured_text, write_place
from earmark.study.writing import writing
from earmark.values.errors import InputError
from earmark.values.output import Cost
from earmark.values.pack import pack


def write_system(
    folder: Path, system: str, rows: str, cost: Cost, files: Mapping[str, str] | None = None
) -> None:
    """Write the outputs of a system and their cost, with the number of this run, together.

    Without `rows` there are no outputs, as of a submission that failed. `files` are further texts.
    """
    packed = pack(cost)
    with writing(folder, "run"):
        number = 1 + max(run_numbers(folder).values(), default=0)
        values = packed if isinstance(packed, dict) else {}
        texts = {
            **({"outputs.jsonl": rows} if rows else {}),
            "cost.json": measured_text({**values, "run": number}),
            **(files or {}),
        }
        named = {f"{system}/{name}": text for name, text in texts.items()}
        write_place(folder / OUTPUTS, named, drop=lambda name: name == system)


def run_numbers(folder: Path) -> dict[str, int]:
    """Return the count of the run that each system's outputs come from, the latest the highest."""
    costs = sorted((folder / OUTPUTS).glob("[!.]*/cost.json"))
    return {path.parent.name: _run_number(path) for path in costs}


def _run_number(path: Path) -> int:
    cost = read_json(path)
    number = cost.get("run", 0) if isinstance(cost, dict) else None
    if not isinstance(number, int):
        raise InputError("a cost must be one object with the count of its run", at=path, got=cost)
    return number
