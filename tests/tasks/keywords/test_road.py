"""The task from end to end: collecting recordings, scoring files, the tour."""

import json
from pathlib import Path

import pytest


def test_collecting_and_screening_from_the_command_line(tmp_path: Path, tone, earmark) -> None:
    (tmp_path / "texts.txt").write_text("open sesame\n")
    for name in ("a.wav", "b.wav"):
        tone(name)
    unit = "prompt-0001-take-01"
    (tmp_path / "r.csv").write_text(
        f"item,person,file,language\n{unit},ana,a.wav,English\n{unit},bo,b.wav,English\n"
    )
    (tmp_path / "s.csv").write_text(
        f"item,person,listener,verdict\n{unit},ana,l1,keep\n{unit},bo,l1,drop\n"
    )
    study = tmp_path / "collect"
    texts = ("--maker", "prompts", "--text", tmp_path / "texts.txt")
    assert earmark("make", "keywords", study, *texts)[0] == 0
    for file in ("r.csv", "s.csv"):
        code, _, err = earmark("ask", study, "--import", tmp_path / file)
        assert code == 0, err
    assert earmark("reconcile", study, "--by", "listeners")[0] == 0
    lines = (study / "3-references" / "listeners.jsonl").read_text().splitlines()
    takes = json.loads(lines[-1])["value"]
    assert takes["people"] == ["ana"] and takes["recordings"][0]["file"] == "a.wav"


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
