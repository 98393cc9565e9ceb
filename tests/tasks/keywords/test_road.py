"""The task from end to end: collecting recordings, scoring files, the tour."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest


@pytest.fixture
def collected(tmp_path: Path, tone, earmark) -> tuple[Path, str]:
    """A study with a take of two contributors, and the unit that they answered."""
    (tmp_path / "texts.txt").write_text("open sesame\n")
    for name in ("a.wav", "b.wav"):
        tone(name)
    unit = "prompt-0001-take-01"
    (tmp_path / "r.csv").write_text(
        f"item,person,file,language\n{unit},ana,a.wav,English\n{unit},bo,b.wav,English\n"
    )
    study = tmp_path / "collect"
    texts = ("--maker", "prompts", "--text", tmp_path / "texts.txt")
    assert earmark("make", "keywords", study, *texts)[0] == 0
    assert earmark("ask", study, "--import", tmp_path / "r.csv")[0] == 0
    return study, unit


def kept(study: Path, earmark) -> list[str]:
    """Return whose takes listeners kept."""
    assert earmark("reconcile", study, "--by", "listeners")[0] == 0
    lines = (study / "3-references" / "listeners.jsonl").read_text().splitlines()
    people: list[str] = json.loads(lines[-1])["value"]["people"]
    return people


def test_collecting_and_screening_from_the_command_line(collected, tmp_path: Path, earmark) -> None:
    study, unit = collected
    (tmp_path / "s.csv").write_text(
        f"item,person,listener,verdict\n{unit},ana,l1,keep\n{unit},bo,l1,drop\n"
    )
    code, _, err = earmark("ask", study, "--import", tmp_path / "s.csv")
    assert code == 0, err
    assert kept(study, earmark) == ["ana"]


def test_listeners_are_asked_in_label_studio_and_their_verdicts_come_back(
    collected, tmp_path: Path, earmark
) -> None:
    study, unit = collected
    url = ("--url", "https://example.org/takes")
    code, _, err = earmark("export", study, tmp_path / "studio", "--to", "label-studio", *url)
    assert code == 0, err
    tasks = json.loads((tmp_path / "studio" / "tasks.json").read_text())
    assert [task["data"] for task in tasks] == [
        {"item": unit, "person": who, "audio_url": f"https://example.org/takes/{file}",
         "text": "open sesame"}
        for who, file in (("ana", "a.wav"), ("bo", "b.wav"))
    ]  # fmt: skip
    root = ElementTree.fromstring((tmp_path / "studio" / "config.xml").read_text())
    assert {one.get("value") for one in root.iter("Choice")} == {"keep", "drop"}
    for task, verdict, reason in zip(tasks, ("drop", "keep"), ("noise", ""), strict=True):
        texts = [{"type": "textarea", "value": {"text": [reason]}}] if reason else []
        choice = {"type": "choices", "value": {"choices": [verdict]}}
        task["annotations"] = [{"completed_by": 7, "result": [choice, *texts]}]
    (tmp_path / "project.json").write_text(json.dumps(tasks))
    code, _, err = earmark("ask", study, "--import", tmp_path / "project.json")
    assert code == 0, err
    assert kept(study, earmark) == ["bo"]
    answers = (study / "2-answers" / "answers.jsonl").read_text()
    assert '"noise"' in answers


def test_listeners_are_asked_on_mturk_and_their_verdicts_come_back(
    collected, tmp_path: Path, earmark
) -> None:
    study, _ = collected
    code, _, err = earmark("export", study, tmp_path / "batch", "--to", "mturk")
    assert code == 0, err
    header, *rows = (tmp_path / "batch" / "batch.csv").read_text().splitlines()
    assert header == "item,person,audio_url,text"
    inputs = ",".join(f"Input.{name}" for name in header.split(","))
    verdicts = ("keep", "drop")
    results = "".join(
        f"W1,Approved,{row},{verdict}\n" for row, verdict in zip(rows, verdicts, strict=True)
    )
    (tmp_path / "results.csv").write_text(
        f"WorkerId,AssignmentStatus,{inputs},Answer.verdict\n{results}"
    )
    columns = ("--columns", "person=Input.person,listener=WorkerId")
    code, _, err = earmark("ask", study, "--import", tmp_path / "results.csv", *columns)
    assert code == 0, err
    assert kept(study, earmark) == ["ana"]


@pytest.mark.parametrize(
    ("data", "choices", "problem"),
    [
        ({}, ["keep"], "must name whose recording it is about"),
        ({"person": "ana"}, ["keep", "drop"], "a listener keeps or drops a take"),
        ({"person": "ana"}, [], "a listener keeps or drops a take"),
    ],
)
def test_a_verdict_of_nobody_or_of_two_kinds_is_refused(
    collected, tmp_path: Path, earmark, data, choices, problem
) -> None:
    study, unit = collected
    result = [{"type": "choices", "value": {"choices": choices}}]
    task = {"data": {"item": unit, **data}, "annotations": [{"completed_by": 7, "result": result}]}
    (tmp_path / "project.json").write_text(json.dumps([task]))
    code, _, err = earmark("ask", study, "--import", tmp_path / "project.json")
    assert code == 2 and problem in err


def test_a_prediction_file_runs_as_a_system(challenge, tmp_path: Path, earmark) -> None:
    folder, labels = challenge
    study = tmp_path / "study"
    assert earmark("make", "keywords", study, "--challenge", folder, "--labels", labels)[0] == 0
    (tmp_path / "mine.txt").write_text("P0001T0001.wav 1 0.9\nP0001T0002.wav 1 0.4\n")
    assert earmark("run", study, tmp_path / "mine.txt", "--name", "mine")[0] == 0
    result = json.loads(earmark("score", study, "--json")[1])
    assert result["scores"]["wake_score"]["value"] == 9.0
    assert result["details"]["wake_score"]["oracle"]["one_threshold"] == 0.0


@pytest.mark.parametrize("harm", ["four enrolments", "truncated", "text", "empty"])
def test_bad_input_ends_with_exit_code_two_and_a_reason(challenge, tmp_path, earmark, harm) -> None:
    folder, labels = challenge
    first = folder / "P0001" / "enroll" / "P0001E001.wav"
    if harm == "four enrolments":
        first.unlink()
    else:
        content = {"truncated": first.read_bytes()[:2000], "text": b"no sound", "empty": b""}
        first.write_bytes(content[harm])
    study = tmp_path / "study"
    code, out, err = earmark("make", "keywords", study, "--challenge", folder, "--labels", labels)
    assert code == 2 and out == ""
    assert "P0001" in err and "Traceback" not in err
    assert not (study / "1-material").exists()


@pytest.mark.slow
def test_the_tour_is_walked_to_its_end_and_auto_is_best(networks: None, tmp_path: Path) -> None:
    pytest.importorskip("espeakng_loader")
    from earmark.study.tour import tour_task

    result = tour_task("keywords", tmp_path / "keywords", 0)
    assert result.problem == ""
    board = json.loads((tmp_path / "keywords" / "5-scores" / "board-truth.json").read_text())
    rows = {row["system"]: row["value"] for row in board["metrics"]["wake_score"]}
    assert rows["auto"] <= 0.5 < min(rows["template"], rows["window"])
    page = (tmp_path / "keywords" / "6-report" / "index.html").read_text()
    assert "Speaker by speaker: auto" in page and "One keyword located in one clip" in page
