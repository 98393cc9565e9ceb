"""Reconcile a bare file of answers, without a study: `item,person,label` in, a reference out."""

import csv
import io
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from earmark.files.folder import write_file
from earmark.reconcile import dawid_skene as ds
from earmark.reconcile import mace as mc
from earmark.reconcile import vote
from earmark.reconcile.ballots import Coded, Coder, TwiceError, coded
from earmark.reconcile.fit import FittedLabels
from earmark.task.options import call_with, option
from earmark.values import checks
from earmark.values.errors import InputError

COLUMNS = ("item", "person", "label")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileMaceOptions:
    """How MACE is fitted to a file of answers."""

    inference: Literal["vb", "em"] = option(
        "vb", "Variational with priors, or EM, which finds more and trusts more."
    )
    restarts: int = option(10, "Starts from other draws; the likeliest fit wins.")
    iterations: int = option(50, "Steps of each fit.")


def _mace(
    answers: Coded, options: FileMaceOptions = FileMaceOptions(), *, seed: int = 0
) -> FittedLabels:
    recipe = mc.MaceOptions(
        inference=options.inference, restarts=options.restarts, iterations=options.iterations
    )
    return mc.mace(answers, recipe, seed=seed)


def _majority(answers: Coded, *, seed: int = 0) -> FittedLabels:
    return vote.majority(answers)


def _dawid_skene(answers: Coded, *, seed: int = 0) -> FittedLabels:
    return ds.dawid_skene(answers)


METHODS: dict[str, Callable[..., FittedLabels]] = {
    "mace": _mace,
    "majority": _majority,
    "dawid-skene": _dawid_skene,
}


def reconcile_file(
    answers: Path, *, by: str = "mace", how: Mapping[str, object], out: Path, seed: int = 0
) -> dict[str, object]:
    """Write `reference.csv` (item,label,doubt) and `people.csv` (person,competence,answers).

    `by` names one of METHODS, `how` are that method's own options.
    """
    method = METHODS[checks.one_of(by, METHODS, what="way of reconciling")]
    given = read_answers(answers)
    fit = call_with(method, given, seed=seed, options=how, what=f"reconciling by {by}")
    write_file(out / "reference.csv", "".join(_reference(given, fit)))
    write_file(out / "people.csv", "".join(_people(given, fit)))
    return {
        "items": len(given.items),
        "people": len(given.people),
        "answers": given.answers,
        "labels": dict(zip(given.labels, np.bincount(given.label).tolist(), strict=True)),
    }


def read_answers(path: Path) -> Coded:
    """The answers of a CSV or TSV file, read line by line into integers; little memory is used."""
    coders = Coder(), Coder(), Coder()
    lines = array("i")
    for line, row in _rows(path):
        for coder, cell in zip(coders, row, strict=True):
            coder.add(cell)
        lines.append(line)
    if not lines:
        raise InputError("there must be at least one answer", at=path)
    (items, item), (people, person), (labels, label) = (coder.done() for coder in coders)
    try:
        return coded(item, person, label, names=(items, people, labels))
    except TwiceError as error:
        first, again = lines[error.first], lines[error.again]
        who = (
            f"{people[person[error.again]]} about {items[item[error.again]]}, also in line {first}"
        )
        raise TwiceError(error.first, error.again, f"{path}:{again}", who) from None


def _rows(path: Path) -> Iterator[tuple[int, tuple[str, str, str]]]:
    """Line number and the three cells of every row, checked."""
    try:
        stream = path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise InputError("the file cannot be read", at=path, got=error.strerror) from error
    with stream:
        first = stream.readline()
        rows = csv.reader(stream, delimiter="\t" if "\t" in first else ",")
        names = [name.strip() for name in next(csv.reader(io.StringIO(first.replace("\t", ","))))]
        if any(name not in names for name in COLUMNS):
            raise InputError(
                "the table lacks a column",
                at=f"{path}:1",
                got=", ".join(names),
                want=", ".join(COLUMNS),
            )
        a, b, c = (names.index(name) for name in COLUMNS)
        for row in rows:
            if not row:
                continue
            if len(row) != len(names):
                raise _bad_row(path, rows.line_num + 1, f"{len(row)} cells, want {len(names)}")
            cells = (row[a], row[b], row[c])
            if not all(cells):
                raise _bad_row(path, rows.line_num + 1, ",".join(row))
            yield rows.line_num + 1, cells


def _bad_row(path: Path, line: int, got: str) -> InputError:
    return InputError(
        "an answer needs an item, a person and a label",
        at=f"{path}:{line}",
        got=got,
        fix="fill the empty cell, or remove the row",
    )


def _reference(given: Coded, fit: FittedLabels) -> Iterator[str]:
    yield "item,label,doubt\n"
    chosen = [_cell(given.labels[k]) for k in range(len(given.labels))]
    rows = zip(given.items, fit.chosen().tolist(), fit.doubt().tolist(), strict=True)
    for item, label, doubt in rows:
        yield f"{_cell(item)},{chosen[label]},{doubt:.6f}\n"


def _people(given: Coded, fit: FittedLabels) -> Iterator[str]:
    yield "person,competence,answers\n"
    counts = np.bincount(given.person, minlength=len(given.people)).tolist()
    for person, trust, n in zip(given.people, fit.competence.tolist(), counts, strict=True):
        yield f"{_cell(person)},{trust:.6f},{n}\n"


def _cell(text: str) -> str:
    """The text as a CSV cell."""
    if not any(mark in text for mark in ',"\n\r'):
        return text
    return '"' + text.replace('"', '""') + '"'
