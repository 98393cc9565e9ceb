"""A folder of scripts, looked over and copied before any of it runs."""

import hashlib
import os
import shutil
import stat
import zipfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from earmark.files.archive import LEFT_OUT, ArchiveLimits, check_name, unpack
from earmark.run.trees import remove_tree
from earmark.task.contract import INITIALIZE, Contract
from earmark.values.errors import InputError
from earmark.values.names import some

DIGITS = 16  # of the digest, as in signatures
BLOCK = 1024 * 1024
Identity = tuple[int, int]  # device and inode: the same for all hard links of a file


@dataclass(frozen=True, slots=True)
class Code:
    """A submission as it was copied: where, and the digest of names, modes and bytes."""

    folder: Path
    digest: str


def is_submission(path: Path, contract: Contract | None) -> bool:
    """Return whether a path is meant as a submission: a zip, or a folder with one of its scripts.

    A folder without scripts may hold prediction files, which are taken as outputs.
    """
    if contract is None:
        return False
    if path.is_dir():
        names = (INITIALIZE, *contract.scripts)
        return any((path / name).exists() for name in names)
    return path.suffix.lower() == ".zip" or (path.is_file() and zipfile.is_zipfile(path))


def take_in(
    path: Path,
    folder: Path,
    contract: Contract,
    *,
    limits: ArchiveLimits = ArchiveLimits(),
    forbidden: Collection[Identity] = (),
) -> Code:
    """Copy a submission into a new folder, looked over; raise InputError if it is none.

    `forbidden` are files that it must not be a hard link of: those with labels.
    """
    if os.path.lexists(folder):
        remove_tree(folder)
    try:
        if path.is_dir():
            _copy(path, folder, limits, forbidden)
        else:
            unpack(path, folder, limits)
        _check_scripts(folder, contract, path)
    except InputError:
        remove_tree(folder)
        raise
    return Code(folder, code_digest(folder))


def code_digest(folder: Path) -> str:
    """Return the digest of a folder: names, which files can be run, and bytes; in any order."""
    total = hashlib.sha256()
    for path in sorted(_files(folder)):
        name = path.relative_to(folder).as_posix().encode()
        runs = b"x" if path.stat().st_mode & stat.S_IXUSR else b"-"
        total.update(len(name).to_bytes(4, "big") + name + runs + _sha256(path))
    return total.hexdigest()[:DIGITS]


def _sha256(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _files(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place) / name for name in names)


def _copy(path: Path, folder: Path, limits: ArchiveLimits, forbidden: Collection[Identity]) -> None:
    """Copy the plain files of a folder; refuse links, special files and what is too much."""
    left, entries = limits.total, 0
    folder.mkdir(parents=True)
    for place, folders, names in os.walk(path):
        folders[:] = sorted(set(folders) - LEFT_OUT)
        for name in sorted({*folders, *names} - LEFT_OUT):
            source = Path(place) / name
            inner = source.relative_to(path)
            check_name(inner.as_posix(), at=path)
            facts = source.lstat()
            _check_kind(inner, facts, path, forbidden)
            entries, left = entries + 1, left - facts.st_size
            if left < 0 or entries > limits.entries:
                raise InputError(
                    "a submission is too large",
                    at=path,
                    want=f"at most {limits.total} bytes in {limits.entries} files",
                )
            _copy_one(source, folder / inner, facts)


def _check_kind(
    inner: Path, facts: os.stat_result, path: Path, forbidden: Collection[Identity]
) -> None:
    kind = stat.S_IFMT(facts.st_mode)
    what = {stat.S_IFREG: "", stat.S_IFDIR: "", stat.S_IFLNK: "a link"}.get(kind, "a special file")
    if kind == stat.S_IFREG and (facts.st_dev, facts.st_ino) in forbidden:
        what = "a hard link of a file of the study"
    if facts.st_mode & (stat.S_ISUID | stat.S_ISGID) and kind == stat.S_IFREG:
        what = "sets the user id"
    if what:
        raise InputError(
            "a submission holds files and folders alone",
            at=path,
            got=f"{inner}: {what}",
            fix="replace it by a copy of the file, or leave it out",
        )


def _copy_one(source: Path, to: Path, facts: os.stat_result) -> None:
    if stat.S_ISDIR(facts.st_mode):
        to.mkdir(exist_ok=True)
        return
    handle = os.open(source, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(handle, "rb") as reading, to.open("xb") as writing:
        shutil.copyfileobj(reading, writing, BLOCK)
    to.chmod(0o755 if facts.st_mode & stat.S_IXUSR else 0o644)


def _check_scripts(folder: Path, contract: Contract, path: Path) -> None:
    """Raise InputError if a script is missing, empty, or has line ends that bash cannot read."""
    missing = [name for name in contract.scripts if not (folder / name).is_file()]
    if missing:
        present = sorted(entry.name for entry in folder.iterdir())
        raise InputError(
            "a submission must have its scripts at the top",
            at=path,
            got=f"{some(present, 'file')}, no {', '.join(missing)}",
            want=", ".join(contract.scripts),
        )
    for name in (INITIALIZE, *contract.scripts):
        script = folder / name
        if not script.is_file():
            continue
        with script.open("rb") as file:
            text = file.read(BLOCK)
        if not text.strip():
            raise InputError("a script must not be empty", at=path, got=name)
        if b"\r\n" in text:
            raise InputError(
                "a script must have line ends that bash can read",
                at=path,
                got=f"{name} with the line ends of Windows",
                fix=f"convert it: sed -i 's/\\r$//' {name}",
            )
