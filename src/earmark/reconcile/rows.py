"""Reconcile answers that a Python caller hands over: rows in, named tables out."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.reconcile.ballots import Coded, code_rows
from earmark.reconcile.bare import COLUMNS, METHODS, read_answers
from earmark.reconcile.fit import FittedLabels
from earmark.tables.answers import AnswerColumns
from earmark.tables.given import RowForm, existing_path, is_path, text_of
from earmark.task.options import call_with
from earmark.values import checks
from earmark.values.errors import InputError

FORM = RowForm(
    COLUMNS,
    '[("clip1", "ann", "dog"), ...], or dicts or a DataFrame with item, person and label',
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReconciledLabels:
    """One label per item with its doubt, and how far each person is trusted.

    `reference` has rows of item, label and doubt; `people` of person, competence and answers.
    """

    by: str
    reference: tuple[dict[str, Any], ...]
    people: tuple[dict[str, Any], ...]

    @property
    def labels(self) -> dict[str, str]:
        """Item to label."""
        return {row["item"]: row["label"] for row in self.reference}

    @property
    def competence(self) -> dict[str, float]:
        """Person to competence."""
        return {row["person"]: row["competence"] for row in self.people}

    def __repr__(self) -> str:
        items, people = len(self.reference), len(self.people)
        return f"<ReconciledLabels by {self.by}: {items} items, {people} people>"


def reconcile_rows(
    answers: object,
    *,
    by: str = "mace",
    seed: int = 0,
    columns: str | None = None,
    **options: Any,
) -> ReconciledLabels:
    """Return one label per item, from (item, person, label) rows, a DataFrame, or a file's path.

    `by` is mace, majority or dawid-skene; `options` are that method's own. `columns` says which
    columns of a file hold what: "person=WorkerId,item=Input.audio_url,label=Answer.tag".

    Examples
    --------
    >>> rows = [("clip1", "ann", "dog"), ("clip1", "bob", "dog"), ("clip1", "eve", "car")]
    >>> reconcile_rows(rows, by="majority").labels
    {'clip1': 'dog'}
    """
    method = METHODS[checks.one_of(by, METHODS, what="way of reconciling")]
    if is_path(answers):
        coded = read_answers(
            existing_path(answers, right=FORM.right), AnswerColumns(columns=columns)
        )
    else:
        coded = _coded(answers)
    fit: FittedLabels = call_with(
        method, coded, seed=seed, options=options, what=f"reconciling by {by}"
    )
    counts = np.bincount(coded.person, minlength=len(coded.people)).tolist()
    chosen, doubt = fit.chosen().tolist(), fit.doubt().tolist()
    return ReconciledLabels(
        by,
        tuple(
            {"item": item, "label": coded.labels[label], "doubt": own}
            for item, label, own in zip(coded.items, chosen, doubt, strict=True)
        ),
        tuple(
            {"person": person, "competence": own, "answers": number}
            for person, own, number in zip(
                coded.people, fit.competence.tolist(), counts, strict=True
            )
        ),
    )


def _coded(answers: object) -> Coded:
    rows = []
    for place, cells in FORM.rows(answers, side="answers"):
        texts = [text_of(c, what=n, at=place) for n, c in zip(COLUMNS, cells, strict=True)]
        if not all(texts):
            raise InputError(
                "an answer needs an item, a person and a label", at=place, got=",".join(texts)
            )
        rows.append((texts[0], texts[1], texts[2]))
    return code_rows(rows)
