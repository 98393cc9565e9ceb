"""Two commands at once lose nothing; a verb that fails or is killed leaves the study as it was."""

import errno
import json
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.study.workers import Worker, contents

from earmark import tasks
from earmark.files.folder import _renameat2
from earmark.files.lock import locked
from earmark.study import Study
from earmark.values.errors import InputError, StudyError

pytestmark = pytest.mark.usefixtures("sixth")
Call = Callable[..., tuple[int, str, str]]
COINS = 6
# Words of each verb, such that the study is another one afterwards.
CHANGES = {
    "make": ("make", "coins", "STUDY", "--tosses", "9", "--seed", "9"),
    "ask": ("ask", "STUDY", "--simulate", "--seed", "9"),
    "reconcile": ("reconcile", "STUDY", "--seed", "9"),
    "run": ("run", "STUDY", "always", "--seed", "9"),
    "run anew": ("run", "STUDY", "always", "--name", "other"),
    "score": ("score", "STUDY", "--against", "truth", "--resamples", "5"),
    "score anew": ("score", "STUDY", "--against", "majority", "--resamples", "5"),
    "report": ("report", "STUDY", "--seed", "9"),
}


@pytest.fixture
def workers(sixth: Path) -> Iterator[tuple[Worker, Worker]]:
    with Worker() as one, Worker() as other:
        yield one, other


def people(folder: Path, count: int) -> list[Path]:
    """Files of answers, one for each person."""
    paths = []
    for number in range(count):
        path = folder / f"p{number}.csv"
        rows = [f"coin-{coin},p{number},heads" for coin in range(COINS)]
        path.write_text("\n".join(["item,person,side", *rows, ""]))
        paths.append(path)
    return paths


def coins(folder: Path) -> Study:
    study = Study.create(folder, task="coins", seed=7)
    study.make(tosses=COINS)
    return study


def scored(folder: Path) -> Study:
    study = coins(folder)
    study.ask(simulate=True)
    study.reconcile("majority")
    study.run("always")
    study.score("truth", resamples=20)
    study.report()
    return study


def at_once(workers: tuple[Worker, Worker], *commands: tuple[object, ...]) -> list[int]:
    for worker, words in zip(workers, commands, strict=True):
        worker.start(*words)
    return [worker.end()[0] for worker in workers]


def filled(words: tuple[str, ...], folder: Path) -> list[str]:
    return [str(folder) if word == "STUDY" else word for word in words]


def test_two_imports_at_once_keep_every_answer(
    tmp_path: Path, workers: tuple[Worker, Worker]
) -> None:
    study, files = coins(tmp_path / "coins"), people(tmp_path, 24)
    for one, other in zip(files[::2], files[1::2], strict=True):
        words = [("ask", study.folder, "--import", path) for path in (one, other)]
        assert at_once(workers, *words) == [0, 0]
    ballots = study.ballots()
    assert ballots is not None and len(ballots.people) == 24
    assert len(ballots.answers) == 24 * COINS


def test_two_scorings_at_once_keep_every_board(
    tmp_path: Path, workers: tuple[Worker, Worker]
) -> None:
    study = scored(tmp_path / "coins")
    for pair in range(6):
        names = [f"{side}-{pair}" for side in ("left", "right")]
        for name in names:
            study.reconcile("majority", name=name)
        words = [("score", study.folder, "--against", name) for name in names]
        assert at_once(workers, *words) == [0, 0]
    assert len(study.boards()) == 13
    assert len({row["reference"] for row in study.scores()}) == 13


def test_two_runs_at_once_keep_both_systems_under_different_numbers(
    tmp_path: Path, workers: tuple[Worker, Worker]
) -> None:
    study = coins(tmp_path / "coins")
    for pair in range(6):
        words = [("run", study.folder, "always", "--name", f"{side}{pair}") for side in "ab"]
        assert at_once(workers, *words) == [0, 0]
    costs = sorted((study.folder / "4-outputs").glob("*/cost.json"))
    assert sorted(json.loads(path.read_text())["run"] for path in costs) == list(range(1, 13))


def test_two_commands_of_any_verbs_at_once_end_well_and_leave_nothing_aside(
    tmp_path: Path, workers: tuple[Worker, Worker]
) -> None:
    base = scored(tmp_path / "base").folder
    draw, verbs = random.Random(1), [*CHANGES, "show"]
    for pair in range(12):
        folder = tmp_path / str(pair) / "coins"
        shutil.copytree(base, folder)
        chosen = [draw.choice(verbs) for _ in workers]
        words = [filled(CHANGES.get(verb, ("show", "STUDY")), folder) for verb in chosen]
        codes = at_once(workers, *map(tuple, words))
        # After `make` the coins are others: what is made from the old ones may be refused.
        assert set(codes) <= ({0, 2} if "make" in chosen else {0}), chosen
        assert not [path for path in folder.rglob(".*")]
        Study.open(folder).snapshot().scores()


