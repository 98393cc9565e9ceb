"""Who has a submission: a process, named so that others on its machine can tell whether it lives.

A lease ends by itself when nobody extends it. Where the process that took it is known to be dead,
nobody needs to wait for that.
"""

import os
import socket
import uuid
from pathlib import Path

BOOT = Path("/proc/sys/kernel/random/boot_id")
SEPARATOR = " "


def new_owner() -> str:
    """Return a name for this process's next claim; no other claim has it."""
    process = os.getpid()
    return SEPARATOR.join([_machine(), str(process), _started(process), uuid.uuid4().hex])


def is_dead(owner: str) -> bool:
    """Return whether a claim's process ran on this machine and has ended; False if unknown."""
    parts = owner.split(SEPARATOR)
    if len(parts) != 4 or not parts[2] or parts[0] != _machine():
        return False
    return _started(int(parts[1])) != parts[2]


def _machine() -> str:
    """Return what only processes that see each other share: host, boot, space of process ids."""
    try:
        boot, space = BOOT.read_text().strip(), os.readlink("/proc/self/ns/pid")
    except OSError:
        return f"{socket.gethostname()}//{uuid.uuid4().hex}"
    return f"{socket.gethostname()}/{boot}/{space}"


def _started(process: int) -> str:
    """Return when a process started, in clock ticks; empty if it has ended or cannot be seen."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    # a zombie has ended, though its parent has not looked yet
    return "" if fields[0] == "Z" else fields[19]
