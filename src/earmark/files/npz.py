"""Arrays from outside: numpy's files, never unpickled; what cannot be read is an InputError."""

import struct
import tokenize
import zlib
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from earmark.files.text import require_regular
from earmark.values.errors import InputError

# What numpy and zipfile raise for damaged files; MemoryError for a shape that no file could hold.
DAMAGED = (
    ArithmeticError,
    AttributeError,
    BadZipFile,
    EOFError,
    LookupError,
    MemoryError,
    NotImplementedError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    tokenize.TokenError,
    zlib.error,
)


def read_arrays(path: Path, *, what: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a .npz file by name; raise InputError, which begins with `what`."""
    require_regular(path)
    try:
        # opened here, because numpy leaves a file that it cannot read open
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except DAMAGED as error:
        raise InputError(what, at=path, got=error) from error


def read_array(path: Path, *, what: str) -> NDArray[Any]:
    """Return the array of a .npy file; raise InputError, which begins with `what`."""
    require_regular(path)
    try:
        with path.open("rb") as file:
            array = np.load(file, allow_pickle=False)
    except DAMAGED as error:
        raise InputError(what, at=path, got=error) from error
    if not isinstance(array, np.ndarray):
        raise InputError(what, at=path, got="several arrays")
    return array
