"""One byte of a study changed at a time, and whether `verify` names the file."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from earmark.study.verify import verify


def changed_bytes(
    folder: Path, draw: random.Random, *, bytes_per_file: int
) -> Iterator[tuple[Path, Callable[[], object]]]:
    """Change a random byte of each file in turn; yield the file, and what restores it."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        whole = path.read_bytes()
        for _ in range(bytes_per_file):
            place = draw.randrange(len(whole))
            other = draw.choice([byte for byte in range(256) if byte != whole[place]])
            path.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
            yield path, partial(path.write_bytes, whole)


def named_by_verify(folder: Path, path: Path) -> bool:
    """Return whether `verify` says no and names this file."""
    name = str(path.relative_to(folder))
    return any(_names(problem, name) for problem in verify(folder)["problems"])


def _names(problem: dict[str, str], name: str) -> bool:
    """Return whether a problem names a file; a changed digest is a problem of the file it is of."""
    place, _, last = name.rpartition("/")
    in_list = (
        last == "SHA256SUMS" and problem["file"].startswith(place) and last in problem["problem"]
    )
    return problem["file"] == name or in_list
