"""How far the work is: rooms report it here; the command line or a web page shows it."""

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, int, int | None], None]

_listener: ContextVar[Listener | None] = ContextVar("progress", default=None)
_notes: ContextVar[Callable[[str], None] | None] = ContextVar("notes", default=None)


def track(things: Iterable[T], *, label: str, total: int | None = None) -> Iterator[T]:
    """Yield the things one by one, reporting to the current listener how many are done.

    Examples
    --------
    >>> [n * n for n in track([1, 2, 3], label="squares")]
    [1, 4, 9]
    """
    listener = _listener.get()
    if total is None and isinstance(things, Sized):
        total = len(things)
    for done, thing in enumerate(things):
        if listener:
            listener(label, done, total)
        yield thing
    if listener and total is not None:
        listener(label, total, total)


@contextmanager
def reporting_to(listener: Listener) -> Iterator[None]:
    """Send progress to `listener(label, done, total)` within this block."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def current_listener() -> Listener | None:
    """Return the listener of the enclosing block, to relay the progress of other processes."""
    return _listener.get()


def notify(line: str) -> None:
    """Send a line for the person who waits to whoever shows such lines; to nobody by default."""
    show = _notes.get()
    if show:
        show(line)


@contextmanager
def notes_to(show: Callable[[str], None]) -> Iterator[None]:
    """Send notes to `show(line)` within this block."""
    token = _notes.set(show)
    try:
        yield
    finally:
        _notes.reset(token)
