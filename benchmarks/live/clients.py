"""Many clients in one process: plain sockets that are kept open, one loop that waits for all.

A client is a generator of calls; each is sent its reply. No HTTP library: at a thousand requests a
second one would take more CPU time than the server that is measured.
"""

import json
import selectors
import socket
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any

CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Call:
    """One request."""

    method: str
    path: str
    token: str = ""
    document: object = None

    def encode(self) -> bytes:
        """Return the request as it is sent."""
        body = b"" if self.document is None else json.dumps(self.document).encode()
        head = f"{self.method} {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        if self.token:
            head += f"Authorization: Bearer {self.token}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return f"{head}\r\n".encode() + body


@dataclass(frozen=True, slots=True)
class Replied:
    """Status and body of a reply."""

    status: int
    body: bytes

    def json(self) -> Any:
        """Return the document of the body."""
        return json.loads(self.body)


Calls = Generator[Call, Replied, None]


class Connection:
    """A client's socket, and what has arrived of its reply."""

    def __init__(self, port: int, calls: Calls) -> None:
        self.calls = calls
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._arrived = b""
        self.is_open = True

    def go_on(self, reply: Replied | None) -> None:
        """Give the client its reply and send its next call; close after the last."""
        try:
            call = next(self.calls) if reply is None else self.calls.send(reply)
        except StopIteration:
            self.is_open = False
            self.socket.close()
        else:
            self.socket.sendall(call.encode())

    def receive(self) -> Replied | None:
        """Read what is there; return the reply if it is whole."""
        chunk = self.socket.recv(CHUNK)
        if not chunk:
            raise SystemExit("the server closed a connection")
        self._arrived += chunk
        head, end, body = self._arrived.partition(b"\r\n\r\n")
        if not end:
            return None
        _, has_length, rest = head.lower().partition(b"\r\ncontent-length:")
        length = int(rest.split(b"\r\n", 1)[0]) if has_length else 0
        if len(body) < length:
            return None
        self._arrived = b""
        return Replied(int(head[9:12]), body)


def run_clients(port: int, clients: Iterable[Calls]) -> None:
    """Run all clients at once, each to its end."""
    waiting = 0
    with selectors.DefaultSelector() as selector:
        for calls in clients:
            connection = Connection(port, calls)
            connection.go_on(None)
            if connection.is_open:
                selector.register(connection.socket, selectors.EVENT_READ, connection)
                waiting += 1
        while waiting:
            for key, _ in selector.select():
                connection = key.data
                reply = connection.receive()
                if reply is None:
                    continue
                descriptor = connection.socket.fileno()
                connection.go_on(reply)
                if not connection.is_open:
                    selector.unregister(descriptor)
                    waiting -= 1
