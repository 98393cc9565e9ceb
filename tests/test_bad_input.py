"""Bad input: a message of one shape, exit code 2, nothing written."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.study import Study

Call = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.usefixtures("sixth")


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = Study.create(tmp_path / "coins", task="coins", seed=7)
    made.make(tosses=4)
    return made


def refused(call: Call, *words: object) -> str:
    code, out, err = call(*words)
    assert code == 2, (out, err)
    assert out == "" and "Traceback" not in err
    return err


def test_an_unknown_study(earmark: Call, tmp_path: Path) -> None:
    assert refused(earmark, "score", tmp_path / "nowhere") == (
        "there is no such study\n"
        f"  at:   {tmp_path}/nowhere\n"
        "  fix:  make it: earmark make TASK nowhere\n"
    )


def test_a_folder_that_is_no_study(earmark: Call, tmp_path: Path) -> None:
    assert "there is no study in this folder" in refused(earmark, "show", tmp_path)


def test_a_verb_out_of_order(earmark: Call, study: Study) -> None:
    before = bytes_of(study.folder)
    assert refused(earmark, "reconcile", study.folder) == (
        "reconcile needs answers\n"
        "  at:   coins\n"
        "  fix:  earmark ask coins --simulate, or --import FILE\n"
    )
    assert "score needs outputs" in refused(earmark, "score", study.folder)
    assert bytes_of(study.folder) == before


def test_an_unknown_name_suggests_the_nearest(earmark: Call, study: Study) -> None:
    told = refused(earmark, "run", study.folder, "alway")
    assert told == (
        "there is no system or file 'alway'\n  at:   coins\n  want: always\n"
        "  fix:  did you mean always?\n"
    )
    study.run("always")
    told = refused(earmark, "score", study.folder, "--metric", "heads_f")
    assert "did you mean heads_f1?" in told


def test_ids_on_one_side_only(earmark: Call, study: Study, tmp_path: Path) -> None:
    (tmp_path / "part.csv").write_text("item,side\ncoin-0,heads\n")
    assert earmark("run", study.folder, tmp_path / "part.csv")[0] == 0
    before = bytes_of(study.folder)
    told = refused(earmark, "score", study.folder)
    assert "reference and output must name the same items" in told
    assert "3 items (coin-1, coin-2, coin-3) only in the reference" in told
    assert bytes_of(study.folder) == before


def test_an_output_for_an_item_that_is_not_there(
    earmark: Call, study: Study, tmp_path: Path
) -> None:
    (tmp_path / "odd.csv").write_text("item,side\nmoon,heads\n")
    assert "an item that is not there" in refused(
        earmark, "run", study.folder, tmp_path / "odd.csv"
    )
    assert not (study.folder / "4-outputs" / "odd").exists()


def test_duplicate_ids(earmark: Call, study: Study, tmp_path: Path) -> None:
    (tmp_path / "twice.csv").write_text("item,side\ncoin-0,heads\ncoin-0,tails\n")
    assert "an item twice" in refused(earmark, "run", study.folder, tmp_path / "twice.csv")
    (tmp_path / "answers.csv").write_text("item,person,side\ncoin-0,ann,heads\ncoin-0,ann,tails\n")
    told = refused(earmark, "ask", study.folder, "--import", tmp_path / "answers.csv")
    assert "a person answers an item once" in told
    assert not (study.folder / "2-answers").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a table needs a header line"),
        (b"item,person\na,b\n", "the table lacks a column"),
        (b"item,person,side\ncoin-0,ann\n", "every row must have one cell per column"),
        (b"item,person,side\ncoin-0,ann,edge\n", "a coin shows heads or tails"),
        (b'item,person,side\n"coin-0,ann,heads\n', "a row of the table cannot be read"),
        (b"\x00\x01\x02\x03", "a text file must hold text"),
        ("item,person,side\ncoin-0,Zoë,heads\n".encode("latin-1"), "a text file must be UTF-8"),
    ],
)
def test_a_file_that_is_not_what_it_says(
    earmark: Call, study: Study, tmp_path: Path, content: bytes, message: str
) -> None:
    before = bytes_of(study.folder)
    (tmp_path / "answers.csv").write_bytes(content)
    assert message in refused(earmark, "ask", study.folder, "--import", tmp_path / "answers.csv")
    assert bytes_of(study.folder) == before


def test_a_byte_order_mark_and_windows_line_ends_are_read(study: Study, tmp_path: Path) -> None:
    text = "item,person,side\r\ncoin-0,ann,heads\r\n"
    (tmp_path / "answers.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert study.ask(import_from=tmp_path / "answers.csv")["answers"] == 1


def test_nan_is_no_number_of_tosses(earmark: Call, tmp_path: Path) -> None:
    told = refused(earmark, "make", "coins", tmp_path / "new", "--tosses", "nan")
    assert "'nan' is not a valid integer" in told
    assert not (tmp_path / "new").exists()


def test_a_maker_that_makes_nothing_leaves_nothing(earmark: Call, tmp_path: Path) -> None:
    assert "found nothing to make" in refused(
        earmark, "make", "coins", tmp_path / "new", "--tosses", 0
    )
    assert not (tmp_path / "new" / "1-material").exists()


def test_a_broken_line_in_a_study_is_named(earmark: Call, study: Study) -> None:
    path = study.folder / "1-material" / "items.jsonl"
    path.write_text(path.read_text() + "{broken\n")
    assert "items.jsonl:6" in refused(earmark, "show", study.folder)


def test_a_folder_with_other_files_is_not_written_to(earmark: Call, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    told = refused(earmark, "make", "coins", tmp_path / "full")
    assert "a new study needs a folder of its own" in told
    assert bytes_of(tmp_path / "full") == {"thesis.txt": b"mine"}


def test_a_simulated_crowd_does_not_mix_with_people(
    earmark: Call, study: Study, tmp_path: Path
) -> None:
    (tmp_path / "answers.csv").write_text("item,person,side\ncoin-0,ann,heads\n")
    study.ask(import_from=tmp_path / "answers.csv")
    told = refused(earmark, "ask", study.folder, "--simulate")
    assert "people's answers and a simulated crowd's would mix" in told


def test_people_do_not_mix_with_a_simulated_crowd_and_planning_keeps_all(
    earmark: Call, study: Study, tmp_path: Path
) -> None:
    study.ask(simulate=True)
    (tmp_path / "answers.csv").write_text("item,person,side\ncoin-0,ann,heads\n")
    told = refused(earmark, "ask", study.folder, "--import", tmp_path / "answers.csv")
    assert "answers of a simulated crowd are there already" in told
    assert study.ask()["answers"] == 12
    assert study.ask(simulate=True)["answers"] == 12


def test_imported_answers_are_only_ever_added(study: Study, tmp_path: Path) -> None:
    for person in ("ann", "bob"):
        path = tmp_path / f"{person}.csv"
        path.write_text(f"item,person,side\ncoin-0,{person},heads\n")
        study.ask(import_from=path)
    ballots = study.ballots()
    assert ballots is not None and ballots.people == ("ann", "bob")


def test_verify_says_no_with_exit_code_1(earmark: Call, study: Study) -> None:
    study.run("always")
    study.score(resamples=20)
    assert earmark("verify", study.folder)[0] == 0
    path = study.folder / "5-scores" / "always--truth.json"
    stored = json.loads(path.read_text())
    stored["scores"]["heads_f1"]["value"] = 0.123
    path.write_text(json.dumps(stored))
    code, out, _ = earmark("verify", study.folder)
    assert code == 1 and "always--truth.json: scores.heads_f1.value is 0.123 there" in out


def test_changed_material_makes_what_follows_stale(earmark: Call, study: Study) -> None:
    study.run("always")
    study.make(tosses=5)
    _, out, _ = earmark("show", study.folder, "--json")
    assert json.loads(out)["stale"] == ["4-outputs/always/outputs.jsonl"]


SLOW_MAKER = """
import sys, time
from earmark.study import Study
from earmark.tasks import load
task = load("coins")
from earmark.tasks.coins import TossOptions, make_tosses
def slow(source, options: TossOptions = TossOptions(), *, seed):
    for n, item in enumerate(make_tosses(source, options, seed=seed)):
        yield item
        if n == 2:
            print("half", flush=True)
            time.sleep(60)
