"""Sounds, models, formats with counts, and a study's own files: damage is refused by name."""

import json
import os
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from tests.files.test_hostile_files import EAF, GRID, WORDS, command
from tests.hostile import exit_code, refused, special_files

from earmark.study import Study
from earmark.tables.rows import write_table


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A small study with a reference, outputs and scores."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "t.txt").write_text(WORDS)
    (folder / "o.txt").write_text("we are here it\nis late\n")
    made = Study.create(folder / "talk", task="boundaries")
    made.make(text=(folder / "t.txt",), truth=True)
    made.ask(simulate=True)
    made.reconcile(by="panel")
    made.run(str(folder / "o.txt"))
    made.score(resamples=10)
    return made


def test_a_pipe_among_sounds_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sounds" / "dog").mkdir(parents=True)
    pipe = tmp_path / "sounds" / "dog" / "pipe.wav"
    os.mkfifo(pipe)
    words = ["make", "events", str(tmp_path / "new"), "--sounds", str(tmp_path / "sounds")]
    refused(words, capsys, pipe)


def test_a_model_that_is_damaged_or_special_is_refused(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(study.folder), "cnn", "--model"]
    pytest.importorskip("torch")  # imported here: the first import takes longer than a command may
    shipped = files("earmark.tasks.boundaries").joinpath("models", "cnn.safetensors")
    whole = shipped.read_bytes()
    file = tmp_path / "m.safetensors"
    for data in (
        b"",
        b"x",
        whole[:1000],
        whole[:-1],
        b"\xff" * 64,
        whole.replace(b"shape", b"shope"),
    ):
        file.write_bytes(data)
        refused([*words, str(file)], capsys, file)
    for special in special_files(tmp_path, ".safetensors"):
        refused([*words, str(special)], capsys, special)


def test_counts_that_no_text_could_have_are_refused_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sizes = tmp_path / "t.json"
    for count in ("999999999999", "9" * 30):
        sizes.write_text(f'{{"items": {{"a": {{"p": [{count}]}}}}}}')
        refused(command("boundaries: sizes", sizes), capsys, sizes)
    grid = tmp_path / "t.TextGrid"
    for count in ("999999999999", "1e400"):
        grid.write_text(GRID.replace('"units"\n0\n1\n1\n', f'"units"\n0\n1\n{count}\n'))
        refused(command("boundaries: TextGrid", grid), capsys, grid)


def test_xml_in_an_encoding_that_does_not_exist_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "t.eaf"
    file.write_text(EAF.replace("UTF-8", "KLINGON-7"))
    err = refused(command("boundaries: EAF", file), capsys, file)
    assert "an EAF file must be in an encoding that exists" in err and "t.eaf:1" in err
    for text in (EAF.encode(), EAF.replace("UTF-8", "UTF-16").encode("utf-16")):
        file.write_bytes(text)
        assert exit_code(command("boundaries: EAF", file)) == 0


def test_a_cell_longer_than_a_table_can_hold_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.csv"
    file.write_text("item,person,label\na,p,dog\nb,p," + "x" * 200_000 + "\n")
    err = refused(command("reconcile: answers", file), capsys, file)
    assert "a.csv:3" in err


def test_reconciled_tables_hold_no_formulas(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("item,person,label\n=HYPERLINK(1),+p1,@a\n-1,+p1,-1\n")
    assert exit_code(command("reconcile: answers", file)) == 0
    reference = (tmp_path / "out" / "reference.csv").read_text()
    assert "\n'=HYPERLINK(1),'@a," in reference and "\n-1,-1," in reference
    assert "\n'+p1," in (tmp_path / "out" / "people.csv").read_text()


def test_numbers_are_no_formulas() -> None:
    cells = ("-1", "+1.5", "-x", "-1+1")
    assert write_table(("a",), [{"a": cell} for cell in cells]) == "a\n-1\n+1.5\n'-x\n'-1+1\n"


def test_escapes_in_a_systems_name_do_not_reach_the_terminal(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(["run", str(study.folder), "\x1b[31mEVIL"]) == 2
    assert "\x1b" not in (err := capsys.readouterr().err) and r"\x1b[31mEVIL" in err


def test_an_item_that_the_truth_does_not_know_is_named(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    file = study.folder / "1-material" / "truth.jsonl"
    whole = file.read_text()
    file.write_text(whole.replace('"item": "t"', '"item": "u"'))
    try:
        for words in (["score", "--resamples", "10"], ["ask", "--simulate"]):
            assert exit_code([words[0], str(study.folder), *words[1:]]) == 2
            assert re.search(
                r"there is no item 't'|1-material/truth\.jsonl", capsys.readouterr().err
            )
    finally:
        file.write_text(whole)


def test_more_people_than_any_crowd_has_are_refused(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--people", "--trials"):
        assert exit_code(["ask", str(study.folder), "--simulate", option, "9" * 15]) == 2
        assert f"{option} must be between 0 and 100000" in capsys.readouterr().err


OTHERS: tuple[Any, ...] = (None, 5, "x", [], {}, True)


@pytest.mark.parametrize(
    "name",
    ["1-material/truth.jsonl", "2-answers/answers.jsonl", "4-outputs/o/outputs.jsonl"],
)
def test_a_value_of_another_kind_in_a_study_is_named_with_its_line(
    name: str, study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    file = study.folder / name
    whole = file.read_text()
    first, second, *rest = whole.splitlines()
    for other in OTHERS:
        line = json.dumps({**json.loads(second), "value": other})
        file.write_text("\n".join([first, line, *rest]))
        try:
            err = refused(["score", str(study.folder), "--resamples", "10"], capsys, file)
        finally:
            file.write_text(whole)
        assert f"{file.name}:2" in err


@pytest.mark.parametrize("field", ["system", "reference", "scores"])
def test_scores_of_another_kind_are_named_by_verify(
    field: str, study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    file = study.folder / "5-scores" / "o--truth.json"
    whole = file.read_text()
    others: tuple[Any, ...] = (None, 5, [], {"pk": 5})
    for other in others:
        file.write_text(json.dumps({**json.loads(whole), field: other}))
        try:
            assert exit_code(["verify", str(study.folder)]) == 1
        finally:
            file.write_text(whole)
        assert f"5-scores/{file.name}: " in capsys.readouterr().out
