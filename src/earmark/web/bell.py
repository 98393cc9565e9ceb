"""One wake-up of the event loop for all the results that a commit brings."""

import asyncio
import contextlib
from collections import deque
from concurrent.futures import Future
from typing import Any


class Bell:
    """Carries results from the threads that write to those who wait in an event loop.

    A commit ends dozens of jobs at the same moment; waking the loop for each would cost more than
    most of the jobs. A wait that is cancelled leaves its job alone: others share its transaction.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._due: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._is_rung = False

    def wait(self, future: "Future[Any]") -> "asyncio.Future[Any]":
        """Return what to await for the result of a job."""
        waiting = self.loop.create_future()
        future.add_done_callback(lambda done: self._ring(waiting, done))
        return waiting

    def _ring(self, waiting: "asyncio.Future[Any]", done: "Future[Any]") -> None:
        """Note a result; called in the thread that has it."""
        # first the note, then the look: whoever empties the notes first says that the bell is still
        self._due.append((waiting, done))
        if not self._is_rung:
            self._is_rung = True
            with contextlib.suppress(RuntimeError):  # the loop has ended: nobody waits
                self.loop.call_soon_threadsafe(self._hand_over)

    def _hand_over(self) -> None:
        """Give everybody their result; called in the loop."""
        self._is_rung = False
        while self._due:
            waiting, done = self._due.popleft()
            if waiting.done():
                continue
            error = done.exception()
            if error is not None:
                waiting.set_exception(error)
            else:
                waiting.set_result(done.result())
