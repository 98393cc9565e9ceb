"""A lock has one owner at a time, says who that is, and is free once its owner has ended."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from earmark.files.lock import locked, longest_wait, owner
from earmark.task.progress import notes_to
from earmark.values.errors import InputError, StudyError

OWNER = """
import sys, time
from pathlib import Path
from earmark.files.lock import locked
with locked(Path(sys.argv[1]), verb="score"):
    print("locked", flush=True)
    time.sleep(60)
"""


def test_a_lock_says_who_owns_it_and_is_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with locked(path, verb="ask"):
        facts = json.loads(path.read_text())
        assert (facts["verb"], facts["pid"], facts["host"]) == (
            "ask",
            os.getpid(),
            socket.gethostname(),
        )
        assert abs(facts["since"] - time.time()) < 60
        assert owner(path).startswith(f"ask (process {os.getpid()} on ")
    assert not path.exists()


def test_whoever_waits_too_long_gives_up_and_is_told_for_whom(tmp_path: Path) -> None:
    path = tmp_path / "study" / ".lock"
    notes: list[str] = []
    with locked(path, verb="score"), notes_to(notes.append):
        with pytest.raises(StudyError) as error, locked(path, verb="ask", wait=0.7):
            raise AssertionError("two owners")
    text = str(error.value)
    assert text.startswith(f"another command is writing this study\n  at:   {tmp_path}/study\n")
    assert f"score (process {os.getpid()} on " in text and "; waited 0.7 s\n  fix:  try" in text
    assert len(notes) == 1 and notes[0].startswith("waiting for score (process ")


def test_the_lock_of_a_killed_owner_is_free_at_once(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "locked\n"
        with pytest.raises(StudyError), locked(path, verb="ask", wait=0):
            raise AssertionError("two owners")
        os.kill(process.pid, signal.SIGKILL)
    assert path.exists()
    with locked(path, verb="ask", wait=0):
        assert json.loads(path.read_text())["verb"] == "ask"
    assert not path.exists()


def test_many_owners_in_turn_never_meet_though_each_deletes_the_file(tmp_path: Path) -> None:
    inside, most, turns = [0], [0], [0]

    def work() -> None:
        for _ in range(10):
            with locked(tmp_path / ".lock", verb="run", wait=60):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                time.sleep(0.001)
                turns[0] += 1
                inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most[0], turns[0]) == (1, 40)


def test_a_folder_made_for_the_lock_goes_when_the_work_fails_and_stays_when_it_succeeds(
    tmp_path: Path,
) -> None:
    path = tmp_path / "new" / "study" / ".lock"
    with pytest.raises(RuntimeError), locked(path, verb="make"):
        raise RuntimeError("stop")
    assert not (tmp_path / "new").exists()
    with locked(path, verb="make"):
        (path.parent / "a").write_text("x")
    assert [one.name for one in path.parent.iterdir()] == ["a"]


def test_what_is_no_file_is_never_taken_for_a_lock(tmp_path: Path) -> None:
    """A link would lead the owner's name into somebody else's file."""
    (tmp_path / "theirs").write_text("precious")
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    for name in ("link", "fifo", "folder", "file/.lock"):
        with pytest.raises(InputError, match="cannot be"), locked(tmp_path / name, verb="x"):
            raise AssertionError("locked")
    assert (tmp_path / "theirs").read_text() == "precious"


@pytest.mark.parametrize("text", ["soon", "-1", "nan"])
def test_the_longest_wait_must_be_a_number_of_seconds(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.delenv("EARMARK_WAIT", raising=False)
    assert longest_wait() == 600
    monkeypatch.setenv("EARMARK_WAIT", "2.5")
    assert longest_wait() == 2.5
    monkeypatch.setenv("EARMARK_WAIT", text)
    with pytest.raises(InputError, match="EARMARK_WAIT must be a number of seconds"):
        longest_wait()
