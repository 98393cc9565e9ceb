"""The border that every file from outside crosses: what cannot be read is an InputError.

Only regular files are opened: a pipe would block for ever, a device has no end. Text comes as UTF-8
with or without a mark, with any line ends, and holds nothing binary.
"""

import gzip
import io
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from earmark.values.errors import InputError

# Larger files would be read into memory whole; nothing that people wrote is that large.
LARGEST = 2 * 1024**3
# Byte order marks of UTF-16, which spreadsheets write.
WIDE = (b"\xff\xfe", b"\xfe\xff")
BEGINNING = 4096  # bytes looked at to tell text from binary data
# What a file may grow to when unpacked: text shrinks to a third or a tenth, never to a 200th, and
# below 100 MB nothing can do harm.
UNPACKED, UNPACKED_RATIO = 100 * 1024**2, 200
LONGEST_LINE = 64 * 1024**2  # bytes; a document is smaller, a line without an end is refused
SPECIAL = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def read_text(path: Path | str, *, encoding: str = "utf-8", keep_line_ends: bool = False) -> str:
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
    return text if keep_line_ends else text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: Path | str) -> Iterator[str]:
    """Yield the lines of a file, each with its end; refuse what `read_text` refuses."""
    with explained(path), Path(path).open("rb") as file:
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
    with explained(path):
        if Path(path).stat().st_size > LARGEST:
            raise InputError("a file must be smaller than 2 GB", at=path)
        return Path(path).read_bytes()


def read_packed_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a gzip of UTF-8 text; raise InputError if it is damaged or a bomb."""
    packed, unpacked = len(read_bytes(path)), 0
    try:
        with gzip.open(path) as file:
            while line := file.readline(LONGEST_LINE):
                unpacked += len(line)
                if len(line) == LONGEST_LINE or unpacked > max(UNPACKED, UNPACKED_RATIO * packed):
                    raise InputError(
                        "a packed file must not unpack to many times its size",
                        at=path,
                        got=f"{packed} bytes, over {unpacked} when unpacked",
                    )
                yield line.decode("utf-8-sig" if unpacked == len(line) else "utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError("the file is no gzip of UTF-8 text", at=path, got=error) from error


def require_regular(path: Path | str) -> None:
    """Raise InputError if this is no file, or a special one, which must not even be opened."""
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError("there is no such file", at=path, fix="check the name") from error
    except OSError as error:
        raise InputError("the file cannot be read", at=path, got=error.strerror) from error
    except ValueError as error:  # a name with a zero byte
        raise InputError("there is no such file", at=path, got=error) from error
    if stat.S_ISDIR(mode):
        raise InputError("a file is needed here, not a folder", at=path)
    if not stat.S_ISREG(mode):
        raise InputError(
            "a regular file is needed here",
            at=path,
            got=SPECIAL.get(stat.S_IFMT(mode), "a special file"),
            fix="write its content to a file, and name that",
        )


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
def explained(path: Path | str) -> Iterator[None]:
    """Refuse special files; turn the operating system's errors in this block into InputError."""
    require_regular(path)
    try:
        yield
    except OSError as error:
        raise InputError("the file cannot be read", at=path, got=error.strerror) from error
