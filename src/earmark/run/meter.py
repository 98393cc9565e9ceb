"""What the processes of a step use now, and how they are all stopped.

Two ways of asking: by a control group of the kernel, which counts and limits (`run/cgroups.py`),
or, where there is none, by walking the tree of processes here.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from earmark.run.budget import MEGABYTE

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
# A killed process is gone within milliseconds unless it waits for a disk.
PATIENCE, PAUSE = 10.0, 0.01


class SandboxError(RuntimeError):
    """Our own failure to run a step: no box, no room, no right; it costs nobody a try."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a step uses at one moment: CPU so far, memory and processes (or threads) now."""

    cpu_seconds: float = 0.0
    megabytes: float = 0.0
    processes: int = 0


@dataclass(frozen=True, slots=True)
class Events:
    """What limits have refused so far: times that memory ran out, and that a fork failed."""

    out_of_memory: int = 0
    forks_refused: int = 0


class Meter(Protocol):
    """Measures and ends the processes of one step."""

    def joining(self) -> tuple[Path, ...]:
        """Return the files to which the step's first process writes its id before it starts."""

    def sample(self, process: int) -> Sample:
        """Return what is used now; `process` is the one that we started."""

    def events(self) -> Events:
        """Return what limits have refused."""

    def end(self, process: int) -> None:
        """Kill whatever is left of the step, and wait until it is gone."""

    def close(self) -> None:
        """Leave nothing behind."""


@dataclass(slots=True)
class TreeMeter:
    """Processes found by walking from the one that we started, which sees all of a pid namespace.

    Without a namespace, a daemon that has left its parent is found by the `token` in its
    environment, or by having been seen before.
    """

    token: str
    seen: dict[int, str]
    cpu: dict[int, float]

    @classmethod
    def of(cls, token: str) -> "TreeMeter":
        """Return a meter that has seen nothing yet."""
        return cls(token, {}, {})

    def joining(self) -> tuple[Path, ...]:
        """Return nothing: there is no group to join."""
        return ()

    def sample(self, process: int) -> Sample:
        """Walk the tree; CPU is the sum of what each process had when it was seen last."""
        pids = descendants(process)
        memory, threads = 0.0, 0
        for pid in pids:
            if facts := process_facts(pid):
                self.seen[pid] = facts.started
                self.cpu[pid] = facts.cpu_seconds
                memory += facts.megabytes
                threads += facts.threads
        return Sample(sum(self.cpu.values()), memory, threads)

    def events(self) -> Events:
        """Return nothing: no kernel counts for us."""
        return Events()

    def end(self, process: int) -> None:
        """Kill the tree, and daemons that carry our token or were seen, until none is left."""
        end_all(lambda: self._left(process))

    def _left(self, process: int) -> list[int]:
        own = os.getpid()
        pids = set(descendants(process)) | {pid for pid in _all() if self._is_ours(pid)}
        return [pid for pid in pids if pid != own and _is_running(pid)]

    def _is_ours(self, pid: int) -> bool:
        if pid in self.seen:
            facts = process_facts(pid)
            if facts is not None and facts.started == self.seen[pid]:
                return True
        try:
            return self.token.encode() in Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False

    def close(self) -> None:
        """Do nothing: nothing was made."""


def end_all(left: Callable[[], list[int]]) -> None:
    """Kill the processes that are left, those that they start meanwhile too, until there is none.

    Raise SandboxError if that does not come to an end.
    """
    deadline = time.monotonic() + PATIENCE
    while pids := left():
        for pid in pids:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise SandboxError(f"{len(pids)} processes of a submission cannot be ended")
        time.sleep(PAUSE)


@dataclass(frozen=True, slots=True)
class ProcessFacts:
    """What /proc says of a process: when it started, in ticks, so that a number is not reused."""

    started: str
    cpu_seconds: float
    megabytes: float
    threads: int


def process_facts(pid: int) -> ProcessFacts | None:
    """Return what a process uses; None if it is gone."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    cpu = (int(words[11]) + int(words[12])) / TICKS
    return ProcessFacts(words[19], cpu, int(words[21]) * PAGE / MEGABYTE, int(words[17]))


def descendants(process: int) -> list[int]:
    """Return a process and all below it, by what each thread calls its children."""
    pids, waiting = [], [process]
    while waiting:
        pid = waiting.pop()
        pids.append(pid)
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError):
                    text = Path(f"/proc/{pid}/task/{thread}/children").read_text()
                    waiting += [int(word) for word in text.split()]
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def _all() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _is_running(pid: int) -> bool:
    """Return whether a process does anything: a zombie only waits for its parent."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return False
    return words[0] not in ("Z", "X")


def is_alive(process: str) -> bool:
    """Return whether there is a process of that number; what is no number counts as one."""
    return not process.isdigit() or Path(f"/proc/{process}").exists()
