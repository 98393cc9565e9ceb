"""Folders that strangers wrote: measured, copied and removed without following what lies there.

By programs of the system where they are sturdier than Python: a folder nested ten thousand deep
ends a recursion, and `rm` does not mind. Nothing runs any more when these are called, except for
`tree_size`, which looks at a folder while it is being written.
"""

import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Files and folders in a work folder. A model of many pieces has thousands; a million would take
# longer to remove than to write.
MOST_ENTRIES = 200_000


@dataclass(frozen=True, slots=True)
class TreeSize:
    """How much lies below some folders; `too_many` when not all of it was counted."""

    bytes: int = 0
    entries: int = 0
    too_many: bool = False


def tree_size(folders: list[Path]) -> TreeSize:
    """Return what lies below folders, links not followed; stop at `MOST_ENTRIES`.

    A sparse file counts with the size that it claims.
    """
    size = entries = 0
    waiting = [str(folder) for folder in folders]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as rows:
                for row in rows:
                    entries += 1
                    if entries > MOST_ENTRIES:
                        return TreeSize(size, entries, too_many=True)
                    size += _size(row)
                    if row.is_dir(follow_symlinks=False):
                        waiting.append(row.path)
        except FileNotFoundError:
            continue  # removed while we looked
        except PermissionError:
            continue  # closed by its owner; when we are root this does not happen
        except OSError:  # a path that is too long: nobody nests folders that deep in good faith
            return TreeSize(size, entries, too_many=True)
    return TreeSize(size, entries)


def _size(row: os.DirEntry[str]) -> int:
    try:
        facts = row.stat(follow_symlinks=False)
    except OSError:
        return 0
    return max(facts.st_size, 512 * facts.st_blocks) if stat.S_ISREG(facts.st_mode) else 0


def remove_tree(path: Path) -> None:
    """Remove a file or folder with all below it, also where its owner closed it to himself."""
    if not os.path.lexists(path):
        return
    # -h: a link is not followed. chmod fails on nothing that matters: rm has the last word.
    if path.is_dir() and not path.is_symlink() and os.getuid() != 0:
        _call("chmod", "-R", "u+rwX", "--", str(path))
    _call("rm", "-rf", "--", str(path))
    if os.path.lexists(path):
        raise OSError(f"{path} cannot be removed")


def copy_tree(source: Path, to: Path) -> None:
    """Copy a folder as it is: owners, modes and times, links as links; nothing is followed."""
    to.mkdir(parents=True)
    status = _call("cp", "-a", "--", f"{source}/.", str(to))
    if status:
        raise OSError(f"{source} cannot be copied")


def give(path: Path, owner: int | None) -> None:
    """Give a folder and all below it to another user; to nobody where `owner` is None."""
    if owner is not None and _call("chown", "-R", "-h", f"{owner}:{owner}", "--", str(path)):
        raise OSError(f"{path} cannot be given to the user {owner}")


def _call(*words: str) -> int:
    """Call a program of the system; return its exit code."""
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return done.returncode
