"""The two lowest rungs: namespaces with Landlock by `unshare`, and a plain process.

Neither shuts strangers' code in as bubblewrap does, and every result says so. They are there so
that a participant without bubblewrap can try a submission of their own.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from earmark.run.box import CODE, Box, Launch, Limits, beginning, marked
from earmark.run.bubblewrap import SETTINGS, SYSTEM, limited, python_folders
from earmark.run.meter import Meter, TreeMeter

TOKEN = "EARMARK_STEP"
LANDLOCK = Path(__file__).with_name("landlock.py")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty")


@dataclass(frozen=True, slots=True)
class PlainProcess:
    """Level 0: a process in a session of its own, with resource limits and a clean environment."""

    name: str = "none"
    level: int = 0

    def meter(self, limits: Limits) -> Meter:
        """Return what walks the step's processes."""
        return TreeMeter.of(os.urandom(8).hex())

    @contextmanager
    def launch(self, box: Box, limits: Limits, meter: Meter) -> Iterator[Launch]:
        """Yield the step's own words, with our paths in place of the box's."""
        with beginning() as (reading, writing):
            words = (*limited(box, limits, groups=False), *marked(box.outside(), writing))
            start = ("/bin/sh", "-c", _in_folder(box), *words)
            yield Launch(start, (writing,), _environment(box, meter), mark=reading)


@dataclass(frozen=True, slots=True)
class Unshared:
    """Level 1: no network, process ids of its own, Landlock's rules for which files it reads."""

    name: str = "unshare+rlimit"
    level: int = 1

    def meter(self, limits: Limits) -> Meter:
        """Return what walks the step's processes."""
        return TreeMeter.of(os.urandom(8).hex())

    @contextmanager
    def launch(self, box: Box, limits: Limits, meter: Meter) -> Iterator[Launch]:
        """Yield the words: namespaces, then Landlock, then the step's own limits and words."""
        user = ("--user", "--map-root-user") if box.owner is None else ()
        with beginning() as (reading, writing):
            words = (
                *("unshare", *user, "--pid", "--fork", "--kill-child=SIGKILL", "--mount"),
                *("--net", "--ipc", "--uts", "--mount-proc"),
                *(sys.executable, "-I", "-S", str(LANDLOCK), *landlock_rules(box), "--"),
                *(*limited(box, limits, groups=False), *marked(box.outside(), writing)),
            )
            start = ("/bin/sh", "-c", _in_folder(box), *words)
            yield Launch(start, (writing,), _environment(box, meter), mark=reading)


def landlock_rules(box: Box) -> list[str]:
    """Return `r:PATH` for what a step may read and run, and `w:PATH` for what it may write."""
    readable = [*SYSTEM, *SETTINGS, *map(str, python_folders()), "/proc", "/etc/passwd"]
    package = str(Path(__file__).resolve().parents[1])
    rules = [f"r:{path}" for path in (*readable, package) if Path(path).exists()]
    rules += [f"w:{path}" for path in DEVICES if Path(path).exists()]
    return rules + [f"{'w' if mount.writable else 'r'}:{mount.source}" for mount in box.mounts]


def _in_folder(box: Box) -> str:
    """Return a shell's words that go to the step's folder and become what follows."""
    import shlex

    return f'cd {shlex.quote(box.path_outside(CODE))} && exec "$0" "$@"'


def _environment(box: Box, meter: Meter) -> dict[str, str]:
    """Return the box's environment with our paths, and the token that marks its processes."""
    package = str(Path(__file__).resolve().parents[2])
    values = {key: box.path_outside(value) for key, value in box.environment.items()}
    token = meter.token if isinstance(meter, TreeMeter) else ""
    return {**values, "PYTHONPATH": package, TOKEN: token}
