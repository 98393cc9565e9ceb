"""How many answers a second a server keeps: `python -m benchmarks.live.answers`.

32 clients over HTTP on loopback, on SQLite (or `--database postgresql://...`, or `--postgres`, for
which a server is started), measured twice:

- whole: each client joins as one person after the other, asks for a question and answers it, as
  pages do; joining and fetching are part of the time and of the CPU seconds;
- answers alone: people have joined and hold a question each before the clock starts; what is
  timed is `POST /api/answers`.

An answer is counted when the server has confirmed it, which is after it is on disk. Clients are one
process with plain sockets (`clients.py`), so that they leave the machine to the server. The CPU
time of one answer depends less than answers per second on what else the machine does.
"""

import argparse
import os
import tempfile
import time
import uuid
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests import postgres
from tests.web.serving import events_study, served

from benchmarks.live.clients import Call, Calls, run_clients
from earmark.database.engine import default_url

JOIN = Call("POST", "/api/people", document={"consent": True})
LIMITS = ("--people", "50", "--requests-per-minute", "1e6", "--joins-per-minute", "1e6")


@dataclass
class Tally:
    """Seconds that each confirmed answer took."""

    seconds: list[float] = field(default_factory=list)

    def send(self, token: str, unit: str) -> Calls:
        """Answer a question; end the benchmark if the answer is not confirmed."""
        form = {"labels": ["dog_bark"]}
        document = {"unit": unit, "value": form, "seconds": 3.0, "key": uuid.uuid4().hex}
        began = time.monotonic()
        reply = yield Call("POST", "/api/answers", token, document)
        if reply.status != 201:
            raise SystemExit(f"an answer was refused: {reply.status} {reply.body!r}")
        self.seconds.append(time.monotonic() - began)


def person(until: float, tally: Tally) -> Calls:
    """Join, and answer as fast as the server lets; join anew when finished."""
    while time.monotonic() < until:
        joined = yield JOIN
        token = joined.json()["token"]
        while time.monotonic() < until:
            reply = yield Call("GET", "/api/next", token)
            if reply.status != 200:
                break
            yield from tally.send(token, reply.json()["unit"])


def fetcher(number: int, ready: list[tuple[str, str]]) -> Calls:
    """Join so many times, and take a question each time."""
    for _ in range(number):
        joined = yield JOIN
        token = joined.json()["token"]
        reply = yield Call("GET", "/api/next", token)
        ready.append((token, reply.json()["unit"]))


def sender(ready: list[tuple[str, str]], tally: Tally) -> Calls:
    """Answer questions that were fetched before, until none is left."""
    while ready:
        yield from tally.send(*ready.pop())


def cpu_seconds(pid: int | str) -> float:
    """Return the CPU seconds of a process, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(title: str, port: int, pid: int, people: list[Calls], tally: Tally) -> None:
    """Run clients to their end and print what came of it."""
    began, server, own = time.monotonic(), cpu_seconds(pid), time.process_time()
    run_clients(port, people)
    seconds = time.monotonic() - began
    server, own = cpu_seconds(pid) - server, time.process_time() - own
    times = sorted(tally.seconds)
    half, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    print(f"{title}: {len(times)} in {seconds:.1f} s, {len(times) / seconds:.0f} per second")
    print(f"  confirmed after {1000 * half:.0f} ms (half), {1000 * late:.0f} ms (99 of 100)")
    print(
        f"  CPU per answer: server {1000 * server / len(times):.2f} ms, "
        f"clients {1000 * own / len(times):.2f} ms",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=10.0, help="of the whole loop")
    parser.add_argument("--ahead", type=int, default=6400, help="answers of the second part")
    parser.add_argument("--recordings", type=int, default=20)
    parser.add_argument("--database", default="")
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL server for it")
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        study = events_study(Path(folder) / "street", recordings=asked.recordings, seconds=180.0)
        database = asked.database or default_url(study.folder)
        if asked.postgres:
            database = stack.enter_context(postgres.server())
        with served(study.folder, *LIMITS, "--database", database) as server:
            port, pid = server.port, server.process.pid
            whole, alone = Tally(), Tally()
            until = time.monotonic() + asked.seconds
            loops = [person(until, whole) for _ in range(asked.clients)]
            measure("join, fetch, answer", port, pid, loops, whole)
            ready: list[tuple[str, str]] = []
            share = asked.ahead // asked.clients
            run_clients(port, [fetcher(share, ready) for _ in range(asked.clients)])
            senders = [sender(ready, alone) for _ in range(asked.clients)]
            measure("answers alone", port, pid, senders, alone)


if __name__ == "__main__":
    main()
