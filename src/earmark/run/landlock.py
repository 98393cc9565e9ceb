"""Take away every file but those named, by Landlock, and become another program.

Run as a script by the Python that runs Earmark, with nothing of it imported:
`landlock.py r:PATH ... w:PATH ... -- WORDS`.
"""

import ctypes
import os
import sys

# Numbers of the system calls, the same on all machines, and the rights of Landlock's first version.
CREATE, ADD, RESTRICT = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1, 2, 4, 8
ALL = (1 << 13) - 1
READ = EXECUTE | READ_FILE | READ_FOLDER
FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE
PATH_BENEATH, NO_NEW_PRIVILEGES = 1, 38


class RulesetAttributes(ctypes.Structure):
    """What a set of rules handles."""

    _fields_ = (("handled", ctypes.c_uint64),)


class PathRule(ctypes.Structure):
    """What is allowed below one path."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def restrict(rules: list[str]) -> None:
    """Allow the paths of the rules and no other file, for this process and all that it starts."""
    library = ctypes.CDLL(None, use_errno=True)

    def call(*words: object) -> int:
        result = int(library.syscall(*words))
        if result < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return result

    handled = RulesetAttributes(ALL)
    rule_set = call(CREATE, ctypes.byref(handled), ctypes.sizeof(handled), 0)
    for rule in rules:
        kind, _, path = rule.partition(":")
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        allowed = ALL if kind == "w" else READ
        if not os.path.isdir(path):
            allowed &= FILE_ONLY
        entry = PathRule(allowed, handle)
        call(ADD, rule_set, PATH_BENEATH, ctypes.byref(entry), 0)
        os.close(handle)
    if library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        raise OSError("new privileges cannot be ruled out")
    call(RESTRICT, rule_set, 0)
    os.close(rule_set)


def main(words: list[str]) -> None:
    """Restrict this process by the rules before `--`, and become the words after it."""
    border = words.index("--")
    restrict(words[:border])
    os.execvp(words[border + 1], words[border + 1 :])


if __name__ == "__main__":
    main(sys.argv[1:])
