"""`earmark export`: what of a study, to where, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet
import pytest

from earmark.files import folder as folders
from earmark.study import Study
from earmark.values.errors import InputError, StudyError

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A small study of events with two references, two systems and a board."""
    study = Study.create(tmp_path_factory.mktemp("s") / "street", task="events")
    study.make(recordings=2, seconds=12.0)
    study.ask(simulate=True)
    study.reconcile("majority")
    study.run("energy")
    study.run("energy", name="again")
    study.score("majority", resamples=20)
    return study


def test_shell_and_python_write_the_same_files(
    street: Study, tmp_path: Path, earmark: Call
) -> None:
    words = ("export", street.folder, tmp_path / "a", "--to", "dcase", "--reference", "majority")
    code, out, err = earmark(*words)
    assert code == 0, err
    assert (
        out
        == f"{tmp_path / 'a'}: 2 items of majority as dcase, 2 files: durations.tsv, majority.tsv\n"
    )
    result = street.export(tmp_path / "b", "dcase", reference="majority")
    assert result["count"] == 2 and result["files"] == ["durations.tsv", "majority.tsv"]
    for name in result["files"]:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_the_result_as_json_says_what_was_written(
    street: Study, tmp_path: Path, earmark: Call
) -> None:
    _, out, _ = earmark("export", street.folder, tmp_path / "q", "--to", "mturk", "--json")
    document = json.loads(out)
    assert (document["what"], document["format"], document["count"]) == ("questions", "mturk", 6)
    assert document["files"] == ["batch.csv", "template.html"]


def test_the_truth_is_the_usual_reference(street: Study, tmp_path: Path) -> None:
    assert street.export(tmp_path / "a", "dcase")["name"] == "truth"


def test_several_systems_must_be_told_apart(street: Study, tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="several systems are there; name one") as error:
        street.export(tmp_path / "a", "dcase", what="outputs")
    assert "again, energy" in str(error.value)
    assert street.export(tmp_path / "a", "dcase", system="again")["what"] == "outputs"


def test_a_board_is_a_row_per_metric_and_system(street: Study, tmp_path: Path) -> None:
    result = street.export(tmp_path / "a", "parquet", what="boards")
    table = pyarrow.parquet.read_table(tmp_path / "a" / "boards.parquet").to_pylist()
    board = street.board("majority")["metrics"]
    assert result["count"] == len(table) == sum(map(len, board.values()))
    first = board["segment_f1"][0]
    (row,) = [r for r in table if (r["metric"], r["system"]) == ("segment_f1", first["system"])]
    assert {name: row[name] for name in first} == first
    street.export(tmp_path / "b", "json", reference="majority")
    assert json.loads((tmp_path / "b" / "board-majority.json").read_text())["majority"] == board


def test_material_has_no_path_of_this_machine(street: Study, tmp_path: Path) -> None:
    street.export(tmp_path / "a", "csv", what="material")
    text = (tmp_path / "a" / "material.csv").read_text()
    assert "sound" in text and str(street.folder) not in text


