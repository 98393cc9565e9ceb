"""Answers that people gave elsewhere."""

import json
from pathlib import Path

import pytest

from earmark.ask.imports import read_rows
from earmark.values.errors import InputError

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
    "studio.json": json.dumps(LABEL_STUDIO),
}


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FORMATS[name], encoding="utf-8")
    rows = [(row.item, row.person, row.labels, row.seconds_taken) for row in read_rows(path)]
    assert rows == [("r@0", "ann", ("dog", "siren"), None), ("r@1", "ann", ("none",), 9)]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("WorkerId,Input.item,Answer.dog\nann,r@0,maybe\n", "must be ticked or not", 2),
        ("WorkerId,Input.item\nann,r@0\n", "needs an answer", 2),
        ("item,person,labels,seconds\nr@0,ann,dog,soon\n", "seconds must be a number", 2),
        ("who,what\nann,dog\n", "plain, MTurk's, Prolific's or Label Studio's", 1),
    ],
)
def test_a_wrong_table_is_named_by_line(tmp_path: Path, text: str, problem: str, line: int) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem) as error:
        list(read_rows(path))
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
        list(read_rows(path))
