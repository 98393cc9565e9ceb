"""Text files as they come: UTF-8 with or without a mark, any line ends, and nothing binary."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from earmark.values.errors import InputError

# Larger files would be read into memory whole; nothing that people wrote is that large.
LARGEST = 2 * 1024**3
# Byte order marks of UTF-16, which spreadsheets write.
WIDE = (b"\xff\xfe", b"\xfe\xff")
BEGINNING = 4096  # bytes looked at to tell text from binary data


def read_text(path: Path | str, *, encoding: str = "utf-8") -> str:
    """Return the text of a file, its line ends normalised; an error names the offending byte."""
    data = read_bytes(path)
    encoding = _encoding(data[:BEGINNING], encoding, path)
    try:
        text = data.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(
            f"a text file must be {encoding.upper()}",
            at=f"{path}:{line}",
            got=f"byte 0x{data[error.start]:02x}, which may be Latin-1 or Windows-1252",
            fix=f"convert it: iconv -f latin1 -t utf-8 {Path(path).name}",
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: Path | str) -> Iterator[str]:
    """Yield the lines of a file, each with its end; refuse what `read_text` refuses."""
    with _explained(path), Path(path).open("rb") as file:
        start = file.peek(BEGINNING)[:BEGINNING]
        encoding = _encoding(start, "utf-8", path)
        codec = "utf-8-sig" if encoding == "utf-8" else encoding
        try:
            with io.TextIOWrapper(file, encoding=codec) as text:
                yield from text
        except UnicodeDecodeError:
            read_text(path)


def read_bytes(path: Path | str) -> bytes:
    """Return the bytes of a file; raise InputError if it cannot be read."""
    with _explained(path):
        if Path(path).stat().st_size > LARGEST:
            raise InputError("a file must be smaller than 2 GB", at=path)
        return Path(path).read_bytes()


def _encoding(start: bytes, encoding: str, path: Path | str) -> str:
    if start.startswith(WIDE):
        return "utf-16"
    if b"\0" in start:
        raise InputError(
            "a text file must hold text",
            at=path,
            got="binary data",
            fix="name the text file itself",
        )
    return encoding


@contextmanager
def _explained(path: Path | str) -> Iterator[None]:
    """Turn the operating system's errors within this block into InputError."""
    if Path(path).is_dir():
        raise InputError("a file is needed here, not a folder", at=path)
    try:
        yield
    except FileNotFoundError as error:
        raise InputError("there is no such file", at=path, fix="check the name") from error
    except OSError as error:
        raise InputError("the file cannot be read", at=path, got=error.strerror) from error
