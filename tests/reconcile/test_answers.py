"""Coded answers and bare files."""

from pathlib import Path

import numpy as np
import pytest

from earmark.reconcile.ballots import code_rows, coded
from earmark.reconcile.bare import read_answers, reconcile_file
from earmark.values.errors import InputError

ROWS = [
    ("a", "ann", "yes"), ("a", "bob", "yes"), ("a", "cem", "no"),
    ("b", "ann", "no"), ("b", "bob", "no"), ("b", "cem", "yes"),
    ("c", "ann", "yes"), ("c", "bob", "no"),
]  # fmt: skip


def test_names_are_coded_in_sorted_order_and_rows_by_item_then_person() -> None:
    answers = code_rows(reversed(ROWS))
    assert answers.items == ("a", "b", "c")
    assert answers.labels == ("no", "yes")
    assert answers.starts.tolist() == [0, 3, 6, 8]
    assert answers.person.tolist() == [0, 1, 2, 0, 1, 2, 0, 1]
    assert answers.votes().tolist() == [[1, 2], [2, 1], [1, 1]]
    assert answers.cells().tolist() == [[1, 2], [2, 1], [1, 1]]


def test_keeping_some_people_keeps_every_item() -> None:
    kept = code_rows(ROWS).only(np.array([False, False, True]))
    assert kept.items == ("a", "b", "c")
    assert kept.votes().tolist() == [[1, 0], [0, 1], [0, 0]]


def test_a_person_who_answers_twice_is_named_by_row() -> None:
    with pytest.raises(InputError, match="once"):
        code_rows([*ROWS, ("a", "ann", "no")])


def test_no_answers_are_no_reference() -> None:
    with pytest.raises(InputError, match="at least one answer"):
        code_rows([])
    with pytest.raises(InputError, match="at least one answer"):
        coded([], [], [], names=((), (), ()))


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("by", ["mace", "majority", "dawid-skene"])
def test_a_bare_file_becomes_a_reference_and_people(tmp_path: Path, by: str) -> None:
    path = write(tmp_path / "a.csv", "item,person,label", *(",".join(row) for row in ROWS))
    told = reconcile_file(path, by=by, how={}, out=tmp_path / "out")
    assert told["items"] == 3 and told["people"] == 3 and told["answers"] == 8
    reference = (tmp_path / "out" / "reference.csv").read_text(encoding="utf-8").splitlines()
    assert reference[0] == "item,label,doubt"
    assert [line.split(",")[:2] for line in reference[1:3]] == [["a", "yes"], ["b", "no"]]
    people = (tmp_path / "out" / "people.csv").read_text(encoding="utf-8").splitlines()
    assert people[0] == "person,competence,answers"
    assert people[3].endswith(",2")


def test_shuffled_rows_give_the_same_bytes(tmp_path: Path) -> None:
    for name, rows in (("a", ROWS), ("b", ROWS[::-1])):
        path = write(tmp_path / f"{name}.csv", "item,person,label", *map(",".join, rows))
        reconcile_file(path, how={}, out=tmp_path / name, seed=4)
    for file in ("reference.csv", "people.csv"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.parametrize(
    ("lines", "what", "where"),
    [
        (["item,person,label", "a,ann,yes", "a,ann,no"], "a person answers an item once", ":3"),
        (["item,person,label", "a,ann,yes", "b,,no"], "an item, a person and a label", ":3"),
        (["item,person,label", "a,ann"], "every row must have one cell", ":2"),
        (["item,person", "a,ann"], "the table lacks a column", ":1"),
        (["item,person,label"], "at least one answer", ".csv"),
    ],
)
def test_a_wrong_row_is_named_by_file_and_line(
    tmp_path: Path, lines: list[str], what: str, where: str
) -> None:
    path = write(tmp_path / "bad.csv", *lines)
    with pytest.raises(InputError, match=what) as error:
        read_answers(path)
    assert f"{path}{where}" in str(error.value) or where == ".csv"


def test_a_missing_file_and_an_unknown_method_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_answers(tmp_path / "none.csv")
    with pytest.raises(InputError, match="did you mean mace"):
        reconcile_file(tmp_path / "none.csv", by="mase", how={}, out=tmp_path)


def test_names_with_commas_survive(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "item,person,label", '"a,1",ann,yes', '"a,1",bob,no')
    reconcile_file(path, by="majority", how={}, out=tmp_path)
    assert '"a,1",no,1.000000' in (tmp_path / "reference.csv").read_text(encoding="utf-8")


def test_forty_thousand_labels_keep_their_numbers() -> None:
    labels = tuple(f"word {k}" for k in range(40_000))
    answers = coded([0, 1], [0, 0], [39_999, 3], names=(("a", "b"), ("ann",), labels))
    assert answers.label.tolist() == [39_999, 3]
    few = coded([0], [0], [3], names=(("a",), ("ann",), labels[:100]))
    assert few.label.dtype == np.int16
