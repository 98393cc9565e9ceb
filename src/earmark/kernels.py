"""How kernels are compiled: by numba, and once per machine wherever the result can be stored.

numba stores compiled code beside its source, or else in the user's cache folder. In an install that
is read-only, used by somebody without a home folder, it has neither and refuses to compile: then a
folder in the place for temporary files takes the code, and without that each process compiles anew.
"""

import atexit
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba

from earmark.task.progress import notify


def njit(**options: Any) -> Any:
    """Return numba's decorator of that name, which stores its code where it can."""

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return numba.njit(**options)(function)
        except RuntimeError:  # "no locator available": there is no place that can be written
            folder = temporary_cache()
        if folder is not None:
            numba.config.CACHE_DIR = str(folder)
            try:
                return numba.njit(**options)(function)
            except RuntimeError:
                pass
        return numba.njit(**{**options, "cache": False})(function)

    return compiled


@cache
def temporary_cache() -> Path | None:
    """Return a folder for temporary files that nobody else can write; None where there is none.

    What lies there is run: a folder of that name which another user made is never taken.
    """
    try:
        place = Path(tempfile.gettempdir()) / f"earmark-{os.getuid()}"
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
