"""How far the work is: rooms tell it here, a door (the command line) shows it."""

from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, int, int | None], None]

_listener: ContextVar[Listener | None] = ContextVar("progress", default=None)


def track(things: Iterable[T], *, label: str, total: int | None = None) -> Iterator[T]:
    """The things, one by one, telling whoever listens how many are done.

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
def heard_by(listener: Listener) -> Iterator[None]:
    """Within this block, `listener(label, done, total)` hears of progress."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def listening() -> Listener | None:
    """Whoever listens now, to hand on to other processes' news."""
    return _listener.get()
