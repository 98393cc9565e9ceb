"""Folders of frame scores and files of events as a system's outputs."""

from pathlib import Path

import pytest

from earmark.task.progress import notes_to
from earmark.tasks.events.run.outputs import EventOutputOptions, read_outputs
from earmark.tasks.events.values import Event
from earmark.values.errors import InputError
from earmark.values.item import Item

ITEMS = tuple(
    Item(name, "recording", details={"labels": ["dog"], "seconds": 3.0}) for name in ("a", "b")
)


def scores(folder: Path, **rows: str) -> Path:
    folder.mkdir()
    for name, text in rows.items():
        lines = "".join(f"{k}\t{k + 1}\t{score}\n" for k, score in enumerate(text.split()))
        (folder / f"{name}.tsv").write_text("onset\toffset\tdog\n" + lines, encoding="utf-8")
    return folder


def test_a_folder_of_frame_scores_is_a_system_at_a_threshold(tmp_path: Path) -> None:
    folder = scores(tmp_path / "s", a="0.9 0.4 0.1", b="0.1 0.1 0.1")
    first, second = read_outputs(folder, ITEMS)
    assert first.value.events == (Event("dog", 0, 1),) and second.value.events == ()
    assert first.value.scores is not None and first.value.scores.labels == ("dog",)
    first, _ = read_outputs(folder, ITEMS, EventOutputOptions(threshold=0.3))
    assert first.value.events == (Event("dog", 0, 2),)


def test_a_file_of_events_may_have_frame_scores_beside_it(tmp_path: Path) -> None:
    folder = scores(tmp_path / "s", a="0.9 0.4 0.1", b="0.1 0.1 0.1")
    path = tmp_path / "o.tsv"
    path.write_text(
        "filename\tonset\toffset\tevent_label\na\t0\t2\tdog\na\t1\t3\tdog\n", encoding="utf-8"
    )
    notes: list[str] = []
    with notes_to(notes.append):
        options = EventOutputOptions(scores=folder, overlaps="merge")
        first, second = read_outputs(path, ITEMS, options)
    assert first.value.events == (Event("dog", 0, 3),)
    assert first.value.scores is not None and second.value.scores is not None
    assert notes == [f"{path}: 1 of 2 recordings are not named, so they are silent"]


def test_frame_scores_that_do_not_fit_are_refused_with_counts(tmp_path: Path) -> None:
    few = scores(tmp_path / "few", a="0.9 0.4 0.1")
    with pytest.raises(InputError, match=r"none for 1 recording \(b\) of 2"):
        list(read_outputs(few, ITEMS))
    other = scores(tmp_path / "other", x="0.9", y="0.1")
    with pytest.raises(InputError, match=r"x.tsv; 0 of 2 recordings \(.*\) are among 2 recordings"):
        list(read_outputs(other, ITEMS))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="must hold TSV files"):
        list(read_outputs(tmp_path / "empty", ITEMS))
    with pytest.raises(InputError, match="frame scores are given once"):
        list(read_outputs(few, ITEMS, EventOutputOptions(scores=few)))
    cats = tuple(Item(i.id, "recording", details={**i.details, "labels": ["cat"]}) for i in ITEMS)
    both = scores(tmp_path / "both", a="0.9 0.4 0.1", b="0.1 0.1 0.1")
    with pytest.raises(InputError, match=r"got:  1 label \(dog\)\n  want: cat"):
        list(read_outputs(both, cats))


def test_one_recording_named_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "o.tsv"
    rows = "a\t0\t1\tdog\na.wav\t1\t2\tdog\n"
    path.write_text("filename\tonset\toffset\tevent_label\n" + rows, encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.wav; 1 of 2 recordings"):
        list(read_outputs(path, ITEMS))