def test_a_study_made_twice_at_once_is_whole(
    tmp_path: Path, workers: tuple[Worker, Worker]
) -> None:
    for pair in range(6):
        folder = tmp_path / str(pair) / "coins"
        words = [("make", "coins", folder, "--seed", seed) for seed in (1, 2)]
        assert at_once(workers, *words) == [0, 0]
        study = Study.open(folder)
        expected = Study.create(tmp_path / "expected" / "coins", task="coins", seed=study.seed)
        expected.make()
        assert contents(folder) == contents(expected.folder)


@pytest.mark.skipif(_renameat2() is None, reason="this system cannot exchange two names")
def test_a_reader_sees_whole_places_while_verbs_replace_them(
    tmp_path: Path, workers: tuple[Worker, Worker]
) -> None:
    folder = scored(tmp_path / "coins").folder
    reads = 0
    for verb in ("make", "run", "ask", "score", "make", "run"):
        words = CHANGES[verb] if verb != "make" else (*CHANGES[verb][:3], "--tosses", str(COINS))
        workers[0].start(*filled(words, folder))
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            study = Study.open(folder).snapshot()
            assert len(study.items()) == len(study.units()) == COINS
            assert set(study.outputs()) == {"always"} and set(study.boards()) == {"truth"}
            reads += 1
        assert workers[0].end()[0] == 0
    assert reads >= 6


def before_and_after(tmp_path: Path, worker: Worker, verb: str) -> tuple[Path, list[Any], float]:
    """A study, its contents before and after a verb, and how many seconds the verb takes."""
    base = scored(tmp_path / "base" / "coins").folder
    done = tmp_path / "done" / "coins"
    shutil.copytree(base, done)
    worker.start(*filled(CHANGES[verb], done))
    code, seconds = worker.end()
    assert code == 0
    return base, [contents(base), contents(done)], seconds


@pytest.mark.parametrize("verb", CHANGES)
def test_a_verb_killed_at_a_random_moment_leaves_the_study_as_before_or_as_after(
    tmp_path: Path, workers: tuple[Worker, Worker], verb: str
) -> None:
    base, states, seconds = before_and_after(tmp_path, workers[0], verb)
    draw, end, folder = random.Random(verb), time.monotonic() + 1, tmp_path / "killed" / "coins"
    while time.monotonic() < end:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base, folder)
        moment = draw.uniform(0, seconds)
        workers[0].start(*filled(CHANGES[verb], folder), seconds=moment)
        workers[0].end()
        Study.open(folder)
        assert contents(folder) in states, f"killed after {moment} s"


@pytest.mark.parametrize(
    ("verb", "exchange"),
    [*((verb, True) for verb in CHANGES), *((verb, False) for verb in ("make", "ask", "run"))],
)
def test_a_verb_killed_at_any_step_on_disk_leaves_the_study_as_before_or_as_after(
    tmp_path: Path, workers: tuple[Worker, Worker], verb: str, exchange: bool
) -> None:
    base, states, _ = before_and_after(tmp_path, workers[0], verb)
    folder = tmp_path / "killed" / "coins"
    for step in range(1, 200):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base, folder)
        workers[0].start(*filled(CHANGES[verb], folder), step=step, exchange=exchange)
        code, _ = workers[0].end()
        Study.open(folder)
        assert contents(folder) in states, f"killed at step {step}"
        if code == 0:
            break
    assert code == 0 and step > 4


def test_a_new_study_killed_while_it_is_made_can_be_made_again(
    tmp_path: Path, workers: tuple[Worker, Worker]
) -> None:
    expected = contents(coins(tmp_path / "expected" / "coins").folder)
    for step in range(1, 100):
        folder = tmp_path / str(step) / "coins"
        words = ("make", "coins", folder, "--tosses", str(COINS), "--seed", "7")
        workers[0].start(*words, step=step)
        if workers[0].end()[0] == 0:
            break
        workers[0].start(*words)
        assert workers[0].end()[0] == 0
        assert contents(folder) == expected
    assert step > 4


