"""One writer per study: a verb that writes holds the study's lock; readers need none."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from earmark.files.folder import leftovers, recover
from earmark.files.lock import locked
from earmark.study.places import LOCK, SETTINGS
from earmark.study.settings import has_settings, recover_settings
from earmark.values.errors import InputError


@contextmanager
def writing(folder: Path, verb: str) -> Iterator[None]:
    """Be the only writer of a study within this block; begin by undoing what a kill left."""
    with locked(folder / LOCK, verb=verb):
        # first: what a killed `make` had set aside has the organiser's tables
        recover_settings(folder)
        recover(folder)
        yield


def put_right(folder: Path) -> None:
    """Undo what a kill left, if nobody is writing.

    Where that cannot be done now, because a command is writing or the place is read-only, it is
    left to the next writer: readers look past unfinished files.
    """
    whole = (folder / SETTINGS).exists() or not has_settings(folder)
    if whole and not (folder / LOCK).exists() and not leftovers(folder):
        return
    try:
        with locked(folder / LOCK, verb="open", wait=0):
            recover_settings(folder)
            recover(folder)
            recover_settings(folder)
    except InputError:
        return
