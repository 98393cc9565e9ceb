"""Events out and in again: what a format can hold comes back, what it cannot is refused."""

import json
import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.study.export import exporter
from earmark.task.export import Selection
from earmark.tasks.events import TASK, Event, Timeline
from earmark.tasks.events.files import read_durations, read_events
from earmark.values.errors import InputError

# Files are written for every example; a machine that is busy is no fault of the code.
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Where the events of a selection named `ref` are, of each format that reads again.
PLACES = {
    "dcase": "ref.tsv",
    "csv": "ref.csv",
    "tsv": "ref.tsv",
    "parquet": "ref.parquet",
    "jams": "ref",
    "audacity": "ref",
    "textgrid": "ref",
    "elan": "ref",
    "rttm": "ref.rttm",
}
# separators, quotes, markup, what a spreadsheet would run, words that formats give a meaning
ODD = ('a"b', "'c'", "d,e;f|g", "h<i>&j", "k=1", "l-", "m@", "#n", "ø 音 🐕", "IntervalTier", "!p")
NO_BLANKS = tuple(label for label in ODD if " " not in label)


def export(lines: dict[str, Timeline], form: str, folder: Path) -> Path:
    """Write an export as `Study.export` does; return where its events are."""
    selection = Selection("references", "ref", "study", values=lines, rows=TASK.rows)
    one = exporter(TASK, form)
    for name, content in one.write(selection).files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    return folder / PLACES[form]


def read(path: Path) -> dict[str, list[Event]]:
    return {name: sorted(event for _, event in rows) for name, rows in read_events(path).items()}


def events_of(lines: dict[str, Timeline]) -> dict[str, list[Event]]:
    return {name: sorted(line.events) for name, line in lines.items()}


LINES = {
    "street-1.5": Timeline(
        10.0, (Event("dog", 0, 1.25), Event("dog", 1.25, 2), Event("car", 1, 9))
    ),
    "a.wav": Timeline(4.5, (Event("siren", 0.001, 4.5),)),
    "silent": Timeline(3.0),
}


@pytest.mark.parametrize("form", sorted(PLACES))
def test_overlapping_touching_and_no_events_come_back(form: str, tmp_path: Path) -> None:
    assert read(export(LINES, form, tmp_path)) == events_of(LINES)


@pytest.mark.parametrize("form", ["dcase", "jams", "audacity", "textgrid", "elan"])
def test_durations_come_along(form: str, tmp_path: Path) -> None:
    export(LINES, form, tmp_path)
    durations = read_durations(tmp_path / "durations.tsv")
    assert durations == {"street-1.5": 10.0, "a.wav": 4.5, "silent": 3.0}


def test_a_uem_file_says_how_long_recordings_are(tmp_path: Path) -> None:
    export(LINES, "rttm", tmp_path)
    assert (tmp_path / "ref.uem").read_text().splitlines()[2] == "silent 1 0.000000 3.000000"


def timelines(labels: st.SearchStrategy[str], *, grid: int) -> st.SearchStrategy[Timeline]:
    """Draw a recording whose events of one label follow each other, at times of a grid."""

    def build(cells: list[tuple[str, int, int]]) -> Timeline:
        events, free = [], dict[str, int]()
        for label, gap, length in cells:
            start = free.get(label, 0) + gap
            free[label] = start + length
            events.append(Event(label, start / grid, free[label] / grid))
        end = max((event.offset for event in events), default=1.0)
        return Timeline(end, tuple(events))

    cell = st.tuples(labels, st.integers(0, 3 * grid), st.integers(1, 5 * grid))
    return st.lists(cell, max_size=6).map(build)


words = st.text(string.ascii_letters + string.digits + "_<>&;,'\"|\\é音", min_size=1, max_size=6)
LABELS = st.one_of(
    st.sampled_from(ODD),
    st.lists(words, min_size=1, max_size=3).map(" ".join),
)


@pytest.mark.parametrize("form", sorted(set(PLACES) - {"rttm", "elan"}))
@QUICK
@given(line=timelines(LABELS, grid=1_000_000))
def test_any_label_on_one_line_comes_back_to_the_microsecond(
    form: str, tmp_path_factory: pytest.TempPathFactory, line: Timeline
) -> None:
    lines = {"one": line, "two": Timeline(1.0)}
    assert read(export(lines, form, tmp_path_factory.mktemp("t"))) == events_of(lines)


@QUICK
@given(line=timelines(LABELS, grid=1000))
def test_elan_holds_any_label_to_the_millisecond(
    tmp_path_factory: pytest.TempPathFactory, line: Timeline
) -> None:
    lines = {"one": line}
    assert read(export(lines, "elan", tmp_path_factory.mktemp("t"))) == events_of(lines)


@QUICK
@given(line=timelines(st.one_of(st.sampled_from(NO_BLANKS), words), grid=1_000_000))
def test_rttm_holds_any_label_without_blanks(
    tmp_path_factory: pytest.TempPathFactory, line: Timeline
) -> None:
    lines = {"one": line}
    assert read(export(lines, "rttm", tmp_path_factory.mktemp("t"))) == events_of(lines)


@pytest.mark.parametrize(
    ("form", "label"),
    [
        ("rttm", "dog bark"),
        ("audacity", "a\tb"),
        ("textgrid", "a\nb"),
        ("dcase", " a"),
        ("elan", "\x01"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(form: str, label: str, tmp_path: Path) -> None:
    lines = {"one": Timeline(1.0, (Event(label, 0, 1),))}
    with pytest.raises(InputError, match="cannot hold this label"):
        export(lines, form, tmp_path)


def test_an_event_that_milliseconds_would_lose_is_refused(tmp_path: Path) -> None:
    lines = {"one": Timeline(1.0, (Event("click", 0.0001, 0.0004),))}
    with pytest.raises(InputError, match="shorter than a millisecond"):
        export(lines, "elan", tmp_path)


def test_rounding_to_milliseconds_is_said() -> None:
    lines = {"one": Timeline(1.0, (Event("dog", 0.0001, 0.5),)), "two": Timeline(1.0)}
    selection = Selection("references", "ref", "study", values=lines, rows=TASK.rows)
    notes = exporter(TASK, "elan").write(selection).notes
    assert notes == ("times rounded to milliseconds, as ELAN's are: 1 of 2",)


def test_a_label_track_by_hand(tmp_path: Path) -> None:
    path = export({"one": LINES["street-1.5"]}, "audacity", tmp_path) / "one.txt"
    assert path.read_text().splitlines() == [
        "0.000000\t1.250000\tdog",
        "1.000000\t9.000000\tcar",
        "1.250000\t2.000000\tdog",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0.0\t1.0\n", "a start, an end and a label"),
        ("1.0\t1.0\tdog\n", "must end after it starts"),
        ("0.0\tx\tdog\n", "numbers of seconds"),
    ],
)
def test_a_label_track_that_cannot_be_read_is_named_by_line(
    text: str, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("0.0\t2.0\tcar\n" + text)
    with pytest.raises(InputError, match=problem) as error:
        read(path)
    assert f"{path}:2" in str(error.value)


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.pdf").write_bytes(b"x")
    with pytest.raises(InputError, match="a file per recording"):
        read(tmp_path)


def test_a_jams_document_has_the_recording_and_its_length(tmp_path: Path) -> None:
    path = export(LINES, "jams", tmp_path) / "a.wav.jams"
    document = json.loads(path.read_text())
    assert document["file_metadata"]["duration"] == 4.5
    assert document["annotations"][0]["namespace"] == "segment_open"
