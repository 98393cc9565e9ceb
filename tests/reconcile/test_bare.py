"""Answers without a study: a table in, a reference and its people out."""

import csv
import random
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., tuple[int, str, str]]
ANSWERS = [
    ("a", "ann", "yes"), ("a", "bob", "yes"), ("a", "cem", "no"),
    ("b", "ann", "no"), ("b", "bob", "no"), ("b", "cem", "yes"),
    ("c", "ann", "yes"), ("c", "bob", "yes"), ("c", "cem", "yes"),
]  # fmt: skip


def write(path: Path, rows: list[tuple[str, str, str]]) -> Path:
    path.write_text("item,person,label\n" + "".join(",".join(row) + "\n" for row in rows))
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


@pytest.mark.parametrize("by", ["mace", "majority", "dawid-skene"])
def test_two_who_agree_outvote_one_who_does_not(tmp_path: Path, earmark: Call, by: str) -> None:
    path = write(tmp_path / "answers.csv", ANSWERS)
    code, _, err = earmark("reconcile", "--answers", path, "--by", by, "--out", tmp_path / "out")
    assert code == 0, err
    rows = rows_of(tmp_path / "out" / "reference.csv")
    assert [(row["item"], row["label"]) for row in rows] == [
        ("a", "yes"),
        ("b", "no"),
        ("c", "yes"),
    ]
    people = rows_of(tmp_path / "out" / "people.csv")
    assert [(row["person"], row["answers"]) for row in people] == [
        *(("ann", "3"), ("bob", "3"), ("cem", "3")),
    ]


def test_the_order_of_rows_does_not_matter(tmp_path: Path, earmark: Call) -> None:
    shuffled = random.Random(3).sample(ANSWERS, len(ANSWERS))
    for name, rows in (("one", ANSWERS), ("two", shuffled)):
        path = write(tmp_path / f"{name}.csv", rows)
        assert earmark("reconcile", "--answers", path, "--out", tmp_path / name)[0] == 0
    for file in ("reference.csv", "people.csv"):
        assert (tmp_path / "one" / file).read_text() == (tmp_path / "two" / file).read_text()


def test_what_is_missing_is_said(tmp_path: Path, earmark: Call) -> None:
    path = write(tmp_path / "answers.csv", ANSWERS)
    assert "pass --out DIR" in earmark("reconcile", "--answers", path)[2]
    assert "earmark reconcile STUDY, or --answers FILE" in earmark("reconcile")[2]
    code, _, err = earmark("reconcile", "--answers", path, "--task", "events", "--out", tmp_path)
    assert code == 2 and "pass --windows FILE" in err
    twice = write(tmp_path / "twice.csv", [*ANSWERS, ("a", "ann", "no")])
    code, _, err = earmark("reconcile", "--answers", twice, "--out", tmp_path / "out")
    assert code == 2 and "twice.csv:11" in err


@pytest.mark.shared
def test_rte_is_reconciled_as_well_as_by_its_authors(
    shared: Path, tmp_path: Path, earmark: Call
) -> None:
    """Their Java program gets .92625 on these 800 items."""
    table = list(csv.reader((shared / "data/events/mace_rte.csv").read_text().splitlines()))
    rows = [
        (f"{item:04d}", f"p{person}", label)
        for item, row in enumerate(table)
        for person, label in enumerate(row)
        if label
    ]
    path = write(tmp_path / "rte.csv", rows)
    assert earmark("reconcile", "--answers", path, "--by", "mace", "--out", tmp_path / "o")[0] == 0
    found = [row["label"] for row in rows_of(tmp_path / "o" / "reference.csv")]
    key = (shared / "data" / "events" / "mace_rte.key").read_text().split()
    right = sum(a == b for a, b in zip(key, found, strict=True))
    assert right / len(key) >= 0.926


def test_blank_lines_between_answers_are_passed_over(tmp_path: Path, earmark: Call) -> None:
    path = write(tmp_path / "answers.csv", ANSWERS)
    path.write_text(path.read_text().replace("b,ann", "\nb,ann"))
    assert earmark("reconcile", "--answers", path, "--out", tmp_path / "out")[0] == 0
    assert len(rows_of(tmp_path / "out" / "reference.csv")) == 3


def test_the_labels_are_told_with_their_counts_so_that_a_misspelling_is_seen(
    tmp_path: Path, earmark: Call
) -> None:
    path = write(tmp_path / "answers.csv", [*ANSWERS, ("d", "ann", "yse")])
    words = ("reconcile", "--answers", path, "--by", "majority", "--out", tmp_path / "out")
    assert earmark(*words)[1].endswith("labels as given: yes 6, no 3, yse 1\n")


def test_labels_of_windows_are_told_too_and_a_list_refuses_others(
    tmp_path: Path, earmark: Call
) -> None:
    windows, answers = tmp_path / "w.csv", tmp_path / "a.csv"
    windows.write_text("item,recording,start,end\nw,r,0,10\nx,r,1,11\n")
    answers.write_text("item,person,labels\nw,ann,dog|cat\nw,bob,none\nx,ann,dgo\n")
    words = ("reconcile", "--answers", answers, "--task", "events", "--windows", windows)
    union = (*words, "--by", "union", "--out", tmp_path / "out")
    assert "labels as given: cat 1, dgo 1, dog 1, none 1\n" in earmark(*union)[1]
    code, _, err = earmark(*union, "--labels", "dog", "--labels", "cat")
    assert code == 2 and f"at:   {answers}:4" in err and "did you mean dog?" in err
