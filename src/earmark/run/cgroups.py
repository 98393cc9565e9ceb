"""Control groups: the kernel counts and limits the memory and processes of a step.

Both layouts are served: version 1, with a tree per controller, and version 2, with one for all. A
group is made below our own, limited, joined by the step's first process, and removed afterwards.
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from earmark.run.budget import MEGABYTE
from earmark.run.meter import PATIENCE, PAUSE, Events, Sample, SandboxError, end_all, is_alive

PREFIX = "earmark-"
NANOSECOND, MICROSECOND = 1e-9, 1e-6


@dataclass(frozen=True, slots=True)
class GroupLimits:
    """What a group may use."""

    memory: int  # bytes
    processes: int


@dataclass(frozen=True, slots=True)
class GroupV1:
    """A group of version 1: a folder per controller; `cpuacct` is missing on some systems."""

    folders: Mapping[str, Path]

    @classmethod
    def make(cls, parents: Mapping[str, Path], name: str, limits: GroupLimits) -> "GroupV1":
        """Make and limit a group below a folder per controller; raise OSError if it may not be."""
        group = cls({controller: parent / name for controller, parent in parents.items()})
        try:
            for folder in group.folders.values():
                folder.mkdir()
            _write(group.folders["memory"] / "memory.limit_in_bytes", limits.memory)
            with suppress(OSError):  # only where the kernel counts swap
                _write(group.folders["memory"] / "memory.memsw.limit_in_bytes", limits.memory)
            _write(group.folders["pids"] / "pids.max", limits.processes)
        except OSError:
            group.close()
            raise
        return group

    def joining(self) -> tuple[Path, ...]:
        """Return the file of each controller that takes the ids of processes."""
        return tuple(folder / "cgroup.procs" for folder in self.folders.values())

    def sample(self, process: int) -> Sample:
        """Return what the group uses; memory without what the kernel can drop."""
        stat = _table(self.folders["memory"] / "memory.stat")
        memory = stat.get("total_rss", 0) + stat.get("total_shmem", stat.get("shmem", 0))
        accounting = self.folders.get("cpuacct")
        cpu = _number(accounting / "cpuacct.usage") * NANOSECOND if accounting else 0.0
        processes = _number(self.folders["pids"] / "pids.current")
        return Sample(cpu, memory / MEGABYTE, processes)

    def events(self) -> Events:
        """Return how often memory ran out, and how often a fork was refused."""
        memory = _table(self.folders["memory"] / "memory.oom_control")
        forks = _table(self.folders["pids"] / "pids.events")
        return Events(memory.get("oom_kill", 0), forks.get("max", 0))

    def end(self, process: int) -> None:
        """Kill every process of the group, and wait until there is none."""
        end_all(lambda: _pids(self.folders["pids"]))

    def close(self) -> None:
        """Remove the group's folders."""
        for folder in self.folders.values():
            _remove_group(folder)


@dataclass(frozen=True, slots=True)
class GroupV2:
    """A group of version 2: one folder for all controllers."""

    folder: Path

    @classmethod
    def make(cls, parent: Path, name: str, limits: GroupLimits) -> "GroupV2":
        """Make and limit a group; raise OSError if it may not be."""
        group = cls(parent / name)
        group.folder.mkdir()
        try:
            _write(group.folder / "memory.max", limits.memory)
            _write(group.folder / "pids.max", limits.processes)
            with suppress(OSError):  # only where there is swap
                _write(group.folder / "memory.swap.max", 0)
            with suppress(OSError):  # one process over the limit ends the step, not a part of it
                _write(group.folder / "memory.oom.group", 1)
        except OSError:
            group.close()
            raise
        return group

    def joining(self) -> tuple[Path, ...]:
        """Return the file that takes the ids of processes."""
        return (self.folder / "cgroup.procs",)

    def sample(self, process: int) -> Sample:
        """Return what the group uses; memory without what the kernel can drop."""
        stat = _table(self.folder / "memory.stat")
        memory = stat.get("anon", 0) + stat.get("shmem", 0)
        cpu = _table(self.folder / "cpu.stat").get("usage_usec", 0) * MICROSECOND
        return Sample(cpu, memory / MEGABYTE, _number(self.folder / "pids.current"))

    def events(self) -> Events:
        """Return how often memory ran out, and how often a fork was refused."""
        memory = _table(self.folder / "memory.events")
        forks = _table(self.folder / "pids.events")
        return Events(memory.get("oom_kill", 0), forks.get("max", 0))

    def end(self, process: int) -> None:
        """Kill every process of the group, and wait until there is none."""
        with suppress(OSError):  # newer kernels do it in one go
            _write(self.folder / "cgroup.kill", 1)
        end_all(lambda: _pids(self.folder))

    def close(self) -> None:
        """Remove the group's folder."""
        _remove_group(self.folder)


