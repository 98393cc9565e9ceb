"""Answers that people gave elsewhere: plain CSV, MTurk results, Label Studio and Prolific exports.

Each reader yields rows of item, person and labels; what the labels mean is decided by the task.
Nothing is skipped: a row that cannot be read is an error with file and line.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.files.json_text import read_json
from earmark.files.text import read_lines
from earmark.tables.rows import read_number, read_table
from earmark.values.errors import InputError

JOIN = "|"


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One person's answer to one item, as written in a file; `at` is file and line."""

    at: str
    item: str
    person: str
    labels: tuple[str, ...]
    seconds_taken: float | None = None


def read_rows(path: Path) -> Iterator[AnswerRow]:
    """Yield the rows of an answer file, whose format is recognised from its content.

    JSON is a Label Studio export; a table with `WorkerId` is an MTurk results file; one with
    `participant_id` or `Participant id` a Prolific export; one with `item,person` a plain file.
    """
    if path.suffix.lower() == ".json":
        return _label_studio(path)
    header = next(read_lines(path), "").rstrip("\r\n")
    names = [name.strip().strip('"') for name in header.split("\t" if "\t" in header else ",")]
    return _reader(names, path)(path)


def _reader(names: list[str], path: Path) -> Callable[[Path], Iterator[AnswerRow]]:
    if "WorkerId" in names:
        return _mturk
    if "participant_id" in names or "Participant id" in names:
        return _prolific
    if "person" in names or "item" in names:
        return _plain
    raise InputError(
        "an answer file must be plain, MTurk's, Prolific's or Label Studio's",
        at=f"{path}:1",
        got=", ".join(names),
        want="item,person,labels; or a column WorkerId or participant_id; or JSON",
    )


def split_labels(cell: str) -> tuple[str, ...]:
    """Return the labels that `|` joins; none for an empty cell, which is not the label `none`.

    Examples
    --------
    >>> split_labels("dog|siren"), split_labels("")
    (('dog', 'siren'), ())
    """
    return tuple(part.strip() for part in cell.split(JOIN)) if cell.strip() else ()


def _plain(path: Path) -> Iterator[AnswerRow]:
    columns = ("item", "person")
    for line, row in read_table(path, columns=columns, optional=("labels", "label", "seconds")):
        place = f"{path}:{line}"
        if "labels" not in row and "label" not in row:
            raise InputError("the table lacks a column", at=f"{path}:1", want="labels or label")
        cell = row["labels"] or row["label"]
        yield AnswerRow(
            place, row["item"], row["person"], split_labels(cell), _seconds(row["seconds"], place)
        )


def _seconds(cell: str, at: str) -> float | None:
    return read_number(cell, what="seconds", at=at) if cell.strip() else None


def _mturk(path: Path) -> Iterator[AnswerRow]:
    """Read `WorkerId`, `Input.item` and `Answer.labels`, or one `Answer.<label>` box per label."""
    for line, row in read_table(path, columns=("WorkerId", "Input.item")):
        place = f"{path}:{line}"
        if "Answer.labels" in row:
            labels = split_labels(row["Answer.labels"])
        else:
            labels = tuple(_ticked(row, place))
        seconds = _seconds(row.get("WorkTimeInSeconds", ""), place)
        yield AnswerRow(place, row["Input.item"], row["WorkerId"], labels, seconds)


def _ticked(row: dict[str, str], at: str) -> Iterator[str]:
    boxes = {name: cell for name, cell in row.items() if name.startswith("Answer.")}
    if not boxes:
        raise InputError("an MTurk result needs an answer", at=at, want="a column Answer.labels")
    for name, cell in boxes.items():
        if cell.strip().lower() in {"true", "on", "1", "yes"}:
            yield name.removeprefix("Answer.").removesuffix(".on")
        elif cell.strip().lower() not in {"", "false", "off", "0", "no"}:
            raise InputError("a box must be ticked or not", at=at, got=f"{name} = {cell}")


def _prolific(path: Path) -> Iterator[AnswerRow]:
    """Read a survey's export: one row per answer, with the participant's id, `item`, `labels`."""
    for line, row in read_table(path, columns=("item", "labels"), optional=("time_taken",)):
        place = f"{path}:{line}"
        person = row.get("participant_id") or row.get("Participant id") or ""
        seconds = _seconds(row["time_taken"], place)
        yield AnswerRow(place, row["item"], person, split_labels(row["labels"]), seconds)


def _label_studio(path: Path) -> Iterator[AnswerRow]:
    """Read tasks with `data.item` and `annotations`, each with `completed_by` and `choices`."""
    tasks = read_json(path, what="a Label Studio export must be JSON")
    if not isinstance(tasks, list):
        raise InputError("a Label Studio export must be a list of tasks", at=path, got=type(tasks))
    for number, task in enumerate(tasks, start=1):
        yield from _one_task(task, f"{path}, task {number}")


def _one_task(task: object, at: str) -> Iterator[AnswerRow]:
    if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
        raise InputError("a Label Studio task needs data", at=at, want='{"data": {"item": ...}}')
    item = task["data"].get("item")
    if not item:
        raise InputError("a Label Studio task must name its item", at=at, want="data.item")
    for annotation in _objects(task, "annotations", at):
        person = annotation.get("completed_by")
        name = person.get("email") if isinstance(person, dict) else person
        if name is None:
            raise InputError("an annotation must say who made it", at=at, want="completed_by")
        labels = tuple(c for one in _objects(annotation, "result", at) for c in _choices(one, at))
        lead = annotation.get("lead_time")
        seconds = None if lead is None else read_number(str(lead), what="lead_time", at=at)
        yield AnswerRow(at, str(item), str(name), labels, seconds)


def _objects(record: dict[str, Any], name: str, at: str) -> list[dict[str, Any]]:
    """Return the objects that a record lists under a name; none if it lacks the name."""
    rows = record.get(name, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{name} must be a list of objects", at=at, got=rows)
    return rows


def _choices(result: dict[str, Any], at: str) -> list[str]:
    value = result.get("value", {})
    choices = value.get("choices", []) if isinstance(value, dict) else None
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise InputError("choices must be a list of texts", at=at, got=value)
    return choices
