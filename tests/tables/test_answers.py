"""Tables of people's answers as markets write them."""

from collections.abc import Callable
from pathlib import Path

import pytest

import earmark as package
from earmark.tables.answers import AnswerColumns, read_answer_table
from earmark.task.progress import notes_to
from earmark.values.errors import InputError

Call = Callable[..., tuple[int, str, str]]
TAGS = (
    "WorkerId,AssignmentStatus,Input.clip,Input.title,Answer.tag\n"
    "A1,Approved,c1,x,dog\nB2,Approved,c1,x,dog\nC3,Rejected,c1,x,car\nA1,Approved,c2,x,car\n"
)
COLUMNS = "person=WorkerId,item=Input.clip,label=Answer.tag"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_market_s_table_is_reconciled_without_a_study(tmp_path: Path, earmark: Call) -> None:
    path = write(tmp_path / "tags.csv", TAGS)
    words = ("reconcile", "--answers", path, "--by", "majority", "--out", tmp_path / "out")
    code, out, err = earmark(*words, "--columns", COLUMNS)
    assert code == 0, err
    assert "2 items from 2 people" in out
    assert err == "tags.csv: 1 answer is left out (AssignmentStatus Rejected)\n"
    assert (tmp_path / "out" / "reference.csv").read_text().splitlines()[1:] == [
        "c1,dog,0.000000",
        "c2,car,0.000000",
    ]


def test_python_takes_the_same_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "tags.csv", TAGS)
    result = package.reconcile(path, by="majority", columns=COLUMNS)
    assert result.labels == {"c1": "dog", "c2": "car"}


def test_several_labels_in_one_answer_are_refused_by_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "who,what,tags\nann,c1,dog|car\n")
    with pytest.raises(InputError, match="an answer has one label here") as error:
        package.reconcile(path, columns="person=who,item=what,label=tags")
    assert f"{path}:2" in str(error.value)


def test_a_person_who_answers_twice_is_named_by_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "who,what,tag\nann,c1,dog\nann,c1,car\n")
    with pytest.raises(InputError, match="once") as error:
        package.reconcile(path, columns="person=who,item=what,label=tag")
    assert f"{path}:3" in str(error.value) and "also in line 2" in str(error.value)


def test_windows_answers_take_columns_and_urls(tmp_path: Path, earmark: Call) -> None:
    windows = "item,recording,start,end\n" + "".join(f"r@{n},r,{n},{n + 2}\n" for n in range(3))
    write(tmp_path / "w.csv", windows)
    rows = "".join(f"ann,https://x.org/c/r%40{n}.wav,dog\n" for n in range(3))
    path = write(tmp_path / "a.csv", "WorkerId,Input.url,Answer.tags\n" + rows)
    words = ("reconcile", "--task", "events", "--windows", tmp_path / "w.csv", "--answers", path)
    code, _, err = earmark(
        *words, "--by", "majority", "--columns", "labels=Answer.tags", "--out", tmp_path / "out"
    )
    assert code == 0, err
    events = (tmp_path / "out" / "events.tsv").read_text().splitlines()
    assert events[1] == "r\t0.0\t4.0\tdog"


def test_an_item_column_that_is_not_certain_is_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path / "tags.csv", TAGS)
    with pytest.raises(InputError, match="lacks a column") as error:
        read_answer_table(path, ("tag",))
    assert "--columns item=COLUMN" in str(error.value)


def test_seconds_are_taken_from_the_column_that_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "item,person,label,took\nc1,ann,dog,3.5\n")
    (row,) = read_answer_table(path, ("label",), AnswerColumns(columns="seconds=took"))
    assert row.seconds_taken == 3.5


def test_a_short_row_is_refused_unless_it_lacks_what_a_requester_fills_in(tmp_path: Path) -> None:
    header = "WorkerId,Input.item,Answer.label,Approve,Reject\n"
    (row,) = read_answer_table(write(tmp_path / "a.csv", header + "A1,c1,dog\n"), ("label",))
    assert row.cells == {"label": "dog"}
    with pytest.raises(InputError, match="one cell per column"):
        read_answer_table(write(tmp_path / "b.csv", header + "A1,c1\n"), ("label",))


def test_nothing_is_said_where_nothing_is_left_out(tmp_path: Path) -> None:
    notes: list[str] = []
    with notes_to(notes.append):
        read_answer_table(write(tmp_path / "a.csv", "item,person,label\nc,ann,x\n"), ("label",))
    assert notes == []


def test_a_column_of_labels_that_is_no_box_is_named_for_the_next_try(tmp_path: Path) -> None:
    path = tmp_path / "batch.csv"
    path.write_text("WorkerId,Input.audio_url,Answer.tags\nA1,a.wav,dog|car\n")
    with pytest.raises(InputError, match=r"--columns labels=Answer\.tags"):
        read_answer_table(path, ("labels",))


def test_answers_of_a_spreadsheet_are_read(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes("\ufeffItem;Person;Labels\r\na;ann;dog|car\r\n".encode())
    (row,) = read_answer_table(path, ("labels",))
    assert (row.item, row.person, row.cells) == ("a", "ann", {"labels": "dog|car"})
