"""Answers that people gave elsewhere."""

import json
from pathlib import Path

import pytest

from earmark.ask.imports import AnswerForm, match_units, read_rows
from earmark.ask.label_studio import labels_of_regions, spans_of_regions
from earmark.tables.answers import AnswerColumns, AnswerRow, split_labels
from earmark.task.progress import notes_to
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.span import Span

UNITS = (Item("r@0", "window"), Item("r@1", "window"))
TAGS = AnswerForm(("labels", "label"), "window")


def labels_in(row: AnswerRow) -> tuple[str, ...]:
    if row.regions is not None:
        return labels_of_regions(row.regions, at=row.at)
    return split_labels(row.cells.get("labels") or row.cells["label"])


LABEL_STUDIO = [
    {
        "data": {"item": "r@0"},
        "annotations": [
            {"completed_by": "ann", "result": [{"value": {"choices": ["dog", "siren"]}}]}
        ],
    },
    {
        "data": {"item": "r@1"},
        "annotations": [
            {
                "completed_by": {"id": 1, "email": "ann"},
                "lead_time": 9,
                "result": [{"value": {"choices": ["none"]}}],
            }
        ],
    },
]
FORMATS = {
    "plain.csv": "item,person,labels,seconds\nr@0,ann,dog|siren,\nr@1,ann,none,9\n",
    "one.csv": "item,person,labels,label,seconds\nr@0,ann,dog|siren,,\nr@1,ann,,none,9\n",
    "mturk.csv": (
        "HITId,WorkerId,WorkTimeInSeconds,Input.item,Answer.dog.on,Answer.siren.on,Answer.none.on\n"
        "h,ann,,r@0,true,true,false\nh,ann,9,r@1,false,false,true\n"
    ),
    "joined.csv": (
        "WorkerId,WorkTimeInSeconds,Input.item,Answer.labels\nann,,r@0,dog|siren\nann,9,r@1,none\n"
    ),
    "prolific.csv": "participant_id,item,labels,time_taken\nann,r@0,dog|siren,\nann,r@1,none,9\n",
    # what MTurk's page for requesters writes today: two more columns, which rows may lack
    "flat.csv": (
        "WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.item,Answer.labels.dog,"
        "Answer.labels.none,Answer.labels.siren,Approve,Reject\n"
        "ann,Submitted,,r@0,true,false,true\nann,Approved,9,r@1,false,true,false,,\n"
    ),
    "answers.csv": (
        "WorkerId,WorkTimeInSeconds,Input.item,Answer.taskAnswers\n"
        'ann,,r@0,"[{""labels"":{""dog"":true,""siren"":true,""none"":false}}]"\n'
        'ann,9,r@1,"[{""labels"":{""dog"":false,""none"":true}}]"\n'
    ),
    "pid.csv": "PROLIFIC_PID,item,labels,Time taken\nann,r@0,dog|siren,\nann,r@1,none,9\n",
    "studio.json": json.dumps(LABEL_STUDIO),
}


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FORMATS[name], encoding="utf-8")
    rows = [
        (row.item, row.person, labels_in(row), row.seconds_taken)
        for row in read_rows(path, UNITS, TAGS)
    ]
    assert rows == [("r@0", "ann", ("dog", "siren"), None), ("r@1", "ann", ("none",), 9)]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("WorkerId,Input.item,Answer.dog\nann,r@0,maybe\n", "must be ticked or not", 2),
        ("WorkerId,Input.item\nann,r@0\n", "needs a column with the answer", 2),
        ("item,person,labels,seconds\nr@0,ann,dog,soon\n", "seconds must be a number", 2),
        ("who,what\nann,dog\n", "plain, MTurk's, Prolific's or Label Studio's", 1),
    ],
)
def test_a_wrong_table_is_named_by_line(tmp_path: Path, text: str, problem: str, line: int) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem) as error:
        read_rows(path, UNITS, TAGS)
    assert f"{path}:{line}" in str(error.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "must be JSON"),
        ("{}", "a list of tasks"),
        ("[1]", "needs data"),
        ('[{"data": {}}]', "must name its item"),
        ('[{"data": {"item": "r@0"}, "annotations": [{}]}]', "who made it"),
    ],
)
def test_a_wrong_label_studio_export_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        read_rows(path, UNITS, TAGS)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_rejected_assignments_are_left_out_with_a_count(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.csv",
        "WorkerId,AssignmentStatus,Input.item,Answer.labels\nann,Approved,r@0,dog\n"
        "bob,Rejected,r@0,car\neve,Rejected,r@1,car\ndan,Submitted,r@1,car\n",
    )
    notes: list[str] = []
    with notes_to(notes.append):
        rows = read_rows(path, UNITS, TAGS)
    assert [row.person for row in rows] == ["ann", "dan"]
    assert notes == ["a.csv: 2 answers are left out (AssignmentStatus Rejected)"]


