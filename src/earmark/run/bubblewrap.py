"""A step in bubblewrap: namespaces of its own, read-only files, no network, a user of its own.

As root, the box is made by root and the step runs as a user id that nobody else has, without any
capability. Otherwise a user namespace makes the box, and outside of it the step is ourselves.
"""

import os
import resource
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from earmark.run.box import (
    CODE,
    OWN_PROCESSES,
    PACKAGES,
    Box,
    Launch,
    Limits,
    Mount,
    beginning,
    marked,
)
from earmark.run.cgroups import GroupLimits, new_group
from earmark.run.meter import Meter, SandboxError, TreeMeter
from earmark.run.seccomp import filter_program

BUBBLEWRAP = "bwrap"
# Writes its own id to each file named before `--`, and becomes what is named after it.
JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 96; shift; done; shift; exec "$@"'
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# What programs look for in /etc; passwords, keys and the names of this machine are not among it.
SETTINGS = (
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/localtime", "/etc/mime.types", "/etc/fonts"),
)
INSIDE = 1000  # the user id that a step sees
PASSWD = f"participant:x:{INSIDE}:{INSIDE}::/tmp:/bin/bash\nroot:x:0:0::/:/bin/false\n"
GROUP = f"participant:x:{INSIDE}:\nroot:x:0:\n"
NAMESPACES = (
    *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
    *("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--hostname", "box"),
)
# As root, the three capabilities that it takes to give up all of them within the box.
AS_US = ("--unshare-user", "--uid", str(INSIDE), "--gid", str(INSIDE))
AS_ROOT = (
    *("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"),
    *("--cap-add", "CAP_SETPCAP"),
)
OPEN_FILES = 1024
LOCKED = 65536  # bytes that cannot be swapped out; the usual default of systems


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Level 3 with control groups, level 2 with resource limits of the process alone."""

    groups: bool
    program: str = BUBBLEWRAP

    @property
    def name(self) -> str:
        """What results call it."""
        return "bubblewrap+cgroup" if self.groups else "bubblewrap+rlimit"

    @property
    def level(self) -> int:
        """How far down the ladder it is."""
        return 3 if self.groups else 2

    def meter(self, limits: Limits) -> Meter:
        """Return a control group for the step, or what walks its processes."""
        name = f"{os.getpid()}-{os.urandom(4).hex()}"
        if not self.groups:
            return TreeMeter.of(name)
        group = new_group(name, GroupLimits(limits.memory, limits.processes + OWN_PROCESSES))
        if group is None:
            raise SandboxError("no control group can be made any more")
        return group

    @contextmanager
    def launch(self, box: Box, limits: Limits, meter: Meter) -> Iterator[Launch]:
        """Yield the words that start the step; the box's arguments go by a file, unseen inside."""
        with ExitStack() as stack:
            data = {"/etc/passwd": _passwd(box), "/etc/group": _group(box)}
            files = {name: stack.enter_context(_open(text)) for name, text in data.items()}
            program = filter_program()
            calls = stack.enter_context(_open(program)) if program else None
            arguments = bubblewrap_arguments(box, files=files, calls=calls)
            text = b"\0".join(os.fsencode(word) for word in arguments) + b"\0"
            own = stack.enter_context(_open(text))
            reading, writing = stack.enter_context(beginning())
            command = marked(box.command, writing)
            inner = (*limited(box, limits, groups=self.groups), *command)
            words = (shutil.which(self.program) or self.program, "--args", str(own), "--", *inner)
            joining = tuple(str(path) for path in meter.joining())
            start = ("/bin/sh", "-c", JOIN, "join", *joining, "--", *words)
            handles = (*files.values(), own, writing, *([calls] if calls is not None else []))
            yield Launch(start, handles, {"PATH": os.defpath}, mark=reading)


def bubblewrap_arguments(
    box: Box, *, files: Mapping[str, int], calls: int | None = None
) -> list[str]:
    """Return bubblewrap's arguments for a box; `files` are texts in open files, by their target."""
    words = [*NAMESPACES, "--clearenv", *(AS_US if box.owner is None else AS_ROOT)]
    system = system_mounts()
    for folder in _above([mount.target for mount in (*system, *box.mounts)]):
        words += ["--perms", "0755", "--dir", folder]
    for mount in system:
        words += ["--ro-bind", str(mount.source), mount.target]
    for link, target in system_links():
        words += ["--symlink", target, link]
    for target, handle in files.items():
        words += ["--perms", "0444", "--ro-bind-data", str(handle), target]
    words += ["--proc", "/proc", "--dev", "/dev"]
    for mount in box.mounts:
        words += ["--bind" if mount.writable else "--ro-bind", str(mount.source), mount.target]
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", CODE]
    for name, value in box.environment.items():
        words += ["--setenv", name, value]
    return words if calls is None else [*words, "--seccomp", str(calls)]


