"""Unpack a submission without letting it escape: nothing is written outside, nothing grows wild.

A zip is a list of names that a stranger chose. Every entry is looked at before the first byte is
written; while bytes are written they are counted, as what the list says of sizes may be a lie.
"""

import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from earmark.values.errors import InputError

# Text shrinks to a tenth, weights hardly; a bomb to a thousandth. Small entries may do as they
# like: below a megabyte nothing can do harm.
RATIO, RATIO_FROM = 200, 1024 * 1024
BLOCK = 1024 * 1024
# What a name may hold. Blanks are fine; ends of lines, controls and backslashes are not, nor what
# a shell would take for an option.
LONGEST_NAME, LONGEST_PATH, DEEPEST = 200, 400, 20
ENCRYPTED = 0x1
# What systems and version control leave in folders; it is no part of a submission.
LEFT_OUT = frozenset({"__MACOSX", ".DS_Store", ".git"})


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How large a submission may be: bytes in all when unpacked, and files."""

    total: int = 5 * 1024**3  # the challenge's kit recommends less than 5 GB
    entries: int = 20_000


def unpack(archive: Path, folder: Path, limits: ArchiveLimits = ArchiveLimits()) -> None:
    """Unpack a zip into a new folder; raise InputError, with nothing written outside it, if not.

    A single folder at the top, which is how people zip, is left out. Files get the modes 0644, or
    0755 where the owner could run them; set-user-id bits and times are not taken over.
    """
    with _readable(archive) as source:
        entries = [e for e in source.infolist() if not LEFT_OUT & set(e.filename.split("/"))]
        if len(entries) > limits.entries:
            _refuse("a submission has too many files", archive, len(entries), limits.entries)
        names = {entry.filename: check_name(entry.filename, at=archive) for entry in entries}
        for entry in entries:
            _check_entry(entry, archive)
        _check_names([names[entry.filename] for entry in entries], archive)
        if sum(entry.file_size for entry in entries) > limits.total:
            size = sum(entry.file_size for entry in entries)
            _refuse("a submission is too large", archive, f"{size} bytes", limits.total)
        top = _common_top([names[e.filename] for e in entries if not e.is_dir()])
        left = limits.total
        folder.mkdir(parents=True, exist_ok=False)
        for entry in entries:
            inner = PurePosixPath(*names[entry.filename].parts[top:])
            if entry.is_dir():
                (folder / inner).mkdir(parents=True, exist_ok=True)
            else:
                left -= _extract(source, entry, folder / inner, left, archive)


def check_name(name: str, *, at: Path) -> PurePosixPath:
    """Return a name inside a submission as a path; raise InputError if it could lead outside."""
    path = PurePosixPath(name)
    parts = path.parts
    strange = [c for c in name if not c.isprintable() or c in "\\:*?\"<>|`$;&'"]
    problem = (
        ("is absolute", path.is_absolute() or (len(name) > 1 and name[1] == ":")),
        ("leads outside by ..", ".." in parts),
        (f"has the character {strange[:1]!r}", bool(strange)),
        ("is empty", not parts),
        ("is too long or too deep", len(name) > LONGEST_PATH or len(parts) > DEEPEST),
        ("has a part that is too long", any(len(part) > LONGEST_NAME for part in parts)),
        ("begins with a hyphen", any(part.startswith("-") for part in parts)),
    )
    for what, is_so in problem:
        if is_so:
            raise InputError(
                f"a name in a submission {what}",
                at=at,
                got=repr(name),
                want="a relative path of letters, digits, blanks and . _ - + = @ ( ) ,",
                fix="rename the file and pack the folder again",
            )
    return path


def _check_entry(entry: zipfile.ZipInfo, archive: Path) -> None:
    """Raise InputError if an entry is no plain file or folder, or a bomb."""
    mode = entry.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = "a link" if kind == stat.S_IFLNK else "a device, a pipe or a socket"
        _refuse("a submission holds files and folders alone", archive, f"{entry.filename}: {what}")
    if mode & (stat.S_ISUID | stat.S_ISGID):
        _refuse("a file may not set the user id", archive, entry.filename)
    if entry.flag_bits & ENCRYPTED:
        _refuse("a submission must not be encrypted", archive, entry.filename)
    if entry.file_size > max(RATIO_FROM, RATIO * entry.compress_size):
        got = f"{entry.filename}: {entry.compress_size} bytes that unpack to {entry.file_size}"
        _refuse("a packed file must not unpack to many times its size", archive, got)


def _check_names(paths: list[PurePosixPath], archive: Path) -> None:
    """Raise InputError if two entries have one name, also where letters' case does not count."""
    seen: dict[str, PurePosixPath] = {}
    for path in paths:
        key = str(path).casefold()
        if key in seen:
            _refuse("a submission names a file twice", archive, f"{seen[key]} and {path}")
        seen[key] = path


def _common_top(paths: list[PurePosixPath]) -> int:
    """Return 1 if everything lies in one folder, which is then left out, and 0 if not."""
    tops = {path.parts[0] for path in paths}
    return int(len(tops) == 1 and all(len(path.parts) > 1 for path in paths))


def _extract(
    source: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, left: int, archive: Path
) -> int:
    """Write one entry to a new file and return its size; stop at what is left of the limit."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = 0o755 if (entry.external_attr >> 16) & 0o100 else 0o644
    size = 0
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
    with os.fdopen(handle, "wb") as file, source.open(entry) as packed:
        while block := packed.read(BLOCK):
            size += len(block)
            if size > min(left, entry.file_size):
                got = f"{entry.filename}: more than {entry.file_size} bytes"
                _refuse("a file must be as large as its zip says", archive, got)
            file.write(block)
    os.chmod(path, mode)
    return size


@contextmanager
def _readable(archive: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(archive) as source:
            yield source
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise InputError(
            "a submission is a folder, or a zip of one",
            at=archive,
            got=error,
            fix="pack it anew: zip -r submission.zip .",
        ) from error
    except FileExistsError as error:  # a file where a folder must be: two entries contradict
        raise InputError("a submission names a file twice", at=archive, got=error) from error
    except OSError as error:
        raise InputError("the zip cannot be unpacked", at=archive, got=error) from error


def _refuse(what: str, archive: Path, got: object, want: object = None) -> None:
    raise InputError(what, at=archive, got=got, want=f"at most {want}" if want else None)