task.make["tosses"] = slow
Study.create(sys.argv[1], task="coins", seed=9).make(tosses=50)
"""


@pytest.mark.parametrize("made_before", [False, True])
def test_a_verb_killed_in_the_middle_leaves_the_study_as_it_was(
    tmp_path: Path, made_before: bool
) -> None:
    place = tmp_path / "coins"
    if made_before:
        Study.create(place, task="coins", seed=7).make(tosses=4)
    before = bytes_of(place)
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_MAKER, str(place)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "half\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    time.sleep(0.1)
    if made_before:
        Study.open(place)
        assert bytes_of(place) == before
    else:
        Study.create(place, task="coins", seed=7).make(tosses=4)
        assert len(Study.open(place).items()) == 4
    assert not list(place.glob(".partial-*"))


def test_a_kill_between_two_renames_is_mended(study: Study) -> None:
    before = bytes_of(study.folder)
    (study.folder / "1-material").rename(study.folder / ".old-1-material")
    assert len(Study.open(study.folder).items()) == 4
    assert bytes_of(study.folder) == before


def test_a_full_disk_leaves_the_file_as_it_was(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    study.run("always")
    before = bytes_of(study.folder)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ValueError, match="No space left on device"):
        study.run("always", heads=False)
    assert bytes_of(study.folder) == before
