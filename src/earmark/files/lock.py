"""One writer at a time: a lock file that says who owns it, and is free once its owner has ended."""

import fcntl
import json
import os
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from earmark.files.folder import new_folder
from earmark.task.progress import notify
from earmark.values.errors import InputError, StudyError

WAIT = "EARMARK_WAIT"  # the environment variable for the longest wait
LONGEST_WAIT = 600.0  # seconds; the largest studies are scored within them
PATIENCE = 0.5  # seconds before the wait is worth a note
PAUSE = 0.05  # seconds between two tries: an owner is rarely done sooner


@contextmanager
def locked(path: Path, *, verb: str, wait: float | None = None) -> Iterator[None]:
    """Own a lock file within this block; if another process owns it, wait until it is free.

    The lock is the operating system's (flock): it is free as soon as its owner has ended, however
    it ended. The file only says who that is. Folders that are made for it are removed if the block
    fails. Raise StudyError after `wait` seconds (EARMARK_WAIT, or ten minutes), and InputError
    where a lock cannot be written.
    """
    limit = longest_wait() if wait is None else wait
    with new_folder(path.parent):
        handle = _acquire(path, verb, limit)
        try:
            yield
        finally:
            # Before the lock is free: whoever opened the file meanwhile sees that it is gone.
            with suppress(OSError):
                path.unlink()
            os.close(handle)


def longest_wait() -> float:
    """Return how many seconds to wait for a lock."""
    text = os.environ.get(WAIT, "")
    try:
        seconds = float(text) if text else LONGEST_WAIT
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds:
        raise InputError(f"{WAIT} must be a number of seconds", got=text, want=">= 0")
    return seconds


def owner(path: Path) -> str:
    """Return who owns a lock file, as a phrase: verb, process, host and age."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        age = max(0, round(time.time() - float(facts["since"])))
        return f"{facts['verb']} (process {facts['pid']} on {facts['host']}, since {age} s)"
    except (OSError, ValueError, KeyError, TypeError):
        return "another command"  # it has just taken the lock, or just ended


def _acquire(path: Path, verb: str, limit: float) -> int:
    """Return the handle of the lock file, owned; wait at most `limit` seconds for it."""
    started, noted = time.monotonic(), False
    while True:
        handle = _try(path)
        if handle is not None:
            facts = {"verb": verb, "pid": os.getpid(), "host": socket.gethostname()}
            os.ftruncate(handle, 0)
            os.write(handle, json.dumps({**facts, "since": time.time()}).encode())
            return handle
        waited = time.monotonic() - started
        if waited >= limit:
            raise StudyError(
                "another command is writing this study",
                at=path.parent,
                got=f"{owner(path)}; waited {limit:g} s",
                fix=f"try again when it has ended; {WAIT} sets how many seconds to wait",
            )
        if waited >= PATIENCE and not noted:
            notify(f"waiting for {owner(path)} to finish with {path.parent.name}")
            noted = True
        time.sleep(min(PAUSE, limit))


def _try(path: Path) -> int | None:
    """Return the handle of the lock file if nobody owns it, or None."""
    try:
        # Its owner may have failed, and removed the folder that it made for the lock.
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refusal(path, error.strerror) from error
    owned = False
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _refusal(path, "a special file in its place")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The file may have been released, which deletes it, between the two calls.
        owned = path.exists() and os.path.samestat(os.fstat(handle), path.stat())
    except BlockingIOError:
        return None
    except OSError as error:
        raise _refusal(path, error.strerror) from error
    finally:
        if not owned:
            os.close(handle)
    return handle if owned else None


def _refusal(path: Path, reason: str | None) -> InputError:
    return InputError("the study cannot be locked for writing", at=path, got=reason)
