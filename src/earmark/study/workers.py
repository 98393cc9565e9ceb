"""Workers that stay: on this machine one after the other, or on a dask.distributed cluster."""

import contextlib
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from earmark.run.phases import WAITING
from earmark.study.challenge import Challenge
from earmark.study.worker import Note, Worker
from earmark.task.extras import missing_explained
from earmark.task.task import Json
from earmark.values.errors import InputError

# How often an idle worker looks whether something was handed in, in seconds.
LOOK = 1.0


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Let SIGTERM end the block as Ctrl-C does: the submission under way goes back to the queue."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def waiting(challenge: Challenge) -> int:
    """Return how many submissions have not ended."""
    from earmark.run.queue_reads import state_counts

    counts = state_counts(challenge.engine)
    return sum(counts.get(state, 0) for state in WAITING)


def work(challenge: Challenge, *, until_empty: bool, note: Note) -> Json:
    """Run submissions in this process; with `until_empty`, return when nothing waits."""
    worker, worked = Worker(challenge, note=note), 0
    try:
        while True:
            worker.challenge = worker.challenge.current()
            identity = worker.work_once()
            worker.refresh_boards()
            if identity is not None:
                worked += 1
            elif until_empty and not waiting(challenge):
                break
            else:
                time.sleep(LOOK)
    except KeyboardInterrupt:
        if until_empty:
            raise
    worker.refresh_boards(now=True)
    return _summary(challenge, worked)


def _summary(challenge: Challenge, worked: int) -> Json:
    from earmark.run.queue_reads import state_counts

    return {
        "study": challenge.study.name,
        "worked": worked,
        "waiting": waiting(challenge),
        "states": state_counts(challenge.engine),
    }


def work_on_cluster(challenge: Challenge, address: str, *, until_empty: bool, note: Note) -> Json:
    """Let every worker of a cluster run submissions, one at a time each.

    The queue's leases are what guards against a worker that dies, here as anywhere: the cluster
    only says where there is room.
    """
    with missing_explained():
        from distributed import Client
    try:
        client = Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(
            "there is no cluster at this address", got=address, want="tcp://HOST:8786"
        ) from error
    with client:
        require_shared_database(challenge, client)
        return _keep_busy(challenge, client, until_empty=until_empty, note=note)


def require_shared_database(challenge: Challenge, client: Any) -> None:
    """Raise InputError if machines would share a SQLite file, which only one machine can lock."""
    hosts = {info["host"] for info in client.scheduler_info(n_workers=-1)["workers"].values()}
    own = {"127.0.0.1", "localhost", "::1", socket.gethostname()}
    with contextlib.suppress(OSError):
        own.add(socket.gethostbyname(socket.gethostname()))
    if challenge.url.startswith("sqlite") and hosts - own:
        raise InputError(
            "several machines need a database that they can share",
            got=f"a SQLite file, and workers on {', '.join(sorted(hosts))}",
            want="--database postgresql://USER@HOST/NAME",
        )


def _keep_busy(challenge: Challenge, client: Any, *, until_empty: bool, note: Note) -> Json:
    """Give every worker of the cluster that is free one submission, until told to stop."""
    folder, worked = str(challenge.study.folder.resolve()), 0
    busy: dict[str, Any] = {}  # address of a cluster's worker to what it does
    boards = Worker(challenge, note=note)
    try:
        while True:
            for place, future in list(busy.items()):
                if future.done():
                    worked += _ended(busy.pop(place), note)
                    boards.refresh_boards()
            boards.challenge = boards.challenge.current()
            left = waiting(challenge)
            if until_empty and not left and not busy:
                break
            places = list(client.scheduler_info(n_workers=-1)["workers"])
            for place in [place for place in places if place not in busy][: max(left, 0)]:
                busy[place] = client.submit(
                    work_in_cluster, folder, challenge.url, workers=[place], pure=False, retries=0
                )
            time.sleep(LOOK / 4)
    except KeyboardInterrupt:
        if until_empty:
            raise
    boards.refresh_boards(now=True)
    return _summary(challenge, worked)


def _ended(future: Any, note: Note) -> int:
    """Return 1 if a cluster's worker ran a submission; one that died is no matter."""
    if future.status != "finished":
        note(f"a worker of the cluster was lost: {future.status}")
        return 0
    identity, lines = future.result()
    for line in lines:
        note(line)
    return int(identity is not None)


def work_in_cluster(folder: str, url: str) -> tuple[str | None, list[str]]:
    """Run one submission on the machine that this is called on; return its id and the notes."""
    lines: list[str] = []
    challenge = Challenge.open(Path(folder), url)
    try:
        return Worker(challenge, note=lines.append).work_once(), lines
    finally:
        challenge.close()
