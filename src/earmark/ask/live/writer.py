"""Transactions that are on disk when their result arrives.

SQLite has one writer at a time, and each commit waits for the disk: one thread runs everything that
is waiting in one transaction and commits once (group commit). PostgreSQL groups commits by itself;
there each job is a transaction in one of a few threads.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

T = TypeVar("T")
Job = Callable[[Connection], T]

# Jobs in one commit. More would let the first one wait for the others' work.
LARGEST_GROUP = 128
# Threads, and so connections, of one server process; PostgreSQL allows 100 by default.
POSTGRES_THREADS = 8
# A transaction that PostgreSQL gave up for another one's sake is tried again so often.
TRIES = 5


class AnswerWriter(Protocol):
    """Runs jobs, each a function of a connection, and reports their results after the commit."""

    def submit(self, job: Job[T]) -> "Future[T]":
        """Return the result to come; it is there when the job's changes are on disk."""
        ...

    def close(self) -> None:
        """Finish what was submitted, and stop."""
        ...


def writer_for(engine: Engine) -> AnswerWriter:
    """Return the writer that suits a database."""
    return GroupWriter(engine) if engine.dialect.name == "sqlite" else PoolWriter(engine)


class GroupWriter:
    """One thread, one transaction for all that waits, one commit."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[tuple[Job[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job[T]) -> "Future[T]":
        """Return the result to come; it is there when the job's changes are on disk."""
        result: Future[T] = Future()
        self._waiting.put((job, result))
        return result

    def close(self) -> None:
        """Finish what was submitted, and stop."""
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        is_open = True
        while is_open:
            group = [self._waiting.get()]
            while len(group) < LARGEST_GROUP and group[-1] is not None:
                try:
                    group.append(self._waiting.get_nowait())
                except queue.Empty:
                    break
            is_open = group[-1] is not None
            # whoever has gone away before their turn gets nothing; from here on they cannot cancel
            jobs = [e for e in group if e is not None and e[1].set_running_or_notify_cancel()]
            if jobs:
                self._commit(jobs)

    def _commit(self, jobs: list[tuple[Job[Any], "Future[Any]"]]) -> None:
        """Run jobs in one transaction; if one fails, undo all and run each by itself."""
        try:
            with self._engine.begin() as connection:
                results = [job(connection) for job, _ in jobs]
        except Exception as error:
            if len(jobs) == 1:
                jobs[0][1].set_exception(error)
                return
            for entry in jobs:
                self._commit([entry])
            return
        for (_, future), result in zip(jobs, results, strict=True):
            future.set_result(result)


class PoolWriter:
    """A few threads, a transaction for each job."""

    def __init__(self, engine: Engine, threads: int = POSTGRES_THREADS) -> None:
        self._engine = engine
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="writer")

    def submit(self, job: Job[T]) -> "Future[T]":
        """Return the result to come; it is there when the job's changes are on disk."""
        return self._pool.submit(self._run, job)

    def close(self) -> None:
        """Finish what was submitted, and stop."""
        self._pool.shutdown(wait=True)

    def _run(self, job: Job[T]) -> T:
        for tries_left in reversed(range(TRIES)):
            try:
                with self._engine.begin() as connection:
                    return job(connection)
            except DBAPIError as error:
                # two at once with the same key, a deadlock: the second try sees the first one's row
                if not tries_left or not _is_passing(error):
                    raise
        raise AssertionError("unreachable")


def _is_passing(error: DBAPIError) -> bool:
    """Return whether a transaction failed only because of another one."""
    state = str(getattr(error.orig, "sqlstate", "") or "")
    return isinstance(error, IntegrityError) or state.startswith("40")