def _above(targets: list[str]) -> list[str]:
    """Return the folders above some paths, from the top down; bubblewrap would close them."""
    folders = {str(parent) for target in targets for parent in Path(target).parents}
    return sorted(folders - {"/", "/dev", "/proc", "/usr"})


def limited(box: Box, limits: Limits, *, groups: bool) -> tuple[str, ...]:
    """Return the words, inside the box, that drop every right and set the process's own limits."""
    words: tuple[str, ...] = ()
    if box.owner is not None:
        words = (
            *("setpriv", f"--reuid={box.owner}", f"--regid={box.owner}", "--clear-groups"),
            *("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"),
        )
    data = () if groups else (f"--data={_at_most('DATA', limits.memory)}",)
    others = 0 if box.owner is not None else _our_processes()
    processes = limits.processes + OWN_PROCESSES + others
    return (
        *words,
        *("prlimit", "--core=0", f"--nofile={_at_most('NOFILE', OPEN_FILES)}"),
        *(f"--fsize={_at_most('FSIZE', limits.disk)}", f"--nproc={_at_most('NPROC', processes)}"),
        *("--msgqueue=0", f"--memlock={_at_most('MEMLOCK', LOCKED)}", *data, "--"),
    )


def _at_most(name: str, value: int) -> int:
    """Return a limit that we may set: as root any, else at most our own."""
    most = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1]
    return value if most == resource.RLIM_INFINITY or os.getuid() == 0 else min(value, most)


def _our_processes() -> int:
    """Return how many processes we have already: kernels before 5.14 count them with the box's."""
    own = os.getuid()
    count = 0
    for entry in os.scandir("/proc"):
        try:
            count += entry.name.isdigit() and entry.stat().st_uid == own
        except OSError:
            continue
    return count


def system_mounts() -> list[Mount]:
    """Return what of this system a step reads: programs, libraries, Python and its packages."""
    folders = [Path(name) for name in (*SYSTEM, *SETTINGS) if Path(name).exists()]
    mounts = [Mount(folder, str(folder)) for folder in folders if not folder.is_symlink()]
    for folder in python_folders():
        if not any(folder.is_relative_to(mount.target) for mount in mounts):
            mounts.append(Mount(folder.resolve(), str(folder)))
    package = Path(__file__).resolve().parents[1]
    return [*mounts, Mount(package, f"{PACKAGES}/{package.name}")]


def system_links() -> list[tuple[str, str]]:
    """Return links at the top of the system, as /bin to usr/bin, with what they lead to."""
    return [(name, os.readlink(name)) for name in SYSTEM if Path(name).is_symlink()]


def python_folders() -> list[Path]:
    """Return the folders of the Python that runs this, its environment first."""
    folders = dict.fromkeys(
        Path(folder).absolute() for folder in (sys.prefix, sys.base_prefix, sys.exec_prefix)
    )
    return [folder for folder in folders if folder != Path("/")]


def readable_folders() -> list[Path]:
    """Return every folder of ours that a step can read; labels must lie in none of them."""
    return [mount.source.resolve() for mount in system_mounts()]


def _passwd(box: Box) -> bytes:
    return PASSWD.replace(str(INSIDE), str(box.owner or INSIDE)).encode()


def _group(box: Box) -> bytes:
    return GROUP.replace(str(INSIDE), str(box.owner or INSIDE)).encode()


@contextmanager
def _open(data: bytes) -> Iterator[int]:
    """Give the block a file in memory with these bytes, open at its beginning."""
    handle = os.memfd_create("box", 0)
    try:
        os.write(handle, data)
        os.lseek(handle, 0, os.SEEK_SET)
        yield handle
    finally:
        os.close(handle)


def box_environment(*, python: str = sys.executable) -> dict[str, str]:
    """Return what a step finds in its environment, and nothing of ours beside."""
    folder = str(Path(python).parent)
    return {
        "PATH": f"{folder}:/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "USER": "participant",
        "PYTHON": python,
        "PYTHONPATH": PACKAGES,
        "PYTHONDONTWRITEBYTECODE": "1",
    }