Group = GroupV1 | GroupV2


def new_group(name: str, limits: GroupLimits) -> Group | None:
    """Return a new group below our own; None where the system gives us none."""
    places = group_places()
    if places is None:
        return None
    sweep([places] if isinstance(places, Path) else list(places.values()))
    try:
        if isinstance(places, Path):
            return GroupV2.make(places, PREFIX + name, limits)
        return GroupV1.make(places, PREFIX + name, limits)
    except OSError:
        return None


def sweep(folders: list[Path]) -> None:
    """Remove the groups of processes of ours that were killed; one that is in use stays."""
    for folder in folders:
        for path in folder.glob(f"{PREFIX}*-*"):
            if not is_alive(path.name.removeprefix(PREFIX).partition("-")[0]):
                with suppress(OSError):
                    path.rmdir()


@cache
def group_places() -> Path | Mapping[str, Path] | None:
    """Return where groups can be made: a folder (version 2), one per controller, or nowhere."""
    mounts = Path("/proc/self/mounts").read_text(errors="replace")
    groups = Path("/proc/self/cgroup").read_text(errors="replace")
    return _version_2(mounts, groups) or _version_1(mounts, groups)


def _version_1(mounts: str, groups: str) -> Mapping[str, Path] | None:
    """Return the folder of each controller that we need, in which we may make groups."""
    own = {
        controller: path
        for _, names, path in _group_lines(groups)
        for controller in names.split(",")
    }
    places: dict[str, Path] = {}
    for kind, place, options in _mount_lines(mounts):
        for controller in {"memory", "pids", "cpuacct"} & set(options.split(",")):
            if kind == "cgroup" and controller in own:
                inside = Path(place) / own[controller].lstrip("/")
                # in a container the path is the host's, and the mount begins at our own group
                places[controller] = inside if inside.is_dir() else Path(place)
    usable = {name: place for name, place in places.items() if os.access(place, os.W_OK)}
    return usable if {"memory", "pids"} <= usable.keys() else None


def _version_2(mounts: str, groups: str) -> Path | None:
    """Return our own group, or the one above it, if its children may have memory and pids."""
    own = next((path for number, names, path in _group_lines(groups) if number == "0"), "/")
    for kind, place, _ in _mount_lines(mounts):
        if kind != "cgroup2":
            continue
        inside = Path(place) / own.lstrip("/")
        for folder in (inside, inside.parent):
            if folder.is_relative_to(place) and _hands_down(folder):
                return folder
    return None


def _hands_down(folder: Path) -> bool:
    """Return whether groups below a folder of version 2 can be made and have our controllers.

    A group that has processes of its own cannot hand controllers down; trying does no harm.
    """
    wanted = {"memory", "pids"}
    try:
        if not os.access(folder, os.W_OK):
            return False
        if not wanted <= set((folder / "cgroup.controllers").read_text().split()):
            return False
        control = folder / "cgroup.subtree_control"
        if not wanted <= set(control.read_text().split()):
            _write(control, "+memory +pids")
        return wanted <= set(control.read_text().split())
    except OSError:
        return False


def _group_lines(text: str) -> Iterator[tuple[str, str, str]]:
    for line in text.splitlines():
        number, names, path = line.split(":", 2)
        yield number, names, path


def _mount_lines(text: str) -> Iterator[tuple[str, str, str]]:
    for line in text.splitlines():
        _, place, kind, options, *_ = line.split(" ")
        yield kind, place, options


def _pids(folder: Path) -> list[int]:
    try:
        return [int(word) for word in (folder / "cgroup.procs").read_text().split()]
    except OSError:
        return []


def _remove_group(folder: Path) -> None:
    """Remove a group; the kernel may need a moment to forget the last process."""
    deadline = time.monotonic() + PATIENCE
    while folder.exists():
        try:
            folder.rmdir()
        except OSError as error:
            if time.monotonic() > deadline:
                raise SandboxError(f"the control group {folder} cannot be removed") from error
            time.sleep(PAUSE)


def _write(path: Path, value: object) -> None:
    # not `write_text`, which would create a file where the kernel has none
    handle = os.open(path, os.O_WRONLY)
    try:
        os.write(handle, str(value).encode())
    finally:
        os.close(handle)


def _number(path: Path) -> int:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return 0


def _table(path: Path) -> dict[str, int]:
    try:
        rows = [line.split() for line in path.read_text().splitlines()]
    except OSError:
        return {}
    return {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}
