"""Timelines as columns: the same as records, wherever they come from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from earmark.files.digest import digest
from earmark.score.evaluate import evaluate_all
from earmark.tasks import events as task
from earmark.tasks.events.measure import EventFileOptions, measure
from earmark.tasks.events.table import EventTable, rounded
from earmark.tasks.events.values import Event, FrameScores, Timeline, timeline
from earmark.values.errors import InputError

TIMES = st.floats(0, 50).map(lambda x: round(x, 3))
EVENTS = st.builds(
    lambda label, onset, length: Event(label, onset, onset + length),
    st.sampled_from(["dog", "cat", "é"]),
    TIMES,
    st.floats(0.01, 9),
)
LINES = st.lists(EVENTS, max_size=5).map(lambda rows: timeline(rows, overlaps="merge"))
SIDES = st.dictionaries(st.sampled_from("abcd"), LINES, min_size=1)


@given(SIDES)
def test_a_table_gives_back_the_timelines_it_was_made_of(lines):
    table = EventTable.of(lines)
    assert dict(table) == lines and list(table) == list(lines)
    assert EventTable.of(table) is table
    turned = table.in_order(sorted(lines, reverse=True))
    assert list(turned) == sorted(lines, reverse=True) and dict(turned) == lines
    assert table.in_order(tuple(lines)) is table


@given(SIDES)
def test_records_and_columns_have_one_digest_in_any_order(lines):
    backwards = dict(reversed(lines.items()))
    assert digest(lines) == digest(EventTable.of(lines)) == digest(EventTable.of(backwards))
    more = {**lines, "more": Timeline(1)}
    assert digest(EventTable.of(more)) == digest(more) != digest(lines)


def test_frame_scores_and_doubt_enter_the_digest():
    scores = FrameScores(("dog",), (0.0, 1.0), ((0.5,),))
    plain = {"a": Timeline(1)}
    for line in (Timeline(1, scores=scores), Timeline(1, doubt=(("dog", (0.5,)),))):
        assert EventTable.of({"a": line})["a"] == line
        assert digest(EventTable.of({"a": line})) == digest({"a": line}) != digest(plain)


@given(st.lists(st.one_of(st.floats(0, 1e12), st.integers(0, 10**9).map(lambda n: n / 2e6))))
def test_times_are_rounded_bit_for_bit_as_records_round_them(seconds):
    values = np.array(seconds, dtype=float)
    assert rounded(values).tolist() == [round(value, 6) for value in seconds]


@settings(max_examples=30, deadline=None)
@given(SIDES, SIDES)
def test_every_metric_counts_columns_as_it_counts_records(reference, output):
    output = {name: output.get(name, Timeline(0)) for name in reference}
    metrics = {name: build() for name, build in task.TASK.score.items()}
    by_records = evaluate_all(metrics, reference, output, resamples=20)
    tables = EventTable.of(reference), EventTable.of(output)
    by_columns = evaluate_all(metrics, *tables, resamples=20)
    for name, score in by_records.items():
        other = by_columns[name]
        assert repr(score.value) == repr(other.value) and score.interval == other.interval
        assert score.counts == other.counts or name.startswith("psds")


def write(path, rows):
    lines = ["filename\tonset\toffset\tevent_label", *("\t".join(row) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_touching_events_are_merged_and_others_are_left(tmp_path):
    rows = [
        ("a", "0", "2", "dog"), ("b", "0", "1", "dog"), ("a", "1", "3", "dog"),
        ("a", "3", "4", "dog"), ("a", "1", "2", "cat"), ("b", "2", "3", "dog"), ("c", "", "", ""),
    ]  # fmt: skip
    path = write(tmp_path / "a.tsv", rows)
    lines = measure((path,), path, EventFileOptions(overlaps="merge")).reference
    assert lines["a"].events == (Event("dog", 0, 4), Event("cat", 1, 2))
    assert lines["b"].events == (Event("dog", 0, 1), Event("dog", 2, 3))
    assert lines["c"] == Timeline(0)


@pytest.mark.parametrize(
    ("rows", "what", "line"),
    [
        ([("a", "0", "1", "dog"), ("", "1", "2", "dog")], "an event must name its recording", 3),
        ([("a", "0", "1", "dog"), ("a", "x", "2", "dog")], "onset must be a number", 3),
        ([("a", "0", "nan", "dog")], "offset must be a number", 2),
        ([("a", "", "", "dog")], "onset must be a number", 2),
        ([("a", "0", "1", " ")], "an event needs a label", 2),
        ([("a", "2", "1", "dog"), ("a", "x", "2", "dog")], "an event must end after it starts", 2),
        ([("a", "0", "0.0000001", "dog")], "an event must end after it starts", None),
        ([("a", "0", "2", "dog"), ("a", "1", "3", "dog")], "two events of one label", 3),
    ],
)
def test_the_first_wrong_row_is_named_by_its_line(tmp_path, rows, what, line):
    path = write(tmp_path / "a.tsv", rows)
    with pytest.raises(InputError, match=what) as error:
        measure((path,), path)
    assert line is None or f"{path}:{line}" in str(error.value)
