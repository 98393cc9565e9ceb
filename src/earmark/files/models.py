"""Which models a run used, each by name and digest, for the first line of its outputs.

Whoever loads a model hands its path through `use_model`, also where the model itself is kept in
memory; whoever writes outputs collects the names. Models are arrays and JSON (.npz without Python
objects, safetensors, TFLite), or weights whose SHA-256 is known before they are read: loading one
runs none of its content.
"""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from earmark.files.sums import files_below, sha256

DIGITS = 12  # 48 bits: nobody has enough models for two of them to meet

_used: ContextVar[set[str] | None] = ContextVar("models", default=None)


@contextmanager
def models_used() -> Iterator[set[str]]:
    """Collect the models that are used within this block, as `name@digest`."""
    names: set[str] = set()
    token = _used.set(names)
    try:
        yield names
    finally:
        _used.reset(token)


def use_model(path: Path) -> Path:
    """Record that the model in a file or folder is used; return its path.

    One that is not there is left to whoever loads it, who can say what is missing.
    """
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