def test_what_prolific_took_back_is_left_out_with_a_count(tmp_path: Path) -> None:
    table = "Participant id,Status,item,labels\n"
    rows = "ann,APPROVED,r@0,dog\nbob,RETURNED,r@0,dog\neve,TIMED-OUT,r@1,car\n"
    notes: list[str] = []
    with notes_to(notes.append):
        read = read_rows(write(tmp_path / "a.csv", table + rows), UNITS, TAGS)
    assert [row.person for row in read] == ["ann"]
    assert notes == ["a.csv: 2 answers are left out (Status RETURNED, TIMED-OUT)"]


def test_a_file_of_rejected_answers_alone_is_refused(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.csv",
        "WorkerId,AssignmentStatus,Input.item,Answer.labels\nann,Rejected,r@0,dog\n",
    )
    with pytest.raises(InputError, match="at least one answer must count"):
        read_rows(path, UNITS, TAGS)


def test_annotations_that_were_skipped_are_left_out_with_a_count(tmp_path: Path) -> None:
    skipped = {"completed_by": 7, "was_cancelled": True, "result": []}
    tasks = [{**LABEL_STUDIO[0], "annotations": [*LABEL_STUDIO[0]["annotations"], skipped]}]
    notes: list[str] = []
    with notes_to(notes.append):
        rows = read_rows(write(tmp_path / "a.json", json.dumps(tasks)), UNITS, TAGS)
    assert [row.person for row in rows] == ["ann"]
    assert notes == ["a.json: 1 skipped annotations are left out (was_cancelled)"]


def test_columns_say_what_a_table_calls_things(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "who,clip,heard\nann,r@0,dog\n")
    options = AnswerColumns(columns="person=who, item=clip,labels=heard")
    (row,) = read_rows(path, UNITS, TAGS, options)
    assert (row.item, row.person, labels_in(row)) == ("r@0", "ann", ("dog",))


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ("person=who,item=clip,labels=head", "there is no column 'head'"),
        ("person=who,thing=clip", "there is no part of an answer 'thing'"),
        ("person", "columns are named as what=COLUMN"),
        ("person=who,person=clip", "has one column"),
        ("", "columns are named as what=COLUMN"),
    ],
)
def test_columns_that_are_not_there_are_refused(tmp_path: Path, columns: str, problem: str) -> None:
    path = write(tmp_path / "a.csv", "who,clip,heard\nann,r@0,dog\n")
    with pytest.raises(InputError, match=problem):
        read_rows(path, UNITS, TAGS, AnswerColumns(columns=columns))


@pytest.mark.parametrize(
    "name",
    [
        "r@1",
        "r@1.wav",
        "clips/r@1.flac",
        "https://example.org/clips/r@1.wav",
        "https://example.org/clips/r%401.wav?version=2",
    ],
)
def test_items_match_with_or_without_url_folder_and_extension(name: str) -> None:
    assert match_units([name], UNITS) == {name: "r@1"}


def test_a_url_with_times_names_the_window_that_starts_then() -> None:
    windows = [Item(f"r@{n}", "window", "/s/r.wav", span=Span(n, n + 10)) for n in range(3)]
    name = "https://example.org/r.wav#t=1,11"
    assert match_units([name], windows) == {name: "r@1"}
    assert match_units(["https://example.org/r.wav"], windows) == {}
    assert match_units(["https://example.org/r.wav#t=7,17"], windows) == {}


def test_the_input_column_that_names_the_windows_is_found(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.csv",
        "WorkerId,Input.title,Input.audio_url,Answer.labels\nann,A street,https://x.org/r@1.wav,dog\n",
    )
    (row,) = read_rows(path, UNITS, TAGS)
    assert row.item == "r@1"


def test_answers_about_something_else_are_counted_and_refused(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.csv", "item,person,labels\nr@0,ann,dog\nx.wav,ann,dog\nx.wav,bob,dog\n"
    )
    with pytest.raises(InputError, match="that was asked") as error:
        read_rows(path, UNITS, TAGS)
    assert f"{path}:3" in str(error.value)
    assert "1 window (x.wav) that nobody asked, in 2 of 3 answers" in str(error.value)


def test_a_span_may_count_an_emoji_as_two() -> None:
    text = "a 🐕 barks"
    region = {"type": "labels", "value": {"start": 5, "end": 10, "text": "barks"}}
    assert spans_of_regions([region], text, at="a") == [(4, 9)]
    region = {"type": "labels", "value": {"start": 4, "end": 9, "text": "barks"}}
    assert spans_of_regions([region], text, at="a") == [(4, 9)]
    region = {"type": "labels", "value": {"start": 0, "end": 3, "text": "cat"}}
    with pytest.raises(InputError, match="within the text"):
        spans_of_regions([region], text, at="a")
