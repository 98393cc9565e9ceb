"""Atomic writes: a file or a folder is there whole, or as it was before."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from errno import ENOTDIR
from functools import cache
from pathlib import Path

from earmark.values.errors import InputError

PARTIAL = ".partial-"  # unfinished: followed by the id of the process that writes it
OLD = ".old-"  # the former folder, between the two renames of `_swap`
STRANGERS = "submissions"  # in a study: what teams handed in, and where it runs

# From Linux's fcntl.h and fs.h: paths are relative to the working folder; swap the two names.
AT_FDCWD, RENAME_EXCHANGE = -100, 2


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file whole or not at all: to a temporary file beside it, which is then renamed.

    Raise InputError if it cannot be written; the file is then as it was before, and folders that
    were made for it are gone.
    """
    data = text.encode() if isinstance(text, str) else text
    with _explained("the file cannot be written", path), new_folder(path.parent):
        handle, name = tempfile.mkstemp(prefix=f"{PARTIAL}{os.getpid()}-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        finally:
            _remove(Path(name))


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give the block a new folder to fill, which replaces `path` when the block ends without error.

    Raise InputError if it cannot be written; `path` is then as it was before, and folders that were
    made for it are gone.
    """
    with _explained("the folder cannot be written", path), new_folder(path.parent):
        partial = Path(tempfile.mkdtemp(prefix=f"{PARTIAL}{os.getpid()}-", dir=path.parent))
        try:
            yield partial
            os.chmod(partial, 0o755)
            _swap(partial, path)
        finally:
            _remove(partial)


def write_files(
    folder: Path, files: Mapping[str, str], *, drop: Callable[[str], bool] = lambda name: False
) -> None:
    """Write several files of a folder together, or none of them.

    The folder's other files stay, except those whose names `drop` accepts.
    """
    with whole_folder(folder) as place:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name in files or path.name.startswith((PARTIAL, OLD)) or drop(path.name):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.copytree(path, place / path.name, symlinks=True, copy_function=_link)
            else:
                _link(path, place / path.name)
        for name, text in files.items():
            write_file(place / name, text)


def _link(path: str | Path, to: str | Path) -> None:
    """Give a file a second name, which takes no time; copy it where that cannot be done."""
    try:
        os.link(path, to, follow_symlinks=False)
    except OSError:
        shutil.copy2(path, to, follow_symlinks=False)


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Create a folder and those above it; if the block fails, remove new ones that are empty."""
    missing: list[Path] = []
    try:
        with _explained("the folder cannot be written", path):
            missing += [one for one in (path, *path.parents) if not one.exists()]
            path.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for one in missing:
            try:
                one.rmdir()
            except OSError:
                continue  # it was not made yet, or somebody else has put something there
        raise


@contextmanager
def _explained(what: str, path: Path) -> Iterator[None]:
    """Turn the operating system's errors within this block into InputError."""
    try:
        yield
    except OSError as error:
        raise InputError(what, at=path, got=error.strerror or error) from error


def _remove(path: Path) -> None:
    """Delete a file or a folder with all it holds; what cannot be deleted is left to `recover`."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def _swap(new: Path, path: Path) -> None:
    """Put `new` in the place of `path`; what was there is at `new` afterwards, or gone.

    Where the system cannot exchange two names in one step, it takes two renames, hence `recover`.
    """
    if not os.path.lexists(path):
        os.rename(new, path)
        return
    if not path.is_dir():
        raise NotADirectoryError(ENOTDIR, "there is a file where a folder is needed")
    if _exchange(new, path):
        return
    old = path.parent / f"{OLD}{path.name}"
    _remove(old)
    os.rename(path, old)
    try:
        os.rename(new, path)
    except OSError:
        os.rename(old, path)
        raise
    _remove(old)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two names in one step and return True; return False where that cannot be done."""
    rename = _renameat2()
    names = os.fsencode(one), os.fsencode(other)
    return bool(rename and not rename(AT_FDCWD, names[0], AT_FDCWD, names[1], RENAME_EXCHANGE))


@cache
def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """Return the C library's renameat2, which Python does not offer; None where there is none."""
    import ctypes

    function = getattr(ctypes.CDLL(None), "renameat2", None)
    if function is None:
        return None
    place = (ctypes.c_int, ctypes.c_char_p)
    function.argtypes = (*place, *place, ctypes.c_uint)
    function.restype = ctypes.c_int
    rename: Callable[[int, bytes, int, bytes, int], int] = function
    return rename


def leftovers(folder: Path) -> list[Path]:
    """Return the unfinished and former files and folders at every level of a folder.

    Folders of strangers' programs are left out: they may hold any name, and very many.
    """
    paths: list[Path] = []
    for place, folders, files in os.walk(folder):
        names = [name for name in (*folders, *files) if name.startswith((PARTIAL, OLD))]
        paths += [Path(place) / name for name in sorted(names)]
        folders[:] = [name for name in folders if name not in (*names, STRANGERS)]
    return paths


def recover(folder: Path) -> None:
    """Restore what a kill between two renames left aside, at every level; delete unfinished files.

    What a running process is writing is left alone. Only the one writer of a folder may call this:
    to anybody else the gap between a writer's two renames looks like that of a killed one.
    """
    with _explained("the folder cannot be put right after a kill", folder):
        for path in leftovers(folder):
            place = path.parent / path.name.removeprefix(OLD)
            if path.name.startswith(OLD) and not os.path.lexists(place):
                os.rename(path, place)
            elif path.name.startswith(OLD) or not _is_alive(path):
                _remove(path)


def _is_alive(partial: Path) -> bool:
    process = partial.name.removeprefix(PARTIAL).partition("-")[0]
    try:
        os.kill(int(process), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
