"""Labels and scores of words as Python callers give them: by item, rows, or paths."""

from collections.abc import Iterator, Mapping
from numbers import Real
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.tables.given import RowForm, existing_path, is_path, listed
from earmark.task.task import Pairing
from earmark.tasks.context.files import read_truth
from earmark.tasks.context.values import Flags, Scores, Swaps
from earmark.values import checks
from earmark.values.errors import InputError

LABELS = RowForm(
    ("id", "labels"),
    '{"a": [0, 1, 0]}, one 0 or 1 per word; rows ("a", [0, 1, 0]); dicts or a DataFrame with id '
    "and labels; or a path",
    {"item": "id"},
)
SCORES = RowForm(
    ("id", "scores"),
    '{"a": [0.1, 0.9, 0.2]}, one score per word; rows ("a", [0.1, 0.9, 0.2]); dicts or a DataFrame '
    "with id, scores and if you have them threshold and surprise; or a path",
    {"item": "id"},
    ("threshold", "surprise"),
)
Cells = tuple[str, list[Any]]


def given(reference: object, output: object) -> tuple[tuple[Any, ...], Any]:
    """Return two paths as they are; for anything else, the two sides paired."""
    if output is None:
        raise InputError("context is measured against a system's scores", want=SCORES.right)
    if is_path(reference) and is_path(output):
        return (existing_path(reference, right=LABELS.right),), existing_path(
            output, right=SCORES.right
        )
    truth = _truth(reference)
    scores = checks.renamed(_scores(output), truth)
    for name in checks.same_items(truth, scores):
        if truth[name].length != scores[name].length:
            raise InputError(
                "there must be one score for every token",
                at=f"item {name}",
                got=f"{scores[name].length} scores, {truth[name].length} labels",
            )
    return (), Pairing(truth, scores, _name(reference), _name(output))


def _name(side: object) -> str:
    return Path(str(side)).stem if is_path(side) else "given"


def _truth(value: object) -> dict[str, Swaps | Flags]:
    if is_path(value):
        return read_truth(existing_path(value, right=LABELS.right))
    truth: dict[str, Swaps | Flags] = {}
    for place, (name, labels) in _rows(value, LABELS, "the reference"):
        _refuse_twice(name, truth, place)
        truth[str(name)] = labels if isinstance(labels, Swaps | Flags) else _flags(labels, place)
    return truth


def _flags(labels: object, place: str) -> Flags:
    marks = listed(labels)
    if not marks or not all(mark in (0, 1) for mark in marks):
        raise InputError(
            "labels are 0 or 1 per word", at=place, got=repr(labels), want=LABELS.right
        )
    return Flags(len(marks), frozenset(k for k, mark in enumerate(marks) if mark))


def _scores(value: object) -> dict[str, Scores]:
    if is_path(value):
        rows: object = [row for _, row in jsonl.read(existing_path(value, right=SCORES.right))]
    else:
        rows = value
    scores: dict[str, Scores] = {}
    for place, (name, own, threshold, surprise) in _rows(rows, SCORES, "the output"):
        _refuse_twice(name, scores, place)
        if isinstance(own, Scores):
            scores[str(name)] = own
            continue
        surprisals = None if surprise is None else tuple(_numbers(surprise, place))
        scores[str(name)] = Scores(tuple(_numbers(own, place)), threshold, surprisals)
    return scores


def _numbers(value: object, place: str) -> Iterator[float]:
    numbers = listed(value)
    if not numbers or not all(isinstance(n, Real) and not isinstance(n, bool) for n in numbers):
        raise InputError(
            "scores are numbers, one per word", at=place, got=repr(value), want=SCORES.right
        )
    yield from map(float, numbers)


def _rows(value: object, form: RowForm, side: str) -> Iterator[Cells]:
    """Yield place and cells; a mapping of item to values is as good as rows."""
    if not isinstance(value, Mapping):
        yield from form.rows(value, side=side)
        return
    for name, own in value.items():
        yield f"{side}, item {name}", [name, own, *[None] * len(form.optional)]


def _refuse_twice(name: object, known: Mapping[str, object], place: str) -> None:
    if not isinstance(name, str | int):
        raise InputError("every row must name its item", at=place, got=repr(name))
    if str(name) in known:
        raise InputError("an item must appear once", at=place, got=name)
