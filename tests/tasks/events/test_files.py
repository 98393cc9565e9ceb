"""Event tables and JAMS: what is read and written, and what is refused."""

import json
from pathlib import Path

import pytest

from earmark.tasks.events import files, frame_files
from earmark.tasks.events.files import build, read_events, write_events, write_jams
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("x.wav\t2\t1\tdog", "must end after it starts"),
        ("x.wav\t-1\t1\tdog", "must end after it starts"),
        ("x.wav\tone\t1\tdog", "onset must be a number"),
        ("x.wav\t0\t1\t", "needs a label"),
        ("\t0\t1\tdog", "must name its recording"),
    ],
)
def test_wrong_events_are_named_by_line(tmp_path: Path, row: str, problem: str) -> None:
    path = tmp_path / "e.tsv"
    path.write_text(f"filename\tonset\toffset\tevent_label\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=problem) as error:
        read_events(path)
    assert f"{path}:2" in str(error.value)


def test_overlapping_events_of_a_label_are_refused_or_merged_as_told() -> None:
    placed = [("f:2", Event("dog", 0, 3)), ("f:3", Event("dog", 2, 5)), ("f:4", Event("cat", 1, 2))]
    with pytest.raises(InputError, match="must not overlap") as error:
        build(placed, 9.0, overlaps="refuse")
    assert "f:3" in str(error.value) and "--overlaps merge" in str(error.value)
    assert Event("dog", 0, 5) in build(placed, 9.0, overlaps="merge").events
    with pytest.raises(InputError, match="within its recording"):
        build(placed, 4.0, overlaps="merge")


def test_a_silent_recording_keeps_its_row(tmp_path: Path) -> None:
    path = tmp_path / "e.tsv"
    path.write_text(write_events({"x": Timeline(3), "y": Timeline(3, (Event("a", 0, 1),))}))
    assert {name: len(rows) for name, rows in read_events(path).items()} == {"x": 0, "y": 1}
    assert json.loads(write_jams(Timeline(3), title="x"))["annotations"][0]["data"] == []


def test_jams_of_others_are_read_and_broken_ones_told(tmp_path: Path) -> None:
    good = write(
        tmp_path / "a.jams",
        '{"annotations": [{"namespace": "scaper", "data": [{"time": 1, "duration": 2,'
        ' "value": {"label": "dog"}}]}, {"namespace": "beat", "data": [{"time": 0}]}]}',
    )
    assert files.read_events(good) == {"a": [(str(good), Event("dog", 1, 3))]}
    with pytest.raises(InputError, match="must be JSON"):
        list(files.read_jams(write(tmp_path / "b.jams", "{")))


def test_frame_scores_read_at_once_equal_those_read_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    rows = [(k * 0.02, (k + 1) * 0.02, k / 7, 1 / (k + 1)) for k in range(50)]
    lines = ["\t".join(f"{number:.6f}" for number in row) for row in rows]
    path.write_text("\n".join(["onset\toffset\tdog\tcar", *lines]) + "\n")
    at_once = frame_files.read_frames(path)
    assert at_once == frame_files._frames_by_row(path)
    assert hash(at_once) == hash(frame_files._frames_by_row(path))
    assert at_once.rows.shape == (50, 2) and at_once.labels == ("dog", "car")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0.0\t0.5\tx"], "a.tsv:2"),
        (["0.0\t0.5\t0.1", "0.7\t1.0\t0.2"], "a.tsv:3"),
        (["0.0\t0.5\tnan"], "dog must be a number"),
        ([], "at least one frame"),
    ],
)
def test_a_wrong_line_of_frame_scores_is_named(
    tmp_path: Path, lines: list[str], message: str
) -> None:
    (tmp_path / "a.tsv").write_text("\n".join(["onset\toffset\tdog", *lines]) + "\n")
    with pytest.raises(InputError, match=message):
        frame_files.read_frames(tmp_path / "a.tsv")
