"""The log of a step: its beginning and its end, however much is printed."""

from collections import deque

CUT = b"\n[... %d bytes are left out ...]\n"


class LogKeeper:
    """Takes what a step prints; the middle is dropped where it is more than `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self.half = max(1, limit // 2)
        self.head = bytearray()
        self.tail: deque[bytes] = deque()
        self.length = 0  # of the tail
        self.dropped = 0

    def add(self, block: bytes) -> None:
        """Take a block of bytes."""
        room = self.half - len(self.head)
        self.head += block[:room] if room > 0 else b""
        rest = block[max(0, room) :]
        if not rest:
            return
        self.tail.append(rest)
        self.length += len(rest)
        while self.length - len(self.tail[0]) >= self.half:
            gone = self.tail.popleft()
            self.length -= len(gone)
            self.dropped += len(gone)

    def text(self) -> bytes:
        """Return the beginning and the end, with a line between that says how much is missing."""
        tail = b"".join(self.tail)
        cut = self.dropped + max(0, len(tail) - self.half)
        if not cut:
            return bytes(self.head) + tail
        return bytes(self.head) + CUT % cut + tail[-self.half :]


def readable(log: bytes, *, last: int | None = None) -> str:
    """Return a log as text that steers no terminal; only its end if `last` bytes are wanted."""
    part = log if last is None else log[-last:]
    text = part.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
    return "".join(
        c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
