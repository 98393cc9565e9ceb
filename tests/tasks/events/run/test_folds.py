"""Folds of recordings."""

import pytest

from earmark.task.progress import notes_to
from earmark.tasks.events.run.folds import clips_of, recording_folds, validation_draw
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


def recording(name: str, *clips: str) -> Item:
    return Item(name, "recording", details={"clips": list(clips)})


def test_folds_share_no_source_clip_even_by_a_third_recording() -> None:
    """a and c share x, c and e share y: so a, c and e are one group; b and d share nothing."""
    items = [
        recording("a", "x"), recording("b", "p"), recording("c", "x", "y"), recording("d", "q"),
        recording("e", "y"),
    ]  # fmt: skip
    folds = recording_folds(items, 5)
    assert folds == ((0, 2, 4), (1,), (3,))
    used = [{clip for k in fold for clip in clips_of(items[k])} for fold in folds]
    assert not used[0] & used[1] and not used[0] & used[2] and not used[1] & used[2]
    assert recording_folds(items, 2) == ((0, 2, 3, 4), (1,))


def test_recordings_that_all_share_clips_are_folded_by_recording_with_a_note() -> None:
    notes: list[str] = []
    with notes_to(notes.append):
        assert recording_folds([recording("a", "x"), recording("b", "x")], 2) == ((0,), (1,))
    assert notes == ["all recordings share source clips: folds keep recordings apart, not clips"]


def test_validation_recordings_are_drawn_by_the_seed_and_leave_enough_to_learn_from() -> None:
    items = [recording(f"{k:02d}") for k in range(20)]
    drawn = {seed: validation_draw(items, seed=seed) for seed in range(20)}
    assert all(len(each) == 2 for each in drawn.values()) and len(set(drawn.values())) > 10
    assert drawn[3] == validation_draw(items, seed=3)
    assert len(validation_draw(items[:3], seed=1)) == 1
    assert validation_draw(items[:2], seed=1) == frozenset()
