"""How far the work is: rooms report it here; the command line or a web page shows it."""

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, int, int | None], None]

_listener: ContextVar[Listener | None] = ContextVar("progress", default=None)
_expected: ContextVar[dict[str, int] | None] = ContextVar("expected", default=None)
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
    expected = _expected.get()
    expected = {} if expected is None else expected
    expected.pop(label, None)
    done = 0
    for done, thing in enumerate(things, start=1):
        if listener:
            listener(label, done - 1, expected.get(label) if total is None else total)
        yield thing
    if listener:
        listener(label, done, done if total is None else total)


def expect(label: str, total: int) -> None:
    """Say how many things the `track` of that label will get, from where they are made.

    A generator knows its number when it starts to run, which is after `track` was called.
    """
    expected = _expected.get()
    if expected is not None:
        expected[label] = total


@contextmanager
def reporting_to(listener: Listener) -> Iterator[None]:
    """Send progress to `listener(label, done, total)` within this block."""
    token, expecting = _listener.set(listener), _expected.set({})
    try:
        yield
    finally:
        _listener.reset(token)
        _expected.reset(expecting)


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
