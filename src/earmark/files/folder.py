"""Atomic writes: a file or a folder is there whole, or as it was before."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from earmark.values.errors import InputError

PARTIAL = ".partial-"  # unfinished: followed by the id of the process that writes it
OLD = ".old-"  # the former folder, between the two renames of `_swap`


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file whole or not at all: to a temporary file beside it, which is then renamed.

    Raise InputError if it cannot be written; the file is then as it was before.
    """
    data = text.encode() if isinstance(text, str) else text
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f"{PARTIAL}{os.getpid()}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        raise InputError("the file cannot be written", at=path, got=error.strerror) from error
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give the block a new folder to fill, which replaces `path` when the block ends without error.

    Raise InputError if it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f"{PARTIAL}{os.getpid()}-", dir=path.parent))
    try:
        yield partial
        os.chmod(partial, 0o755)
        _swap(partial, path)
    except OSError as error:
        raise InputError("the folder cannot be written", at=path, got=error.strerror) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _swap(new: Path, path: Path) -> None:
    """Replace the folder `path`. A folder cannot be replaced in one step, hence `recover`."""
    old = path.parent / f"{OLD}{path.name}"
    shutil.rmtree(old, ignore_errors=True)
    if path.exists():
        os.rename(path, old)
    os.rename(new, path)
    shutil.rmtree(old, ignore_errors=True)


def recover(folder: Path) -> None:
    """Restore a folder that a kill between two renames left aside; delete unfinished files.

    What a running process is writing is left alone, so two systems may run at the same time.
    """
    for old in folder.glob(f"{OLD}*"):
        place = folder / old.name.removeprefix(OLD)
        if place.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            os.rename(old, place)
    for partial in [p for p in folder.rglob(f"{PARTIAL}*") if not _is_alive(p)]:
        if partial.is_dir():
            shutil.rmtree(partial, ignore_errors=True)
        else:
            partial.unlink(missing_ok=True)


def _is_alive(partial: Path) -> bool:
    process = partial.name.removeprefix(PARTIAL).partition("-")[0]
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
