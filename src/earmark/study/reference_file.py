"""How the file of a reference is read: a line per item, then a line per person."""

from pathlib import Path
from typing import Any, Protocol

from earmark.files import jsonl
from earmark.values.errors import InputError
from earmark.values.reference import Posterior, Reference


class Unpack(Protocol):
    """Turn what a file holds into the record that it was; errors say where it is."""

    def __call__(self, value: object, *, at: str) -> Any:
        """Return the record."""
        ...


def read_reference(path: Path, value: Unpack, posterior: Unpack) -> Reference[Any]:
    """Return the reference of a file; lines without a posterior are as good as those with one."""
    values: dict[str, Any] = {}
    doubt: dict[str, float] = {}
    people: dict[str, float] = {}
    posteriors: dict[str, Posterior] = {}
    made_by, rows = jsonl.read_with_header(path)
    for line, row in rows:
        place = f"{path}:{line}"
        if "person" in row:
            people[row["person"]] = row["competence"]
            continue
        item = row["item"]
        if item in values:
            raise InputError("an item must appear once in a reference", at=place, got=item)
        values[item] = value(row["value"], at=place)
        if row.get("doubt") is not None:
            doubt[item] = row["doubt"]
        if row.get("posterior") is not None:
            posteriors[item] = posterior(row["posterior"], at=place)
    return Reference(path.stem, values, doubt, people, made_by, posteriors)
