"""What a step wrote, read as hostile: a regular file, of a size that was agreed on, and no link."""

import os
import stat
from pathlib import Path
from unicodedata import category

from earmark.values.errors import InputError


def read_result(folder: Path, name: str, *, most: int) -> bytes:
    """Return the bytes of a file that a step wrote; raise InputError if it is anything else.

    It is opened once, without following a link and without waiting for a pipe, looked at through
    that opening, and read up to `most` bytes. Its folder is ours; nobody writes to it any more.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        handle = os.open(folder / name, flags)
    except FileNotFoundError as error:
        raise InputError(f"it wrote no {name}") from error
    except OSError as error:  # a link, a socket, a folder that is closed
        raise InputError(f"its {name} is no regular file", got=error.strerror) from error
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            raise InputError(f"its {name} is no regular file")
        if facts.st_nlink > 1:
            raise InputError(f"its {name} is a second name of another file")
        if facts.st_size > most:
            raise InputError(
                f"its {name} is too large", got=f"{facts.st_size} bytes", want=f"at most {most}"
            )
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)


def result_text(data: bytes, name: str) -> str:
    """Return what a step wrote as text; raise InputError if it is none, or holds controls.

    UTF-8, with or without a mark at its beginning; line ends of any kind.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"its {name} is not UTF-8", got=f"byte {error.start}") from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    strange = next((c for c in text if c not in "\n\t" and category(c) == "Cc"), None)
    if strange is not None:
        raise InputError(f"its {name} holds control characters", got=repr(strange))
    return text
