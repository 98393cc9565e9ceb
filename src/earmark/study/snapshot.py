"""A study as it was when it was opened: every file is parsed at most once.

A verb takes one snapshot, reads everything through it, and writes its own place; the report's
pictures get the same snapshot as their read-only view.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from earmark.files import jsonl
from earmark.study.places import (
    ANSWERS,
    MATERIAL,
    OUTPUTS,
    PLAN,
    REFERENCES,
    SCORES,
    SETTINGS,
    TRUTH,
    output_files,
)
from earmark.study.reference_file import read_reference
from earmark.study.score_documents import (
    ItemValues,
    items_file,
    read_board,
    read_choices,
    read_item_values,
    read_people,
    read_plan,
    read_scores,
)
from earmark.study.settings import read_settings
from earmark.task.task import Task
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item
from earmark.values.output import Output
from earmark.values.pack import unpack
from earmark.values.reference import Reference
from earmark.values.span import Span

T = TypeVar("T")
Rows = Iterator[tuple[int, Any]]  # line number and value


class Snapshot:
    """What a study holds, read lazily and once."""

    def __init__(
        self, folder: Path, task: Task, seed: int, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.folder = folder
        self.task = task
        self.seed = seed
        self._parsed: dict[Path, Any] = {} if settings is None else {folder / SETTINGS: settings}
        self._kinds = (Item, Span, Answer, Output, *task.kinds, *task.posteriors)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name

    @property
    def material(self) -> Path:
        """Where items, truth and sound lie."""
        return self.folder / MATERIAL

    def settings(self) -> Mapping[str, Any]:
        """Return study.toml, parsed."""
        return self._once(self.folder / SETTINGS, lambda path: read_settings(path.parent))

    def items(self) -> tuple[Item, ...]:
        """Return the material, with absolute paths to its media."""
        path = self.material / "items.jsonl"
        if path not in self._parsed and not path.exists():
            raise StudyError(
                "there is no material yet",
                at=self.name,
                fix=f"earmark make {self.task.name} {self.name}",
            )
        return self._once(path, self._read_material)

    def truth(self) -> Reference[Any] | None:
        """Return what the maker knew, or None."""
        path = self.material / "truth.jsonl"
        return self._once(path, self._read_truth)

    def references(self) -> dict[str, Reference[Any]]:
        """Return every reference by name, the truth among them."""
        truth = self.truth()
        paths = self._once(self.folder / REFERENCES, lambda place: sorted(place.glob("*.jsonl")))
        named = {path.stem: self._once(path, self._read_reference) for path in paths}
        return {TRUTH: truth, **named} if truth else named

    def reference(self, name: str | None = None) -> Reference[Any]:
        """Return the reference of that name; by default the truth, or else the only one."""
        references = self.references()
        if name:
            return references[checks.one_of(name, references, what="reference", at=self.name)]
        if TRUTH in references:
            return references[TRUTH]
        if len(references) == 1:
            return next(iter(references.values()))
        raise StudyError(
            "several references are there; name one" if references else "there is no reference yet",
            at=self.name,
            want=", ".join(references) or None,
            fix="pass --against NAME" if references else f"earmark reconcile {self.name}",
        )

    def ballots(self) -> Ballots[Any] | None:
        """Return the unit questions and everybody's answers, or None before anyone was asked."""
        path = self.folder / ANSWERS / "answers.jsonl"
        return self._once(path, self._read_ballots)

    def answers(self) -> Ballots[Any]:
        """Return the ballots; raise StudyError, which says how to get them, if there are none."""
        ballots = self.ballots()
        if ballots is None or not ballots.answers:
            raise StudyError(
                "reconcile needs answers",
                at=self.name,
                fix=f"earmark ask {self.name} --simulate, or --import FILE",
            )
        return ballots

    def units(self) -> tuple[Item, ...]:
        """Return the unit questions; none before anyone was asked."""
        path = self.folder / ANSWERS / "units.jsonl"
        return self._once(path, lambda path: self._read_items(path) if path.exists() else ())

    def outputs(self) -> dict[str, dict[str, Output[Any]]]:
        """Return outputs by system and item."""
        paths = self._once(self.folder / OUTPUTS, lambda place: output_files(place.parent))
        return {path.parent.name: self._once(path, self._read_outputs) for path in paths}

    def scores(self) -> tuple[dict[str, Any], ...]:
        """Return the score files, one for each system and reference."""
        paths = self._once(self.folder / SCORES / "*--*.json", _matching)
        return tuple(self._once(path, read_scores) for path in paths)

    def boards(self) -> dict[str, dict[str, Any]]:
        """Return the board of each reference: metric to ranked rows."""
        paths = self._once(self.folder / SCORES / "board-*.json", _matching)
        named = {path.stem.removeprefix("board-"): path for path in paths if "--" not in path.stem}
        return {reference: self._once(path, read_board) for reference, path in named.items()}

    def item_values(self, reference: str) -> ItemValues:
        """Return system to metric to item to the item's own value; empty before scoring."""
        path = self.folder / SCORES / items_file(reference)
        return self._once(path, read_item_values)

    def people(self) -> dict[str, dict[str, Any]]:
        """Return people beside the systems, for each reference that they were scored against."""
        paths = self._once(self.folder / SCORES / "people-*.json", _matching)
        named = {path.stem.removeprefix("people-"): path for path in paths if "--" not in path.stem}
        return {name: self._once(path, read_people) for name, path in named.items()}

    def choices(self) -> dict[str, dict[str, Any]]:
        """Return the systems under every setting, for each reference that was scored so."""
        paths = self._once(self.folder / SCORES / "choices-*.json", _matching)
        named = {
            path.stem.removeprefix("choices-"): path for path in paths if "--" not in path.stem
        }
        return {name: self._once(path, read_choices) for name, path in named.items()}

    def planned(self) -> dict[str, Any] | None:
        """Return what `earmark plan` promised last, or None."""
        return self._once(self.folder / PLAN, read_plan)

    def relative(self, item: Item) -> Item:
        """Return the item as it is stored, its media relative to the material."""
        if not item.media or not Path(item.media).is_relative_to(self.material):
            return item
        return replace(item, media=str(Path(item.media).relative_to(self.material)))

    def _once(self, path: Path, read: Callable[[Path], T]) -> T:
        """Parse a file the first time that it is asked for; afterwards return the same result."""
        if path not in self._parsed:
            with _damage_explained(path):
                self._parsed[path] = read(path)
        parsed: T = self._parsed[path]
        return parsed

    def _read_material(self, path: Path) -> tuple[Item, ...]:
        """Return the items; raise StudyError if they were made for another task."""
        made_by, rows = jsonl.read_with_header(path)
        recipe = made_by.get("recipe")
        task = recipe.get("task") if isinstance(recipe, dict) else None
        if task is not None and task != self.task.name:
            raise StudyError(
                "a study keeps its task",
                at=self.folder / SETTINGS,
                got=self.task.name,
                want=f"{task}, for which the material was made",
                fix="put it back, or make the other study in a new folder",
            )
        return self._items(path, rows)

    def _read_items(self, path: Path) -> tuple[Item, ...]:
        return self._items(path, jsonl.read(path))

    def _items(self, path: Path, rows: Rows) -> tuple[Item, ...]:
        items = tuple(self._records(path, rows, Item, "an item"))
        checks.unique((item.id for item in items), at=str(path))
        return tuple(
            replace(item, media=str(self.material / item.media)) if item.media else item
            for item in items
        )

    def _read_truth(self, path: Path) -> Reference[Any] | None:
        return self._read_reference(path) if path.exists() else None

    def _read_reference(self, path: Path) -> Reference[Any]:
        return read_reference(path, self._unpack_value, self._unpack_posterior)

    def _read_ballots(self, path: Path) -> Ballots[Any] | None:
        units = self.units()
        if not path.exists() or not (path.parent / "units.jsonl").exists():
            return None
        answers = self._records(path, jsonl.read(path), Answer, "an answer")
        return Ballots(units, tuple(answers), self.items())

    def _read_outputs(self, path: Path) -> dict[str, Output[Any]]:
        outputs: dict[str, Output[Any]] = {}
        for line, row in jsonl.read(path):
            output = self._unpack(row, at=f"{path}:{line}")
            if not isinstance(output, Output) or output.item in outputs:
                raise InputError("every line must be one item's output", at=f"{path}:{line}")
            self._value(output.value, at=f"{path}:{line}")
            outputs[output.item] = output
        return outputs

    def _records(self, path: Path, rows: Rows, kind: type[T], what: str) -> Iterator[T]:
        for line, row in rows:
            record = self._unpack(row, at=f"{path}:{line}")
            if not isinstance(record, kind):
                raise InputError(f"every line must be {what}", at=f"{path}:{line}")
            if isinstance(record, Answer):
                self._value(record.value, at=f"{path}:{line}")
            yield record

    def _value(self, value: object, *, at: str) -> Any:
        """Return a value that is one of the task's records; raise InputError if it is another."""
        if not isinstance(value, self.task.kinds):
            names = ", ".join(kind.__name__ for kind in self.task.kinds)
            raise InputError("a value must be one of the task's", at=at, got=value, want=names)
        return value

    def _unpack_value(self, value: object, *, at: str) -> Any:
        return self._value(self._unpack(value, at=at), at=at)

    def _unpack_posterior(self, value: object, *, at: str) -> Any:
        """Return what values of an item are drawn from; raise InputError if it is no such thing."""
        posterior = self._unpack(value, at=at)
        if not isinstance(posterior, self.task.posteriors):
            names = ", ".join(kind.__name__ for kind in self.task.posteriors)
            raise InputError("a posterior must be one of the task's", at=at, want=names)
        return posterior

    def _unpack(self, value: object, *, at: str) -> Any:
        """Return a stored value as the record it was; errors say where it is."""
        try:
            return unpack(value, self._kinds)
        except InputError as error:
            raise InputError(str(error).partition("\n")[0], at=at) from error


@contextmanager
def _damage_explained(path: Path) -> Iterator[None]:
    """Name the file when what it holds is of another kind than what Earmark writes there."""
    try:
        yield
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            "a file of a study must be as Earmark wrote it",
            at=path,
            got=f"{type(error).__name__}: {error}",
            fix="restore the file, or call its verb again",
        ) from error


def _matching(pattern: Path) -> list[Path]:
    return sorted(pattern.parent.glob(pattern.name))
