"""How many answers a second a server keeps: `python -m benchmarks.live.answers`.

32 clients, each a person after the other, ask for a unit and answer it, over HTTP on loopback, on
SQLite (or `--database postgresql://...`). An answer is counted when the server has confirmed it,
which is after it is on disk. Printed: answers per second, times, and the CPU seconds of the server
for one answer, which depend less on what else the machine does.
"""

import argparse
import asyncio
import os
import tempfile
import time
import uuid
from pathlib import Path

from tests.web.serving import PlainClient, Server, events_study, served

from earmark.database.engine import default_url


async def person(server: Server, until: float, times: list[float]) -> None:
    """Join, and answer as fast as the server lets; join anew when finished."""
    client = PlainClient(server.port)
    while time.monotonic() < until:
        token = (await client.call("POST", "/api/people", document={"consent": True})).json()[
            "token"
        ]
        while time.monotonic() < until:
            reply = await client.call("GET", "/api/next", token=token)
            if reply.status != 200:
                break
            document = {
                "unit": reply.json()["unit"],
                "value": {"labels": ["dog_bark"]},
                "seconds": 3.0,
                "key": uuid.uuid4().hex,
            }
            began = time.monotonic()
            answer = await client.call("POST", "/api/answers", token=token, document=document)
            if answer.status != 201:
                raise SystemExit(f"an answer was refused: {answer.status} {answer.body!r}")
            times.append(time.monotonic() - began)
    client.close()


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(server: Server, clients: int, seconds: float) -> tuple[list[float], float]:
    times: list[float] = []
    until = time.monotonic() + seconds
    began = time.monotonic()
    await asyncio.gather(*(person(server, until, times) for _ in range(clients)))
    return sorted(times), time.monotonic() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--recordings", type=int, default=20)
    parser.add_argument("--database", default="")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        study = events_study(Path(folder) / "street", recordings=asked.recordings, seconds=180.0)
        limits = ["--people", "50", "--requests-per-minute", "1e6", "--joins-per-minute", "1e6"]
        database = asked.database or default_url(study.folder)
        with served(study.folder, *limits, "--database", database) as server:
            before = cpu_seconds(server.process.pid)
            times, seconds = asyncio.run(load(server, asked.clients, asked.seconds))
            cpu = cpu_seconds(server.process.pid) - before
    print(
        f"{len(times)} answers confirmed in {seconds:.1f} s: {len(times) / seconds:.0f} per second"
    )
    middle, late = times[len(times) // 2], times[int(len(times) * 0.99)]
    print(f"confirmed after {1000 * middle:.0f} ms (half), {1000 * late:.0f} ms (99 of 100)")
    print(f"the server's CPU: {1000 * cpu / len(times):.2f} ms per answer, with its question")


if __name__ == "__main__":
    main()
