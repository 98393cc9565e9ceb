"""The question about a window: what it shows, and which answers it takes."""

import base64
import io
import json
from pathlib import Path

import numpy as np
import pytest
import soundfile
from tests.tasks.events.crowds import recording

from earmark.ask.batch import batches
from earmark.task.task import Json
from earmark.tasks.events.ask import question as ask
from earmark.tasks.events.values import Tags
from earmark.values.errors import InputError
from earmark.values.item import Item


def test_three_minutes_give_171_windows_in_25_batches() -> None:
    units = list(ask.windows([recording(180.0)]))
    assert len(units) == 171
    assert len(batches(units)) == 25
    assert len(batches(units, counted_from="start")) == 15
    for batch in batches(units):
        starts = [span.start for k in batch if (span := units[k].span)]
        assert np.diff(starts).min(initial=99) >= 25


def test_other_windows_and_hops_change_the_units() -> None:
    half = ask.WindowSizeOptions(window=5.0, hop=2.5)
    assert len(list(ask.windows([recording(20.0)], half))) == 7
    assert len(list(ask.windows([recording(20.0)], ask.WindowSizeOptions(window=5.0)))) == 16
    with pytest.raises(InputError, match="at least one window long"):
        list(ask.windows([recording(5.0)]))


def test_the_question_shows_labels_descriptions_and_four_examples_of_each() -> None:
    item = Item("r", "recording", details={"seconds": 12, "labels": ["siren", "car_horn"]})
    shown = ask.show(next(iter(ask.windows([item]))))
    assert shown["labels"] == ["siren", "car_horn", "none"]
    assert shown["end"] == 10.0 and shown["descriptions"]["siren"]
    assert set(shown["examples"]) == {"siren", "car_horn"}
    assert len(set(shown["examples"]["siren"])) == 4, "four that differ"
    for url in shown["examples"]["siren"]:
        assert url.startswith("data:audio/mpeg;base64,")
        samples, rate = soundfile.read(io.BytesIO(base64.b64decode(url.partition(",")[2])))
        assert rate == ask.EXAMPLE_RATE and len(samples) / rate > 2.9 and abs(samples).max() > 0.2


def test_an_answer_is_labels_or_none_and_never_nothing() -> None:
    unit = next(iter(ask.windows([recording()])))
    assert ask.read(unit, {"labels": ["dog"]}) == Tags(frozenset({"dog"}))
    assert ask.read(unit, {"labels": "none"}) == Tags()
    forms: tuple[tuple[Json, str], ...] = (
        ({}, "must tick a sound or say none"),
        ({"labels": ["cat"]}, "there is no label 'cat'"),
        ({"labels": ["none", "dog"]}, "none cannot be ticked beside a sound"),
    )
    for form, problem in forms:
        with pytest.raises(InputError, match=problem):
            ask.read(unit, form)


FORMATS = {
    "plain.csv": "item,person,labels\nr@0,ann,dog|siren\nr@1,ann,none\n",
    "mturk.csv": (
        "HITId,WorkerId,WorkTimeInSeconds,Input.item,Answer.dog.on,Answer.siren.on,Answer.none.on\n"
        "h,ann,12,r@0,true,true,false\nh,ann,9,r@1,false,false,true\n"
    ),
    "joined.csv": "WorkerId,Input.item,Answer.labels\nann,r@0,dog|siren\nann,r@1,none\n",
    "prolific.csv": "participant_id,item,labels,time_taken\nann,r@0,siren|dog,3\nann,r@1,none,\n",
    "studio.json": json.dumps(
        [
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
                        "result": [{"value": {"choices": ["none"]}}],
                    }
                ],
            },
        ]
    ),
}


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_answers_given_elsewhere_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(FORMATS[name], encoding="utf-8")
    units = tuple(ask.windows([recording()]))
    answers = list(ask.read_answers(path, units))
    assert [(a.item, a.person, a.value) for a in answers] == [
        ("r@0", "ann", Tags(frozenset({"dog", "siren"}))),
        ("r@1", "ann", Tags()),
    ]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("item,person,labels\nr@0,ann,cat\n", "there is no label 'cat'", 2),
        ('item,person,labels\nr@0,ann,"dog,cat"\n', "there is no label 'dog,cat'", 2),
        ("item,person,labels\nr@0,ann,dog\nr@99,ann,dog\n", "a window that was asked", 3),
        ("item,person,labels\nr@0,ann,dog\nr@0,ann,dog\n", "answers a window once", 3),
        ("item,person,labels\nr@0,ann,\n", "must tick a sound or say none", 2),
        ("item,person,labels\nr@0, ,dog\n", "must say whose it is", 2),
        ("WorkerId,Input.item,Answer.dog\nann,r@0,maybe\n", "ticked or not", 2),
        ("WorkerId,Input.item\nann,r@0\n", "needs a column with the answer", 2),
        ("item,person,labels,seconds\nr@0,ann,dog,soon\n", "seconds must be a number", 2),
        ("who,what\nann,dog\n", "plain, MTurk's, Prolific's or Label Studio's", 1),
    ],
)
def test_wrong_answer_files_are_named_by_line(
    tmp_path: Path, text: str, problem: str, line: int
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem) as error:
        list(ask.read_answers(path, tuple(ask.windows([recording()]))))
    assert f"{path}:{line}" in str(error.value)


@pytest.mark.parametrize("cell", ["dog,siren", "dog; siren", "siren dog"])
def test_offered_labels_are_read_whatever_joins_them(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f'item,person,labels\nr@0,ann,"{cell}"\n', encoding="utf-8")
    (answer,) = ask.read_answers(path, tuple(ask.windows([recording()])))
    assert answer.value == Tags(frozenset({"dog", "siren"}))


def test_a_label_that_earmark_cannot_synthesise_has_no_example() -> None:
    assert ask.examples("vuvuzela") == ()
