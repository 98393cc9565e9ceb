"""A step in a container: podman, docker or apptainer, behind the same interface as bubblewrap.

The words are the whole of it: an image that the organiser names, no network, everything read-only
but the step's own folders, no capability, limits of memory and processes. The container's own
program enforces memory and processes; time, disk and log are watched from here as for any step.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from earmark.run.box import CODE, Box, Launch, Limits
from earmark.run.budget import MEGABYTE
from earmark.run.meter import Meter, TreeMeter
from earmark.values.errors import InputError

Engine = Literal["podman", "docker", "apptainer"]
CONTAINERS: tuple[Engine, ...] = ("podman", "docker", "apptainer")
# The variables that make sense in a stranger's image; ours name paths of this machine.
PORTABLE = ("HOME", "TMPDIR", "LANG", "USER")


@dataclass(frozen=True, slots=True)
class Container:
    """A container engine, and the image that steps run in."""

    engine: Engine
    image: str
    program: str = ""

    @classmethod
    def of(cls, engine: str, image: str) -> "Container":
        """Return the engine's runner; raise InputError if it or the image's name is missing."""
        name = next(each for each in CONTAINERS if each == engine)
        program = shutil.which(engine)
        if program is None:
            raise InputError(f"the runner {engine} is not installed", want="a program of that name")
        if not image:
            raise InputError(
                f"the runner {engine} needs an image",
                at="study.toml, [sandbox]",
                fix='add: image = "registry/name:tag", or a .sif file for apptainer',
            )
        return cls(name, image, program)

    @property
    def name(self) -> str:
        """What results call it."""
        return self.engine

    @property
    def level(self) -> int:
        """How far down the ladder it is: limits come from the engine's control groups."""
        return 2 if self.engine == "apptainer" else 3

    def meter(self, limits: Limits) -> Meter:
        """Return what walks the processes that we see; a daemon's containers are not among them."""
        return TreeMeter.of(f"earmark-{os.getpid()}-{os.urandom(4).hex()}")

    @contextmanager
    def launch(self, box: Box, limits: Limits, meter: Meter) -> Iterator[Launch]:
        """Yield the words that start the container, and those that end it by its name."""
        name = meter.token if isinstance(meter, TreeMeter) else "earmark"
        program = self.program or self.engine
        if self.engine == "apptainer":
            words: tuple[str, ...] = (program, *apptainer_arguments(self.image, box, limits))
            stop: tuple[str, ...] = ()
        else:
            words = (program, *container_arguments(self, box, limits, name=name))
            stop = (program, "rm", "--force", "--volumes", name)
        keep = {key: os.environ[key] for key in ("HOME", "XDG_RUNTIME_DIR") if key in os.environ}
        yield Launch(words, (), {"PATH": os.environ.get("PATH", os.defpath), **keep}, stop)


def container_arguments(runner: Container, box: Box, limits: Limits, *, name: str) -> list[str]:
    """Return the arguments of `podman` or `docker` for a box.

    As an ordinary user the step is ourselves, in the container too: its folders are ours.
    """
    user = os.getuid() if box.owner is None else box.owner
    group = os.getgid() if box.owner is None else box.owner
    memory = str(limits.memory)
    words = [
        *("run", "--rm", "--name", name, "--network", "none", "--read-only", "--init"),
        *("--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
        *("--user", f"{user}:{group}", "--pids-limit", str(limits.processes)),
        *("--memory", memory, "--memory-swap", memory, "--ipc", "private"),
        *("--ulimit", "core=0", "--ulimit", f"fsize={limits.disk}", "--hostname", "box"),
        *("--log-driver", "none", "--pull", "never", "--workdir", CODE),
    ]
    if runner.engine == "podman" and box.owner is None:
        words += ["--userns", "keep-id"]
    for mount in box.mounts:
        words += ["--volume", f"{mount.source}:{mount.target}:{'rw' if mount.writable else 'ro'}"]
    for key in PORTABLE:
        if key in box.environment:
            words += ["--env", f"{key}={box.environment[key]}"]
    return [*words, "--entrypoint", box.command[0], runner.image, *box.command[1:]]


def apptainer_arguments(image: str, box: Box, limits: Limits) -> list[str]:
    """Return the arguments of `apptainer` for a box; its limits need version 2 of cgroups."""
    memory = f"{max(1, limits.memory // MEGABYTE)}m"
    words = [
        *("exec", "--containall", "--cleanenv", "--no-home", "--no-privs", "--net"),
        *("--network", "none", "--memory", memory, "--memory-swap", memory),
        *("--pids-limit", str(limits.processes), "--pwd", CODE, "--no-mount", "tmp,home,cwd"),
    ]
    for mount in box.mounts:
        words += ["--bind", f"{mount.source}:{mount.target}:{'rw' if mount.writable else 'ro'}"]
    for key in PORTABLE:
        if key in box.environment:
            words += ["--env", f"{key}={box.environment[key]}"]
    return [*words, image, *box.command]
