"""Reconcile a bare file of answers, without a study: `item,person,label` in, a reference out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from earmark.files.folder import write_file
from earmark.reconcile import dawid_skene as ds
from earmark.reconcile import mace as mc
from earmark.reconcile import vote
from earmark.reconcile.ballots import Coded, TwiceError, code_rows, coded
from earmark.reconcile.fit import FittedLabels
from earmark.tables.answers import AnswerColumns, read_answer_table, split_labels
from earmark.tables.columns import read_columns
from earmark.tables.rows import open_table, write_table
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
    answers: Path,
    options: AnswerColumns = AnswerColumns(),
    *,
    by: str = "mace",
    how: Mapping[str, object],
    out: Path,
    seed: int = 0,
) -> dict[str, object]:
    """Write `reference.csv` (item,label,doubt) and `people.csv` (person,competence,answers).

    `by` names one of METHODS, `how` are that method's own options.
    """
    method = METHODS[checks.one_of(by, METHODS, what="way of reconciling")]
    coded_answers = read_answers(answers, options)
    fit = call_with(method, coded_answers, seed=seed, options=how, what=f"reconciling by {by}")
    tables = {
        "reference.csv": (("item", "label", "doubt"), _reference(coded_answers, fit)),
        "people.csv": (("person", "competence", "answers"), _people(coded_answers, fit)),
    }
    for name, (columns, rows) in tables.items():
        write_file(out / name, write_table(columns, rows))
    labels = np.bincount(coded_answers.label).tolist()
    return {
        "items": len(coded_answers.items),
        "people": len(coded_answers.people),
        "answers": coded_answers.answers,
        "labels": dict(zip(coded_answers.labels, labels, strict=True)),
    }


def read_answers(path: Path, options: AnswerColumns = AnswerColumns()) -> Coded:
    """Return the answers of a CSV or TSV file; raise InputError if a person answers twice.

    A crowd market's table, or one whose columns are named, is read row by row.
    """
    header, _ = open_table(path, columns=())
    if options.columns is not None or not set(COLUMNS) & set(header.names):
        return _read_market(path, options)
    table = read_columns(path, names=COLUMNS)
    if not table.rows:
        raise InputError("there must be at least one answer", at=path)
    columns = [table.names[name] for name in COLUMNS]
    empty = np.flatnonzero(np.any([column.holds([""]) for column in columns], axis=0))
    if len(empty):
        row = int(empty[0])
        raise InputError(
            "an answer needs an item, a person and a label",
            at=table.place(row),
            got=",".join(table.cells(row).values()),
            fix="fill the empty cell, or remove the row",
        )
    items, people, labels = columns
    joined = [name for name in labels.names if len(split_labels(name)) > 1]
    if joined:
        row = int(np.flatnonzero(labels.holds(joined))[0])
        raise _two_labels(joined[0], table.place(row))
    names = (items.names, people.names, labels.names)
    try:
        return coded(items.codes, people.codes, labels.codes, names=names)
    except TwiceError as error:
        first, again = table.places([error.first, error.again])
        person, item = people.codes[error.again], items.codes[error.again]
        who = f"{people.names[person]} about {items.names[item]}, also in line "
        raise TwiceError(error.first, error.again, again, who + first.rpartition(":")[2]) from None


def _two_labels(label: str, place: str) -> InputError:
    return InputError(
        "an answer has one label here",
        at=place,
        got=label,
        fix="several labels of windows of sound: --task events --windows FILE",
    )


def _read_market(path: Path, options: AnswerColumns) -> Coded:
    rows = read_answer_table(path, ("label", "labels"), options)
    triples, places = [], []
    for row in rows:
        label = (row.cells.get("label") or row.cells.get("labels", "")).strip()
        if not row.item or not row.person or not label:
            raise InputError(
                "an answer needs an item, a person and a label",
                at=row.at,
                got=f"{row.item},{row.person},{label}",
                fix="fill the empty cell, or remove the row",
            )
        if len(split_labels(label)) > 1:
            raise _two_labels(label, row.at)
        triples.append((row.item, row.person, label))
        places.append(row.at)
    if not triples:
        raise InputError("there must be at least one answer", at=path)
    try:
        return code_rows(triples)
    except TwiceError as error:
        who = f"{triples[error.again][1]} about {triples[error.again][0]}, also in line "
        first = places[error.first].rpartition(":")[2]
        raise TwiceError(error.first, error.again, places[error.again], who + first) from None


def _reference(answers: Coded, fit: FittedLabels) -> Iterator[dict[str, object]]:
    rows = zip(answers.items, fit.chosen().tolist(), fit.doubt().tolist(), strict=True)
    for item, label, doubt in rows:
        yield {"item": item, "label": answers.labels[label], "doubt": f"{doubt:.6f}"}


def _people(answers: Coded, fit: FittedLabels) -> Iterator[dict[str, object]]:
    counts = np.bincount(answers.person, minlength=len(answers.people)).tolist()
    for person, trust, n in zip(answers.people, fit.competence.tolist(), counts, strict=True):
        yield {"person": person, "competence": f"{trust:.6f}", "answers": n}
