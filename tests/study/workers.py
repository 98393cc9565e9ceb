"""Processes that run commands for tests: ready before they start, so that moments can be chosen."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

# Import everything once and fork for each command: a kill falls into the verb, not the imports.
# A command is killed after some seconds, or by itself at the n-th step that changes the disk.
FORKS = """
import json, os, signal, sys, tempfile, time
from earmark.cli.main import main
from earmark import tasks
from earmark.files import folder
import earmark.study.ask, earmark.study.reconcile, earmark.study.run, earmark.study.score
import earmark.report.study_page
for name in sys.argv[1:]:
    task = tasks.load(name)
    list(task.report.values()), list(task.score.values())

def counted(function, last, seen):
    def step(*args, **options):
        seen[0] += 1
        if seen[0] == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **options)
    return step

def command(job, errors):
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1), os.dup2(errors.fileno(), 2)
    seen = [0]
    if job["step"]:
        for name in ("rename", "replace", "fsync", "unlink", "mkdir", "rmdir"):
            setattr(os, name, counted(getattr(os, name), job["step"], seen))
        exchange = counted(folder._exchange, job["step"], seen)
        folder._exchange = exchange if job["exchange"] else lambda one, other: False
    try:
        main(job["words"])
    except SystemExit as stop:
        os._exit(stop.code or 0)

for line in sys.stdin:
    job = json.loads(line)
    errors = tempfile.TemporaryFile()
    started = time.monotonic()
    child = os.fork()
    if not child:
        command(job, errors)
        os._exit(9)
    if job["seconds"] is not None:
        time.sleep(job["seconds"])
        os.kill(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    seconds = time.monotonic() - started
    errors.seek(0)
    print(json.dumps([code, seconds, errors.read().decode(errors="replace")]), flush=True)
"""


class Worker:
    """A process that runs one command after the other, each in a process of its own."""

    def __init__(self, tasks: tuple[str, ...] = ("coins",)) -> None:
        self._tasks = tasks
        self._process: subprocess.Popen[str] | None = None
        self.errors = ""  # what the last command printed on stderr

    def start(self, *words: object, **job: Any) -> None:
        """Begin a command: `seconds` until it is killed, or the `step` at which it kills itself."""
        if self._process is None:
            self._process = _process(self._tasks)
        line = {"seconds": None, "step": None, "exchange": True, **job}
        assert self._process.stdin
        self._process.stdin.write(json.dumps({**line, "words": [str(w) for w in words]}) + "\n")
        self._process.stdin.flush()

    def end(self) -> tuple[int, float]:
        """Wait for the command; return its exit code, negative after a kill, and its seconds."""
        assert self._process and self._process.stdout
        code, seconds, self.errors = json.loads(self._process.stdout.readline())
        return code, seconds

    def __enter__(self) -> "Worker":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process:
            self._process.communicate()


def _process(tasks: tuple[str, ...]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", FORKS, *tasks],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "EARMARK_WAIT": "60"},
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder; what a run cost is measured, so that only its being there counts."""
    return {
        str(path.relative_to(folder)): b"" if path.name == "cost.json" else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
