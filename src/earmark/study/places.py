"""The six numbered places of a study folder: what lies where, read and written whole."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from earmark import __version__
from earmark.files import jsonl
from earmark.files.folder import write_file
from earmark.files.text import read_text
from earmark.task.task import Task
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.pack import pack, unpack
from earmark.values.reference import Reference
from earmark.values.span import Span

MATERIAL, ANSWERS, REFERENCES, OUTPUTS, SCORES, REPORT = (
    "1-material",
    "2-answers",
    "3-references",
    "4-outputs",
    "5-scores",
    "6-report",
)
TRUTH = "truth"


@dataclass(frozen=True)
class Places:
    """What a study keeps, by place. Reading is lazy; a verb writes its own place only."""

    folder: Path
    task: Task

    @property
    def material(self) -> Path:
        """Where items, truth and sound lie."""
        return self.folder / MATERIAL

    def items(self) -> tuple[Item, ...]:
        """The material, with absolute paths to its media."""
        path = self.material / "items.jsonl"
        if not path.exists():
            raise StudyError(
                "there is no material yet",
                at=self.folder.name,
                fix=f"earmark make {self.task.name} {self.folder.name}",
            )
        return tuple(self._absolute(item) for item in self._read_items(path))

    def _absolute(self, item: Item) -> Item:
        return replace(item, media=str(self.material / item.media)) if item.media else item

    def _read_items(self, path: Path) -> Iterator[Item]:
        ids = []
        for line, value in jsonl.read(path):
            item = self.unpack(value, at=f"{path}:{line}")
            if not isinstance(item, Item):
                raise InputError("every line must be an item", at=f"{path}:{line}")
            ids.append(item.id)
            yield item
        checks.unique(ids, at=str(path))

    def truth(self) -> Reference[Any] | None:
        """What the maker knew, or None."""
        path = self.material / "truth.jsonl"
        return self._read_reference(path, TRUTH) if path.exists() else None

    def references(self) -> dict[str, Reference[Any]]:
        """Every reference by name, the truth among them."""
        truth = self.truth()
        found = {TRUTH: truth} if truth else {}
        for path in sorted((self.folder / REFERENCES).glob("*.jsonl")):
            found[path.stem] = self._read_reference(path, path.stem)
        return found

    def _read_reference(self, path: Path, name: str) -> Reference[Any]:
        values: dict[str, Any] = {}
        doubt: dict[str, float] = {}
        people: dict[str, float] = {}
        for line, row in jsonl.read(path):
            if "person" in row:
                people[row["person"]] = row["competence"]
                continue
            if row["item"] in values:
                raise InputError(
                    "an item stands once in a reference", at=f"{path}:{line}", got=row["item"]
                )
            values[row["item"]] = self.unpack(row["value"], at=f"{path}:{line}")
            if row.get("doubt") is not None:
                doubt[row["item"]] = row["doubt"]
        return Reference(name, values, doubt, people, jsonl.header(path))

    def ballots(self) -> Ballots[Any] | None:
        """The unit questions and everybody's answers, or None before anyone was asked."""
        units = self.folder / ANSWERS / "units.jsonl"
        answers = self.folder / ANSWERS / "answers.jsonl"
        if not units.exists() or not answers.exists():
            return None
        return Ballots(self.units(), tuple(self._read_answers(answers)), self.items())

    def units(self) -> tuple[Item, ...]:
        """The unit questions."""
        path = self.folder / ANSWERS / "units.jsonl"
        if not path.exists():
            return ()
        return tuple(self._absolute(item) for item in self._read_items(path))

    def _read_answers(self, path: Path) -> Iterator[Answer[Any]]:
        for line, row in jsonl.read(path):
            value = self.unpack(row, at=f"{path}:{line}")
            if not isinstance(value, Answer):
                raise InputError("every line must be an answer", at=f"{path}:{line}")
            yield value

    def outputs(self) -> dict[str, dict[str, Output[Any]]]:
        """System to item to output."""
        folders = sorted((self.folder / OUTPUTS).glob("*/outputs.jsonl"))
        return {path.parent.name: self._read_outputs(path) for path in folders}

    def _read_outputs(self, path: Path) -> dict[str, Output[Any]]:
        found: dict[str, Output[Any]] = {}
        for line, row in jsonl.read(path):
            value = self.unpack(row, at=f"{path}:{line}")
            if not isinstance(value, Output) or value.item in found:
                raise InputError("every line must be one item's output", at=f"{path}:{line}")
            found[value.item] = value
        return found

    def scores(self) -> tuple[dict[str, Any], ...]:
        """The score files, one for each system and reference."""
        paths = sorted((self.folder / SCORES).glob("*--*.json"))
        return tuple(json.loads(read_text(path)) for path in paths)

    def boards(self) -> dict[str, dict[str, Any]]:
        """Reference to its board: metric to ranked rows."""
        paths = sorted((self.folder / SCORES).glob("board-*.json"))
        return {path.stem.removeprefix("board-"): json.loads(read_text(path)) for path in paths}

    def unpack(self, value: object, *, at: str) -> Any:
        """A stored value as the record it was; errors say where it stands."""
        try:
            return unpack(value, self._kinds)
        except InputError as error:
            raise InputError(str(error).partition("\n")[0], at=at) from error

    @cached_property
    def _kinds(self) -> tuple[type, ...]:
        return (Item, Span, Answer, Output, *self.task.kinds)

    def relative(self, item: Item) -> Item:
        """The item as it is stored, its media relative to the material."""
        if not item.media or not Path(item.media).is_relative_to(self.material):
            return item
        return replace(item, media=str(Path(item.media).relative_to(self.material)))


def header(verb: str, recipe: Mapping[str, object], **more: object) -> dict[str, object]:
    """What made a file: version, verb and recipe; paths by their names only."""
    plain = {name: _plain(value) for name, value in recipe.items()}
    return {"earmark": __version__, "verb": verb, "recipe": plain, **more}


def _plain(value: object) -> object:
    if isinstance(value, Path):
        return value.name
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return pack(value)


def write_lines(path: Path, made_by: Mapping[str, object], values: Iterable[object]) -> None:
    """A JSONL file, whole or not at all."""
    write_file(path, jsonl.lines(made_by, (pack(value) for value in values)))


def reference_rows(reference: Reference[Any]) -> Iterator[dict[str, object]]:
    """A reference as lines: items, then people."""
    for item in sorted(reference.values):
        row = {"item": item, "value": reference.values[item]}
        if item in reference.doubt:
            row["doubt"] = reference.doubt[item]
        yield row
    for person in sorted(reference.people):
        yield {"person": person, "competence": reference.people[person]}


def read_settings(folder: Path) -> dict[str, Any]:
    """study.toml, parsed."""
    path = folder / "study.toml"
    if not path.exists():
        raise StudyError(
            "there is no study in this folder", at=folder, fix="make one: earmark make TASK STUDY"
        )
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError("study.toml must be TOML", at=path, got=error) from error
