"""Which models a run used, each by name and digest, for the first line of its outputs.

Whoever loads a model hands its path through `use_model`, also where the model itself is kept in
memory; whoever writes outputs collects the names. Models are arrays and JSON (.npz without Python
objects, safetensors, TFLite), or weights whose SHA-256 is known before they are read: loading one
runs none of its content.
"""

import hashlib
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from earmark.files.sums import files_below, sha256
from earmark.values.errors import InputError

DIGITS = 12  # 48 bits: nobody has enough models for two of them to meet

# Models below these come with Earmark or with a package that was installed.
INSTALLED = (Path(__file__).parents[1], Path(sysconfig.get_paths()["purelib"]))

_used: ContextVar[set[str] | None] = ContextVar("models", default=None)
_given: ContextVar[list[Path] | None] = ContextVar("given models", default=None)


@contextmanager
def models_used() -> Iterator[set[str]]:
    """Collect the models that are used within this block, as `name@digest`."""
    names: set[str] = set()
    token = _used.set(names)
    try:
        yield names
    finally:
        _used.reset(token)


@contextmanager
def models_explained() -> Iterator[None]:
    """Raise InputError for a failure within this block if it used a model from outside.

    Loaders refuse what they check: names, kinds and shapes of arrays. What only computing with a
    model shows is refused here, for every model alike. With a shipped model, the failure is ours
    and stays what it is.
    """
    given: list[Path] = []
    token = _given.set(given)
    try:
        yield
    except (InputError, ImportError):
        raise
    except Exception as error:  # torch, numba and transformers raise kinds of their own
        if not given:
            raise
        raise InputError(
            "a model must be usable as it was written",
            at=given[-1],
            got=f"{type(error).__name__}: {str(error).partition(chr(10))[0]}",
            fix="train or fetch it again; if it is whole, please report this as a bug of Earmark's",
        ) from error
    finally:
        _given.reset(token)


def use_model(path: Path) -> Path:
    """Record that the model in a file or folder is used; return its path.

    One that is not there is left to whoever loads it, who can say what is missing.
    """
    given = _given.get()
    if given is not None and not any(path.is_relative_to(place) for place in INSTALLED):
        given.append(path)
    names = _used.get()
    if names is not None and path.exists():
        facts = path.stat()
        names.add(f"{path.name}@{_digest(path, facts.st_size, facts.st_mtime_ns)}")
    return path


def use_named_model(name: str, revision: str | None) -> None:
    """Record that a model is used which another library keeps, by its revision."""
    names = _used.get()
    if names is not None:
        names.add(f"{name}@{revision or 'unknown'}")


@lru_cache(maxsize=64)
def _digest(path: Path, size: int, changed: int) -> str:
    """Return a file's digest, or that of the names and digests of a folder's files.

    `size` and `changed` only tell one state of a file from another.
    """
    if not path.is_dir():
        return sha256(path)[:DIGITS]
    lines = [f"{name} {sha256(path / name)}" for name in files_below(path)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:DIGITS]
