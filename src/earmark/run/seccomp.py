"""A filter of system calls that a submission does not need, as a program for the kernel.

Namespaces hide what must be hidden; this makes the kernel itself a smaller target: no new user
namespaces, no mounts, no tracing, no keys, no kernel programs. Refused calls answer EPERM; clone3,
whose flags a filter cannot see, answers ENOSYS, and the C library falls back to clone.
"""

import errno
import os
import struct
from collections.abc import Iterator

# One instruction of a classic BPF program: code, jump if true, jump if false, constant.
Instruction = tuple[int, int, int, int]
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
# Places in struct seccomp_data: number of the call, architecture, low half of the first argument.
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
X32_BIT = 0x40000000  # x86-64 has a second set of numbers for 32-bit pointers
# CLONE_NEW: namespaces for mounts, cgroup, uts, ipc, user, pid, net
NEW_NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x60000000

# Numbers from the kernel's tables, by machine: audit architecture, clone, clone3, and the others.
NAMES = (
    *("ptrace", "mount", "umount2", "pivot_root", "chroot", "swapon", "swapoff", "reboot"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "add_key", "request_key"),
    *("keyctl", "perf_event_open", "bpf", "userfaultfd", "unshare", "setns"),
    *("open_by_handle_at", "name_to_handle_at", "process_vm_readv", "process_vm_writev"),
    *("io_uring_setup", "move_mount", "open_tree", "fsopen", "fsmount", "mount_setattr"),
)
TABLES: dict[str, tuple[int, int, int, tuple[int, ...]]] = {
    "x86_64": (
        0xC000003E,
        56,
        435,
        (
            *(101, 165, 166, 155, 161, 167, 168, 169),
            *(175, 313, 176, 246, 248, 249),
            *(250, 298, 321, 323, 272, 308),
            *(304, 303, 310, 311),
            *(425, 429, 428, 430, 432, 442),
        ),
    ),
    "aarch64": (
        0xC00000B7,
        220,
        435,
        (
            *(117, 40, 39, 41, 51, 224, 225, 142),
            *(105, 273, 106, 104, 217, 218),
            *(219, 241, 280, 282, 97, 268),
            *(265, 264, 270, 271),
            *(425, 429, 428, 430, 432, 442),
        ),
    ),
}


def filter_program(machine: str | None = None) -> bytes | None:
    """Return the filter for a machine's calls as bytes; None for a machine without a table."""
    table = TABLES.get(machine or os.uname().machine)
    if table is None:
        return None
    return b"".join(struct.pack("<HBBI", *row) for row in _instructions(*table))


def _instructions(
    architecture: int, clone: int, clone3: int, refused: tuple[int, ...]
) -> Iterator[Instruction]:
    """Yield the program: another architecture kills, a listed call is refused, the rest passes."""
    yield LOAD, 0, 0, ARCHITECTURE
    yield JUMP_EQUAL, 1, 0, architecture
    yield RETURN, 0, 0, KILL
    yield LOAD, 0, 0, NUMBER
    yield JUMP_AT_LEAST, 0, 1, X32_BIT
    yield RETURN, 0, 0, REFUSE | errno.ENOSYS
    for number in refused:
        yield JUMP_EQUAL, 0, 1, number
        yield RETURN, 0, 0, REFUSE | errno.EPERM
    yield JUMP_EQUAL, 0, 1, clone3
    yield RETURN, 0, 0, REFUSE | errno.ENOSYS
    yield JUMP_EQUAL, 0, 3, clone
    yield LOAD, 0, 0, FIRST_ARGUMENT
    yield JUMP_ANY_BIT, 0, 1, NEW_NAMESPACES
    yield RETURN, 0, 0, REFUSE | errno.EPERM
    yield RETURN, 0, 0, ALLOW
