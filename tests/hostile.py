"""Files that no reader may trust, and what it means to refuse one."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from earmark.cli.main import main
from earmark.study import Study

# The most that one command may take: it takes a second, and more when a module is imported first.
SECONDS = 15

DEEP = "[" * 100_000 + "]" * 100_000
KINDS = ("null", "5", '"x"', "[5]", "{}", '{"items": 5}', '{"annotations": 5}', '{"segments": [5]}')


class HangError(BaseException):
    """A command that took too long; no reader may catch it."""


@contextmanager
def bounded() -> Iterator[None]:
    """Raise HangError if the block takes too long."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def exit_code(words: list[str]) -> int:
    with bounded(), pytest.raises(SystemExit) as stop:
        main(words)
    return int(stop.value.code or 0)


def refused(words: list[str], capsys: pytest.CaptureFixture[str], file: Path) -> str:
    code = exit_code(words)
    err = capsys.readouterr().err
    assert code == 2 and "Traceback" not in err, (words, err[-2000:])
    assert file.name in err, err
    return err


def damages(name: str, whole: str) -> Iterator[tuple[str, bytes]]:
    """Yield the kinds of damage that a file of this name must be refused for, and its bytes."""
    yield "empty", b""
    yield "Latin-1", whole.encode() + "café\n".encode("latin-1")
    yield "UTF-16 without a mark", whole.encode("utf-16-le")
    yield "binary", bytes(range(256)) * 9
    if name.endswith((".json", ".jams", ".jsonl")):
        yield "deep", DEEP.encode()
        yield "digits", b'{"item": ' + b"7" * 5000 + b"}"
        yield "half a surrogate", whole.replace("a", "\\ud800").encode()
        yield "cut", whole.encode()[: len(whole) // 2]
        yield from ((f"kind {kind}", kind.encode()) for kind in KINDS)


def special_files(folder: Path, suffix: str) -> Iterator[Path]:
    fifo, device, closed = (folder / f"{kind}{suffix}" for kind in ("fifo", "zero", "socket"))
    os.mkfifo(fifo)
    yield fifo
    device.symlink_to("/dev/zero")
    yield device
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(closed))
        yield closed
    loop = folder / f"loop{suffix}"
    loop.symlink_to(loop)
    yield loop


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def all_refused(
    study: Study,
    words: list[str],
    name: str,
    whole: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Assert that every damage is refused, and that the study is as it was."""
    before = files_of(study.folder)
    for kind, data in damages(name, whole):
        (folder / name).write_bytes(data)
        try:
            refused([*words, str(folder / name)], capsys, folder / name)
        except AssertionError as error:
            raise AssertionError(kind) from error
    for file in special_files(folder, Path(name).suffix):
        refused([*words, str(file)], capsys, file)
    assert files_of(study.folder) == before
