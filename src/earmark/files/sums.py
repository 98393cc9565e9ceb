"""Digests of the files of a folder, in the form that the command `sha256sum` writes and checks.

A folder's list is the file SHA256SUMS in it, sorted by name: `sha256sum -c SHA256SUMS` checks the
folder without Earmark. A name with a line end or a backslash is escaped as that command does.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from earmark.files.folder import OLD, PARTIAL
from earmark.files.text import explained, read_text
from earmark.values.errors import InputError

SUMS = "SHA256SUMS"
LINE = re.compile(r"(\\?)([0-9a-f]{64})  (.+)")
# What file managers leave in any folder that somebody has looked at.
NOT_OURS = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
BLOCK = 1 << 20


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file as 64 hex digits."""
    digest = hashlib.sha256()
    with explained(path), path.open("rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def files_below(folder: Path) -> Iterator[str]:
    """Yield what is in a folder and those below it, by name; unfinished files are left out.

    Whatever is no folder counts as a file: links, pipes and devices too.
    """
    for place, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = sorted(name for name in folders if not _unfinished(name) and name not in links)
        for name in sorted([*names, *links]):
            relative = os.path.relpath(os.path.join(place, name), folder)
            if not _unfinished(name) and name not in NOT_OURS and relative != SUMS:
                yield relative


def _unfinished(name: str) -> bool:
    return name.startswith((PARTIAL, OLD))


def sums_text(digests: Mapping[str, str]) -> str:
    """Return the text of a list of digests.

    Examples
    --------
    >>> sums_text({"a.txt": "0" * 64})[60:].strip()
    '0000  a.txt'
    """
    return "".join(_line(name, digests[name]) for name in sorted(digests))


def _line(name: str, digest: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return f"{'' if escaped == name else chr(92)}{digest}  {escaped}\n"


def read_sums(path: Path) -> dict[str, str]:
    """Return name to digest; raise InputError unless the file is as `sums_text` writes it."""
    text = read_text(path, keep_line_ends=True)
    digests: dict[str, str] = {}
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        match = LINE.fullmatch(line)
        if match is None:
            raise _not_sums(f"{path}:{number}", line)
        digests[_unescaped(match[3]) if match[1] else match[3]] = match[2]
    if not digests or sums_text(digests) != text:
        raise _not_sums(path, "lines in another order, twice, or cut" if digests else "no lines")
    return digests


def _unescaped(name: str) -> str:
    letters = {"\\": "\\", "n": "\n", "r": "\r"}
    return re.sub(r"\\(.)", lambda match: letters.get(match[1], match[0]), name)


def _not_sums(place: object, got: str) -> InputError:
    return InputError(
        "a list of digests must be as sha256sum writes it, sorted by name",
        at=place,
        got=got,
        fix="restore it; without it, the next verb takes new digests",
    )
