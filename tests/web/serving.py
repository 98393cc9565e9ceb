"""A real server in a process of its own, and a plain client that is fast enough to load it."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from earmark.study import Study

START_SECONDS = 60


def events_study(folder: Path, *, recordings: int = 2, seconds: float = 30.0) -> Study:
    """Make a study of events whose questions are cut and unanswered."""
    study = Study.create(folder, task="events")
    study.make(recordings=recordings, seconds=seconds)
    study.ask()
    return Study.open(folder)


@dataclass
class Server:
    """A running server: its address, the organiser's password, its process."""

    address: str
    password: str
    process: "subprocess.Popen[str]"

    @property
    def port(self) -> int:
        return int(urlsplit(self.address).port or 0)

    def kill(self) -> None:
        """End the process as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> str:
        """Stop as Ctrl-C does; return what the server printed."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        return out + err


def start(study: Path, *words: str, port: int = 0) -> Server:
    """Start `earmark serve` and wait until it answers."""
    command = [sys.executable, "-m", "earmark", "serve", str(study), "--port", str(port), *words]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    address, password, lines = "", "", []
    assert process.stderr is not None
    for line in process.stderr:
        lines.append(line)
        address = address or "".join(re.findall(r"people: (http://\S+?)/$", line.strip()))
        password = password or "".join(re.findall(r"password: (\S+)", line))
        if "stop with" in line:
            return Server(address, password, process)
    raise AssertionError("".join(lines))


@contextmanager
def served(study: Path, *words: str) -> Iterator[Server]:
    """Serve a study within this block."""
    server = start(study, *words)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()
        for stream in (server.process.stdout, server.process.stderr):
            if stream is not None:
                stream.close()


@dataclass
class Reply:
    """Status and body of a reply."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)

    def json(self) -> Any:
        return json.loads(self.body)


class PlainClient:
    """One connection that is kept open: a request, its reply, the next."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(
        self, method: str, path: str, *, token: str = "", cookie: str = "", document: object = None
    ) -> Reply:
        """Send a request; a connection that fails is closed and the error raised."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        body = b"" if document is None else json.dumps(document).encode()
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        if cookie:
            lines.append(f"Cookie: {cookie}")
        if document is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            pairs = (line.split(": ", 1) for line in head[1:] if ": " in line)
            headers = {name.lower(): value for name, value in pairs}
            size = int(headers.get("content-length", "0"))
            return Reply(int(head[0].split()[1]), await reader.readexactly(size), headers)
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            raise

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def answer_everything(port: int) -> int:
    """Answer as one person after the other until the study is finished; return how often."""
    client, given, finished = PlainClient(port), 0, 0
    while finished < 2:
        joined = await client.call("POST", "/api/people", document={"consent": True})
        token, before = joined.json()["token"], given
        while (reply := await client.call("GET", "/api/next", token=token)).status == 200:
            unit = reply.json()["unit"]
            labels = ["dog_bark"] if given % 3 else ["none"]
            form = {"unit": unit, "value": {"labels": labels}, "key": f"key-{given:06}"}
            sent = await client.call("POST", "/api/answers", token=token, document=form)
            assert sent.status == 201, sent.body
            given += 1
        finished += given == before
    client.close()
    return given