def test_a_second_writer_waits_with_a_note_and_gives_up_while_readers_do_neither(
    tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = scored(tmp_path / "coins").folder
    before = contents(folder)
    monkeypatch.setenv("EARMARK_WAIT", "0.6")
    with locked(folder / ".lock", verb="score"):
        for verb in CHANGES:
            if not verb.endswith("anew"):
                code, out, err = earmark(*filled(CHANGES[verb], folder))
                assert (code, out) == (2, "")
                assert err.startswith("waiting for score (process ")
                assert "another command is writing this study\n" in err
        assert earmark("show", folder)[::2] == (0, "")
        assert earmark("verify", folder)[::2] == (0, "")
        assert earmark("cite", folder)[::2] == (0, "")
        assert earmark("report", folder, "--out", tmp_path / "page.html")[::2] == (0, "")
    assert contents(folder) == before


def test_the_study_is_free_while_a_system_computes_and_its_outputs_are_stale_if_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = coins(tmp_path / "coins")
    always = tasks.load("coins").run["always"]

    def meddling(items: Any, *, train_on: Any, seed: int) -> Any:
        coins(study.folder).make(tosses=COINS, bias=1.0)
        yield from always(items, train_on=train_on, seed=seed)

    monkeypatch.setitem(tasks.load("coins").run, "meddling", meddling)
    monkeypatch.setenv("EARMARK_WAIT", "0")
    study.run("meddling")
    from earmark.study.show import show

    assert show(study.snapshot())["stale"] == ["4-outputs/meddling/outputs.jsonl"]


def test_a_study_opened_before_another_make_uses_the_new_seed(tmp_path: Path) -> None:
    coins(tmp_path / "coins")
    opened, chosen = Study.open(tmp_path / "coins"), Study.open(tmp_path / "coins", seed=3)
    Study.create(tmp_path / "coins", task="coins", seed=8).make(tosses=COINS)
    for study, seed in ((opened, 8), (chosen, 3)):
        study.ask(simulate=True)
        header = (study.folder / "2-answers" / "units.jsonl").read_text().partition("\n")[0]
        assert json.loads(header)["made_by"]["recipe"]["seed"] == seed


def test_what_a_run_has_not_finished_is_no_system(tmp_path: Path) -> None:
    study = scored(tmp_path / "coins")
    place = study.folder / "4-outputs"
    shutil.copytree(place / "always", place / f".partial-{os.getpid()}-x")
    assert set(study.outputs()) == {"always"}
    assert set(study.score("truth", resamples=10)["systems"]) == {"always"}


def test_ask_keeps_other_files_and_drops_the_batches_of_another_plan(tmp_path: Path) -> None:
    study, place = coins(tmp_path / "coins"), tmp_path / "coins" / "2-answers"
    study.ask(import_from=people(tmp_path, 1)[0])
    (place / "left-out-p9.jsonl").write_text("theirs")
    (place / "batches.jsonl").write_text("earlier")
    study.ask()
    names = sorted(path.name for path in place.iterdir())
    assert names == ["SHA256SUMS", "answers.jsonl", "left-out-p9.jsonl", "units.jsonl"]
    assert (place / "left-out-p9.jsonl").read_text() == "theirs"


def read_only(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Refuse whatever would change this folder; file modes do not bind an administrator."""

    def guarded(name: str) -> None:
        function = getattr(os, name)

        def call(path: Any, *args: Any, **options: Any) -> Any:
            writes = name != "open" or bool(args and args[0] & os.O_CREAT)
            if writes and Path(os.fsdecode(path)).resolve().is_relative_to(folder):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
            return function(path, *args, **options)

        monkeypatch.setattr(os, name, call)

    for name in ("open", "mkdir", "rename", "replace", "unlink", "rmdir"):
        guarded(name)


def test_a_read_only_study_is_wrong_input_for_writers_and_fine_for_readers(
    tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = scored(tmp_path / "coins").folder
    (folder / "4-outputs" / ".old-gone").mkdir()  # what a kill left cannot be put right either
    before = contents(folder)
    read_only(monkeypatch, folder)
    for words in CHANGES.values():
        code, out, err = earmark(*filled(words, folder))
        assert (code, out) == (2, "")
        assert err.startswith("the study cannot be locked for writing\n") and "Read-only" in err
    code, out, err = earmark("make", "coins", folder / "inside" / "new")
    assert code == 2 and err.startswith("the folder cannot be written\n")
    for words in (("show",), ("verify",), ("cite",), ("report", "--out", str(tmp_path / "p.html"))):
        assert earmark(words[0], folder, *words[1:])[0] == 0
    assert contents(folder) == before


@pytest.mark.parametrize("call", ["fsync", "replace", "mkdir"])
@pytest.mark.parametrize("verb", CHANGES)
def test_a_full_place_is_wrong_input_and_the_study_is_as_it_was(
    tmp_path: Path, earmark: Call, monkeypatch: pytest.MonkeyPatch, verb: str, call: str
) -> None:
    folder = scored(tmp_path / "coins").folder
    before, function, calls = contents(folder), getattr(os, call), [0]

    def full(*args: Any, **options: Any) -> Any:
        calls[0] += 1
        if str(args[0]).endswith("coins") or (calls[0] == 1 and call != "mkdir"):
            return function(*args, **options)  # the first file fits
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    code, _, err = earmark(*filled(CHANGES[verb], folder))
    monkeypatch.undo()
    assert code == 0 or (code == 2 and "No space left on device" in err)
    # A verb that writes a single file has written it with the one call that succeeded.
    assert (contents(folder) == before) == (code == 2)


def test_a_failed_make_leaves_no_new_folder(tmp_path: Path, earmark: Call) -> None:
    folder = tmp_path / "new" / "newer" / "coins"
    code, _, err = earmark("make", "coins", folder, "--tosses", "0")
    assert code == 2 and err.startswith("the maker found nothing to make items from")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("place", ["file", "file/tour"])
def test_a_tour_where_no_folder_can_be_is_wrong_input(
    tmp_path: Path, earmark: Call, place: str
) -> None:
    (tmp_path / "file").write_text("mine")
    code, _, err = earmark("tour", tmp_path / place)
    assert code == 2 and "cannot be written" in err
    assert (tmp_path / "file").read_text() == "mine"


def test_a_failed_make_leaves_an_edited_seed_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = coins(tmp_path / "coins")
    path = study.folder / "study.toml"
    path.write_text(path.read_text().replace("seed = 7", "seed = 70"))
    before = contents(study.folder)
    monkeypatch.setattr(
        "earmark.files.folder._swap", lambda new, path: os.rename(path, new / "a/b")
    )
    with pytest.raises(InputError, match="the folder cannot be written"):
        study.make(tosses=3)
    assert contents(study.folder) == before
    assert Study.open(study.folder).seed == 70


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('task = "coins"', "task = 3", "'task' of a study must be the name of a task, in quotes"),
        ('task = "coins"', "", "'task' of a study must be the name of a task, in quotes"),
        ('task = "coins"', 'task = "cions"', "there is no task 'cions'"),
        ('task = "coins"', 'task = "context"', "a study keeps its task"),
        ("seed = 7", 'seed = "seven"', "'seed' of a study must be a whole number"),
        ("seed = 7", "seed = 7.5", "'seed' of a study must be a whole number"),
        ("seed = 7", "seed = true", "'seed' of a study must be a whole number"),
        ("seed = 7", "seed =", "study.toml must be TOML"),
        ("seed = 7", "seed = 7 # \xff", "a text file must be UTF-8"),
        ("[make]", "make = 3\n[other]", "'make' of a study must be a table of options"),
    ],
)
def test_an_edited_study_toml_that_cannot_be_honoured_is_refused_and_stays(
    tmp_path: Path, earmark: Call, old: str, new: str, message: str
) -> None:
    folder = scored(tmp_path / "coins").folder
    path = folder / "study.toml"
    text = path.read_text()
    assert old in text
    path.write_bytes(text.replace(old, new).encode("latin-1"))
    before = contents(folder)
    for words in (("ask", "--simulate"), ("run", "always"), ("show",), ("report",)):
        code, _, err = earmark(words[0], folder, *words[1:])
        assert code == 2 and err.startswith(message) and str(path) in err, words
    assert contents(folder) == before


def test_a_header_of_the_material_that_says_no_seed_is_refused_by_name(tmp_path: Path) -> None:
    study = coins(tmp_path / "coins")
    path = study.folder / "1-material" / "items.jsonl"
    path.write_text(path.read_text().replace('"seed": 7', '"seed": [7]', 1))
    (study.folder / "study.toml").unlink()
    with pytest.raises(InputError, match="'seed' of a study must be a whole number") as error:
        Study.open(study.folder)
    assert str(path) in str(error.value) and not (study.folder / "study.toml").exists()


def test_without_study_toml_a_study_is_read_made_again_and_keeps_its_task(tmp_path: Path) -> None:
    study = scored(tmp_path / "coins")
    before = contents(study.folder)
    (study.folder / "study.toml").unlink()
    with pytest.raises(StudyError, match="a study keeps its task"):
        Study.create(study.folder, task="context")
    coins(study.folder)
    assert contents(study.folder) == before
    (study.folder / "study.toml").unlink()
    assert Study.open(study.folder).seed == 7
    assert contents(study.folder) == before


def test_two_tasks_cannot_be_made_in_one_folder_even_if_both_began_before(tmp_path: Path) -> None:
    late = Study.create(tmp_path / "coins", task="context")
    study = coins(tmp_path / "coins")
    before = contents(study.folder)
    with pytest.raises(StudyError, match="a study keeps its task"):
        late.make()
    assert contents(study.folder) == before
