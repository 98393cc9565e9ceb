"""How kernels are compiled: by numba, and once per machine wherever the result can be stored.

numba stores compiled code beside its source, or else in the user's cache folder. It tells one
source from another by size and time, which two versions of a file can have in common where files
are installed with a fixed date: so the code is in a folder that is named after the versions. In an
install that is read-only, used by somebody without a home folder, there is neither place: then a
folder in the place for temporary files takes the code, and without that each process compiles anew.
"""

import atexit
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba

from earmark import __version__
from earmark.task.progress import notify

VERSIONS = f"earmark-{__version__}-numba-{numba.__version__}"


def njit(**options: Any) -> Any:
    """Return numba's decorator of that name, which stores its code where it can."""

    def compiled(function: Callable[..., Any]) -> Any:
        for place in (installed_cache, temporary_cache):
            folder = place()
            if folder is not None and options.get("cache"):
                # RuntimeError: "no locator available", the place cannot be written after all
                with suppress(RuntimeError), _stored_in(folder):
                    return numba.njit(**options)(function)
        return numba.njit(**{**options, "cache": False})(function)

    return compiled


@contextmanager
def _stored_in(folder: Path) -> Iterator[None]:
    """Let numba store what is decorated in this block in a folder; others' code is left alone."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@cache
def installed_cache() -> Path | None:
    """Return the folder for compiled code: $NUMBA_CACHE_DIR, beside the package, or the user's.

    None where none of them can be written.
    """
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named) / VERSIONS
    places = [Path(__file__).parent / "__pycache__"]
    with suppress(RuntimeError):  # a user without a home folder
        places.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "earmark")
    for place in places:
        with suppress(OSError):
            (place / VERSIONS).mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place / VERSIONS):
                return place / VERSIONS
    return None


@cache
def temporary_cache() -> Path | None:
    """Return a folder for temporary files that nobody else can write; None where there is none.

    What lies there is run: a folder of that name which another user made is never taken.
    """
    try:
        place = Path(tempfile.gettempdir()) / f"{VERSIONS}-{os.getuid()}"
        if not _is_ours(place):
            place = Path(tempfile.mkdtemp(prefix="earmark-"))
            atexit.register(shutil.rmtree, place, ignore_errors=True)
    except OSError:
        notify("compiled code can be stored nowhere: every command compiles it anew")
        return None
    notify(f"compiled code is in {place}: neither the install nor a home folder can be written")
    return place


def _is_ours(place: Path) -> bool:
    """Return whether this is a folder of this user's alone, made now or earlier."""
    with suppress(FileExistsError):
        place.mkdir(mode=0o700)
    facts = place.lstat()
    is_folder = stat.S_ISDIR(facts.st_mode)
    return is_folder and facts.st_uid == os.getuid() and not facts.st_mode & 0o077
