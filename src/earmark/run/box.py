"""What a step sees and may use: the same for every way of isolating it."""

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from earmark.run.meter import Meter

# The only paths that scripts are told of. The names are ours alone, so that they hide nothing.
ROOM = "/task"
CODE, WORK, OUTPUT, PACKAGES = f"{ROOM}/code", f"{ROOM}/work", f"{ROOM}/output", f"{ROOM}/packages"
# The starter and the first process of a namespace are counted with the step's.
OWN_PROCESSES = 3
TEMPORARY, SHARED_MEMORY = "/tmp", "/dev/shm"


@dataclass(frozen=True, slots=True)
class Mount:
    """A folder of ours, and where the step sees it."""

    source: Path
    target: str
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A command and its world: folders, environment, and the user that it runs as.

    `owner` is a user id that nobody else has, or None where we are not root and cannot change it.
    """

    command: tuple[str, ...]
    mounts: tuple[Mount, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    owner: int | None = None

    def outside(self) -> tuple[str, ...]:
        """Return the command with our own paths, for ways of running that cannot move folders."""
        return tuple(self.path_outside(word) for word in self.command)

    def path_outside(self, word: str) -> str:
        """Return the path of ours that a path of the step's stands for."""
        for mount in self.mounts:
            if word == mount.target or word.startswith(f"{mount.target}/"):
                return f"{mount.source}{word.removeprefix(mount.target)}"
        return word

    def written(self) -> list[Path]:
        """Return the folders that the step can write."""
        return [mount.source for mount in self.mounts if mount.writable]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one step may use; seconds of wall clock, bytes, processes."""

    seconds: float
    memory: int
    processes: int
    disk: int
    log: int


@dataclass(frozen=True, slots=True)
class Launch:
    """How a step is started: words, files that stay open for it, environment of the starter.

    `stop` are words that end what the starter's death leaves behind; a container runs elsewhere.
    `mark`, where there is one, has a byte to read once the step's own script is about to start.
    """

    words: tuple[str, ...]
    files: tuple[int, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    stop: tuple[str, ...] = ()
    mark: int | None = None

    @property
    def has_begun(self) -> bool:
        """Whether the script was reached; if not, the box itself could not be made."""
        if self.mark is None:
            return True
        try:
            return bool(os.read(self.mark, 1))
        except BlockingIOError:
            return False


@contextmanager
def beginning() -> Iterator[tuple[int, int]]:
    """Give the block the two ends of a pipe for the mark: to read here, to write in the box."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    try:
        yield reading, writing
    finally:
        os.close(reading)
        os.close(writing)


def marked(command: tuple[str, ...], writing: int) -> tuple[str, ...]:
    """Return words that leave the mark, close it, and become the command."""
    script = f'echo >&{writing}; exec {writing}>&-; exec "$@"'
    return ("/bin/bash", "-c", script, "begin", *command)


class Runner(Protocol):
    """A way of isolating: its name and level in every result, and how it starts a step."""

    @property
    def name(self) -> str:
        """What results call it."""

    @property
    def level(self) -> int:
        """How far down the ladder it is, 3 to 0."""

    def launch(self, box: Box, limits: Limits, meter: Meter) -> AbstractContextManager[Launch]:
        """Return how the step is started; what it needs open stays so within the block."""

    def meter(self, limits: Limits) -> Meter:
        """Return what measures and ends the step's processes."""
