"""When a verb breaks on a study that was edited since it was written: the file is named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from earmark.files.sums import SUMS
from earmark.study import record
from earmark.study.places import PLACES
from earmark.values.errors import InputError


@contextmanager
def damage_named(folder: Path) -> Iterator[None]:
    """Raise InputError for a failure in this block if a file is not as it was written.

    What readers check is refused before; this is for what only those notice who use the values.
    In a study that is as it was written, the failure is ours and stays what it is.
    """
    try:
        yield
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        changed = _changed_file(folder)
        if changed is None:
            raise
        raise InputError(
            "a file of a study must be as Earmark wrote it",
            at=folder / changed,
            got=f"{type(error).__name__}: {error}",
            fix="restore the file, or call its verb again; earmark verify lists all changes",
        ) from error


def _changed_file(folder: Path) -> str | None:
    for place in PLACES:
        if (folder / place / SUMS).exists():
            for name, _ in record.differences(folder / place):
                return f"{place}/{name}"
    return None
