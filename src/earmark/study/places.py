"""The six numbered places of a study folder: their names, and how their files are written."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from earmark import __version__
from earmark.files import jsonl
from earmark.files.digest import file_digest
from earmark.files.folder import write_file
from earmark.files.sums import SUMS
from earmark.values.errors import InputError
from earmark.values.pack import pack
from earmark.values.reference import Reference

MATERIAL = "1-material"
ANSWERS = "2-answers"
REFERENCES = "3-references"
OUTPUTS = "4-outputs"
SCORES = "5-scores"
REPORT = "6-report"
PLACES = (MATERIAL, ANSWERS, REFERENCES, OUTPUTS, SCORES, REPORT)
SETTINGS = "study.toml"
PLAN = "plan.json"  # what `earmark plan` promised; beside the places, as it belongs to no verb
LOCK = ".lock"  # there while a verb writes; says which, and since when
TRUTH = "truth"

# What a later verb is made from: a change of these files makes its results stale.
INPUT_FILES = {
    MATERIAL: ("items.jsonl", "truth.jsonl", SUMS),
    ANSWERS: ("units.jsonl", "answers.jsonl"),
}


def header(verb: str, recipe: Mapping[str, object], **more: object) -> dict[str, object]:
    """Return the first line of a file: version, verb and recipe; paths by their names only."""
    plain = {name: _plain(value) for name, value in recipe.items()}
    return {"earmark": __version__, "verb": verb, "recipe": plain, **more}


def _plain(value: object) -> object:
    if isinstance(value, Path):
        return value.name
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return pack(value)


def packed_lines(made_by: Mapping[str, object], values: Iterable[object]) -> str:
    """Return the text of a JSONL file."""
    return jsonl.lines(made_by, (pack(value) for value in values))


def write_lines(path: Path, made_by: Mapping[str, object], values: Iterable[object]) -> None:
    """Write a JSONL file, whole or not at all."""
    write_file(path, packed_lines(made_by, values))


def reference_rows(reference: Reference[Any]) -> Iterator[dict[str, object]]:
    """Yield the lines of a reference file: items first, then people."""
    for item in sorted(reference.values):
        row = {"item": item, "value": reference.values[item]}
        if item in reference.doubt:
            row["doubt"] = reference.doubt[item]
        if item in reference.posterior:
            row["posterior"] = reference.posterior[item]
        yield row
    for person in sorted(reference.people):
        yield {"person": person, "competence": reference.people[person]}


def input_digests(folder: Path, *places: str) -> dict[str, str]:
    """Return the digests of the files of these places that later verbs are made from."""
    return {
        f"{place}/{name}": file_digest(path)
        for place in places
        for name in INPUT_FILES[place]
        if (path := folder / place / name).exists()
    }


def output_files(folder: Path) -> list[Path]:
    """Return the outputs of every system; folders that a run has not finished are hidden."""
    return sorted((folder / OUTPUTS).glob("[!.]*/outputs.jsonl"))


def file_name(name: str) -> str:
    """Return the name if it can be a file's; raise InputError if not.

    Two hyphens in a row are reserved: they part system and reference in the names of score files.
    """
    if not re.fullmatch(r"[\w][\w .+=@-]*", name) or "--" in name:
        raise InputError(
            "a name must consist of letters, digits, blanks and . + = @ _ -",
            got=name,
            fix="choose another with --name",
        )
    return name
