"""How kernels are compiled: by numba, at their first call, and stored on disk wherever that can be.

Loading numba and one stored kernel takes half a second, longer than a small file takes in plain
Python: within `plain()` kernels run as they are written, and numba is not loaded.

numba stores compiled code beside its source, or else in the user's cache folder. It tells one
source from another by size and time, which two versions of a file can have in common where files
are installed with a fixed date: so the code is in a folder that is named after the version. In an
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
from contextvars import ContextVar
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from earmark import __version__
from earmark.task.progress import notify

VERSION = f"earmark-{__version__}"  # numba checks its own
_is_plain: ContextVar[bool] = ContextVar("is_plain", default=False)


@contextmanager
def plain(is_wanted: bool = True) -> Iterator[None]:
    """Run kernels as plain Python inside the block, if that is wanted."""
    token = _is_plain.set(is_wanted)
    try:
        yield
    finally:
        _is_plain.reset(token)


class Kernel:
    """A function that numba compiles when it is first called, from Python or by another kernel."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        self.py_func, self._options = function, options
        self.__doc__, self.__name__ = function.__doc__, function.__name__

    def __call__(self, *values: Any) -> Any:
        """Return what the function returns."""
        return (self.py_func if _is_plain.get() else self.compiled)(*values)

    @cached_property
    def compiled(self) -> Any:
        """What numba makes of the function; its code is stored where it can be."""
        import numba

        for place in (installed_cache, temporary_cache):
            folder = place()
            if folder is not None and self._options.get("cache"):
                # RuntimeError: "no locator available", the place cannot be written after all
                with suppress(RuntimeError), _stored_in(folder):
                    return numba.njit(**self._options)(self.py_func)
        return numba.njit(**{**self._options, "cache": False})(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """What numba reads where a kernel that it compiles calls this one."""
        return self.compiled._numba_type_


def njit(**options: Any) -> Any:
    """Return a decorator that makes a kernel with these options of numba's."""
    return lambda function: Kernel(function, options)


@contextmanager
def _stored_in(folder: Path) -> Iterator[None]:
    """Let numba store what is decorated in this block in a folder; others' code is left alone."""
    import numba

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
        return Path(named) / VERSION
    places = [Path(__file__).parent / "__pycache__"]
    with suppress(RuntimeError):  # a user without a home folder
        places.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "earmark")
    for place in places:
        with suppress(OSError):
            (place / VERSION).mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place / VERSION):
                return place / VERSION
    return None


@cache
def temporary_cache() -> Path | None:
    """Return a folder for temporary files that nobody else can write; None where there is none.

    What lies there is run: a folder of that name which another user made is never taken.
    """
    try:
        place = Path(tempfile.gettempdir()) / f"{VERSION}-{os.getuid()}"
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