def test_a_folder_with_files_is_left_alone(street: Study, tmp_path: Path, earmark: Call) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    code, _, err = earmark("export", street.folder, tmp_path, "--to", "dcase")
    assert code == 2
    assert err.startswith("an export goes to a new or empty folder")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_an_empty_folder_is_filled(street: Study, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    street.export(tmp_path / "a", "dcase")
    assert (tmp_path / "a" / "truth.tsv").exists()


def test_an_export_into_the_study_is_refused(street: Study) -> None:
    with pytest.raises(InputError, match="outside of its study"):
        street.export(street.folder / "7-export", "dcase")


def test_an_export_that_fails_leaves_no_folder(
    street: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(new: Path, path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(folders, "_swap", full)
    with pytest.raises(InputError, match="cannot be written"):
        street.export(tmp_path / "deep" / "a", "dcase")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--to", "dcas"), "there is no format 'dcas'"),
        (("--to", "mturk", "--what", "boards"), "mturk holds no boards"),
        (("--to", "dcase", "--reference", "mace"), "there is no reference 'mace'"),
        (("--to", "dcase", "--what", "references", "--system", "energy"), "a system is named for"),
        (("--to", "csv", "--what", "questions", "--reference", "truth"), "a system is named for"),
        (("--to", "jams", "--suffix", ".wav"), "the format jams has no option --suffix"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    street: Study, tmp_path: Path, earmark: Call, words: tuple[str, ...], problem: str
) -> None:
    code, _, err = earmark("export", street.folder, tmp_path / "a", *words)
    assert code == 2
    assert problem in err
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("what", "problem", "fix"),
    [
        ("questions", "there are no questions yet", "earmark ask new"),
        ("answers", "there are no questions yet", "earmark ask new"),
        ("outputs", "there are no outputs yet", "earmark run new"),
        ("boards", "there are no boards yet", "earmark score new"),
    ],
)
def test_nothing_to_export_says_what_to_do_first(
    tmp_path: Path, earmark: Call, what: str, problem: str, fix: str
) -> None:
    Study.create(tmp_path / "new", task="events").make(recordings=1, seconds=5.0)
    code, _, err = earmark(
        "export", tmp_path / "new", tmp_path / "a", "--to", "csv", "--what", what
    )
    assert code == 2
    assert problem in err and fix in err
    assert not (tmp_path / "a").exists()


def test_questions_that_nobody_answered_are_no_empty_file_of_answers(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "new", task="events")
    study.make(recordings=1, seconds=12.0)
    study.ask()
    with pytest.raises(StudyError, match="there is nothing to export"):
        study.export(tmp_path / "a", "csv", what="answers")


def test_suffix_is_put_after_the_names_of_recordings(street: Study, tmp_path: Path) -> None:
    street.export(tmp_path / "a", "dcase", suffix=".wav")
    lines = (tmp_path / "a" / "truth.tsv").read_text().splitlines()
    assert all(line.split("\t")[0].endswith(".wav") for line in lines[1:])


@pytest.mark.usefixtures("sixth")
def test_a_task_without_exporters_still_has_tables(tmp_path: Path) -> None:
    study = Study.create(tmp_path / "coins", task="coins", seed=7)
    study.make(tosses=3)
    assert study.export(tmp_path / "a", "jsonl", what="references")["count"] == 3
    rows = [json.loads(line) for line in (tmp_path / "a" / "truth.jsonl").read_text().splitlines()]
    assert rows[0]["item"] == "coin-0" and "heads" in rows[0]["value"]


@pytest.mark.parametrize("form", ["jams", "audacity", "textgrid", "elan"])
def test_a_folder_of_events_is_taken_as_a_system(street: Study, tmp_path: Path, form: str) -> None:
    street.export(tmp_path / form, form)
    study = Study.create(tmp_path / "again", task="events")
    study.make(recordings=2, seconds=12.0)
    study.run(tmp_path / form / "truth", name="again")
    outputs = {item: one.value.events for item, one in study.outputs()["again"].items()}
    truth = {item: line.events for item, line in study.reference("truth").values.items()}
    assert {i: [e.label for e in events] for i, events in outputs.items()} == {
        i: [e.label for e in events] for i, events in truth.items()
    }


def test_a_damaged_board_is_named_and_nothing_is_written(street: Study, tmp_path: Path) -> None:
    path = street.folder / "5-scores" / "board-majority.json"
    whole = path.read_text(encoding="utf-8")
    board = json.loads(whole)
    rows = {metric: [True] * len(rows) for metric, rows in board["metrics"].items()}
    path.write_text(json.dumps({**board, "metrics": rows}), encoding="utf-8")
    try:
        with pytest.raises(InputError, match=r"5-scores/board-majority\.json"):
            street.export(tmp_path / "out", "jsonl", what="boards")
    finally:
        path.write_text(whole, encoding="utf-8")
    assert not (tmp_path / "out").exists()
