"""Folds of recordings."""

import pytest

from earmark.tasks.events.run.folds import recording_folds
from earmark.values.errors import InputError
from earmark.values.item import Item


def test_folds_never_part_a_recording() -> None:
    items = [Item(f"{r}-{k}", "part", parent=r) for r in "abc" for k in range(2)]
    folds = recording_folds(items, 2)
    assert sorted(k for fold in folds for k in fold) == list(range(6))
    for fold in folds:
        inside = {items[k].parent for k in fold}
        assert all(items[k].parent not in inside for k in range(6) if k not in fold)
    with pytest.raises(InputError, match="two recordings or more"):
        recording_folds(items[:2], 2)
    with pytest.raises(InputError, match="folds must be >= 2"):
        recording_folds(items, 1)
