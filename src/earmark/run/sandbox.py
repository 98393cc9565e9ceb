"""Which way of isolating a step this machine offers: a ladder, and the first rung that holds.

3 bubblewrap with control groups; 2 bubblewrap with resource limits; 1 namespaces and Landlock by
`unshare`; 0 a plain process. Containers (podman, docker, apptainer) are taken when they are named.
The level is in every result, and below 2 it is said aloud: there the code is not shut in.
"""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from earmark.run.box import TEMPORARY, Box, Limits, Mount, Runner
from earmark.run.bubblewrap import BUBBLEWRAP, Bubblewrap, box_environment
from earmark.run.budget import MEGABYTE
from earmark.run.cgroups import group_places
from earmark.run.containers import CONTAINERS, Container
from earmark.run.meter import SandboxError
from earmark.run.plain import PlainProcess, Unshared
from earmark.run.supervise import supervise
from earmark.values import checks
from earmark.values.errors import InputError

__all__ = ["SAFE", "SandboxError", "choose_runner", "new_owner", "owner_for", "warning"]

SAFE = 2  # the lowest level at which strangers' code is shut in
AUTO = "auto"
# What an organiser may name in study.toml, and the levels that it means.
LEVELS = {"bubblewrap": (3, 2), "unshare": (1,), "none": (0,)}
# User ids that no system hands out: above those of people, services and containers' ranges.
FIRST_OWNER, OWNERS = 1_900_000_000, 100_000_000


def choose_runner(name: str = AUTO, image: str = "") -> Runner:
    """Return a way of isolating by its name, or the best that works here.

    Raise InputError if the one that was named is not there.
    """
    checks.one_of(name, (AUTO, *LEVELS, *CONTAINERS), what="runner", at="[sandbox]")
    if name in CONTAINERS:
        return Container.of(name, image)
    rungs = [rung for rung in _ladder() if name == AUTO or rung.level in LEVELS[name]]
    if not rungs:
        raise InputError(
            f"the runner {name} does not work on this machine",
            fix='install bubblewrap (Debian: apt-get install bubblewrap), or say runner = "auto"',
        )
    return rungs[0]


@cache
def _ladder() -> tuple[Runner, ...]:
    """Return the ways that work here, the safest first; each was tried once."""
    runners: list[Runner] = []
    if shutil.which(BUBBLEWRAP):
        if group_places() is not None and _works(Bubblewrap(groups=True)):
            runners.append(Bubblewrap(groups=True))
        if _works(Bubblewrap(groups=False)):
            runners.append(Bubblewrap(groups=False))
    if shutil.which("unshare") and _works(Unshared()):
        runners.append(Unshared())
    return (*runners, PlainProcess())


def _works(runner: Runner) -> bool:
    """Return whether a way of isolating can run a program that does nothing, in Python."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        owner = new_owner()
        if owner is not None:
            place.chmod(0o755)
        mounts = (Mount(place, "/task/code"), Mount(place, TEMPORARY, writable=True))
        command = (sys.executable, "-I", "-S", "-c", "pass")
        box = Box(command, mounts, box_environment(), owner)
        limits = Limits(20.0, 512 * MEGABYTE, 16, 64 * MEGABYTE, 4096)
        try:
            return supervise(runner, box, limits).status == "ok"
        except (SandboxError, OSError, subprocess.SubprocessError):
            return False


def new_owner() -> int | None:
    """Return a user id for one step that no process has; None where we cannot change ours."""
    if os.getuid() != 0:
        return None
    return FIRST_OWNER + int.from_bytes(os.urandom(4), "big") % OWNERS


def owner_for(runner: Runner) -> int | None:
    """Return the user that steps run as: one of their own as root, else ourselves.

    Below level 2 files stay where they are, and a user of its own may not reach our Python; the
    code of strangers is then not run at all, rather than as root.
    """
    owner = new_owner()
    if owner is None or runner.level >= SAFE:
        return owner
    closed = [folder for folder in Path(sys.executable).resolve().parents if not _is_open(folder)]
    if closed:
        raise SandboxError(
            f"without bubblewrap, root cannot run a submission as another user: {closed[0]}, where "
            "Python is, is closed to others. Install bubblewrap, or run as an ordinary user."
        )
    return owner


def _is_open(folder: Path) -> bool:
    return bool(folder.stat().st_mode & 0o001)


def warning(runner: Runner) -> str:
    """Return what must be said aloud of a way of isolating; "" for a safe one."""
    if runner.level >= SAFE:
        return ""
    return (
        f"NOT ISOLATED ({runner.name}, level {runner.level} of 3): a submission's code may read "
        "what you can read, labels too, and may reach the network. Run only code that you trust; "
        "install bubblewrap for strangers' code."
    )
