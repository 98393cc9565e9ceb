"""Measuring event tables and frame scores: what is read, and what is refused."""

from pathlib import Path

import pytest

from earmark.score.evaluate import evaluate
from earmark.tasks import events as task
from earmark.tasks.events.measure import EventFileOptions, measure
from earmark.tasks.events.values import Event, FrameScores, Timeline
from earmark.values.errors import InputError
from earmark.values.item import Item

HEAD = "filename\tonset\toffset\tevent_label\n"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("durations", "problem"),
    [
        ("filename\tduration\nx\t0\n", "a duration must be > 0"),
        ("filename\tduration\nx\t3\nx\t4\n", "one duration"),
        ("filename\tduration\ny\t3\n", "has no duration"),
        ("filename\tduration\nx\t1\n", "within its recording"),
    ],
)
def test_wrong_durations_are_told(tmp_path: Path, durations: str, problem: str) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "x\t0\t2\ta\n")
    lengths = write(tmp_path / "d.tsv", durations)
    with pytest.raises(InputError, match=problem):
        measure((reference,), reference, EventFileOptions(durations=lengths))


def test_measuring_needs_an_output_one_reference_and_known_recordings(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "x\t0\t2\ta\n")
    with pytest.raises(InputError, match="an output to measure"):
        measure((reference,), None)
    with pytest.raises(InputError, match="against one reference"):
        measure((reference, reference), reference)
    output = write(tmp_path / "o.tsv", HEAD + "x\t0\t2\ta\ny\t0\t1\ta\n")
    with pytest.raises(InputError, match="is not in the reference") as error:
        measure((reference,), output)
    assert "o.tsv:3" in str(error.value)
    empty = write(tmp_path / "e.tsv", HEAD)
    with pytest.raises(InputError, match="at least one recording"):
        measure((empty,), empty)


def test_recordings_match_with_or_without_folder_and_extension(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "a.wav\t0\t2\tdog\nb.wav\t\t\t\n")
    output = write(tmp_path / "o.tsv", HEAD + "x/b\t0\t1\tdog\nx/a\t0\t2\tdog\n")
    lengths = write(tmp_path / "d.tsv", "filename\tduration\na\t5\nb\t4\nc\t3\n")
    pairing = measure((reference,), output, EventFileOptions(durations=lengths))
    assert {name: line.duration for name, line in pairing.output.items()} == {
        "a.wav": 5, "b.wav": 4, "c": 3,
    }  # fmt: skip
    assert pairing.output["a.wav"].events == (Event("dog", 0, 2),)
    assert pairing.output["b.wav"].events == (Event("dog", 0, 1),)
    items = tuple(
        Item(name, "recording", media=f"m/{name}.flac", details={"labels": ["dog"], "seconds": 4.0})
        for name in ("a", "b")
    )
    outputs = list(task.TASK.outputs(output, items))  # type: ignore[misc]
    assert [len(one.value.events) for one in outputs] == [1, 1]


def test_recordings_of_which_few_match_are_counted(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "a\t0\t2\tdog\nb\t0\t2\tdog\n")
    output = write(tmp_path / "o.tsv", HEAD + "a\t0\t2\tdog\nrec_1\t\t\t\nrec_2\t0\t1\tdog\n")
    counted = r"rec_1; 1 of 3 recordings \(a, rec_1, rec_2\) are among 2 recordings \(a, b\)"
    with pytest.raises(InputError, match=counted) as error:
        measure((reference,), output)
    assert f"{output}:3" in str(error.value)
    item = Item("a", "recording", details={"labels": ["dog"], "seconds": 4.0})
    with pytest.raises(InputError, match=r"1 of 3 recordings \(.*\) are among 1 recording \(a\)"):
        list(task.TASK.outputs(output, (item,)))  # type: ignore[misc]


def test_frame_scores_are_read_and_checked(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "x.wav\t0\t1\ta\n")
    folder = tmp_path / "scores"
    with pytest.raises(InputError, match="come as a folder"):
        measure((reference,), None, EventFileOptions(scores=folder))
    folder.mkdir()
    with pytest.raises(InputError, match="has no frame scores"):
        measure((reference,), None, EventFileOptions(scores=folder))
    write(folder / "x.tsv", "onset\toffset\ta\n")
    with pytest.raises(InputError, match="at least one frame"):
        measure((reference,), None, EventFileOptions(scores=folder))
    write(folder / "x.tsv", "onset\toffset\ta\n0\t1\t.9\n2\t3\t.1\n")
    with pytest.raises(InputError, match="follow one another"):
        measure((reference,), None, EventFileOptions(scores=folder))
    write(folder / "x.tsv", "onset\toffset\ta\n0\t1\t.9\n1\t3\t.1\n")
    found = measure((reference,), None, EventFileOptions(scores=folder))
    assert found.output["x.wav"].events == (Event("a", 0, 1),)
    assert evaluate(task.psds(), found.reference, found.output, resamples=0).value == 1.0
    low = measure((reference,), None, EventFileOptions(scores=folder, threshold=0.05))
    assert low.output["x.wav"].events == (Event("a", 0, 3),)


def test_psds_is_resampled_by_recording() -> None:
    def line(right: bool) -> Timeline:
        rows = ((0.9,), (0.1,)) if right else ((0.1,), (0.9,))
        return Timeline(200, (), FrameScores(("a",), (0, 10, 200), rows))

    reference = {f"r{k}": Timeline(200, (Event("a", 0, 10),)) for k in range(6)}
    output = {name: line(k % 3 > 0) for k, name in enumerate(reference)}
    score = evaluate(task.psds(), reference, output, resamples=200, seed=1)
    assert score.interval is not None
    assert score.interval.low < score.value < score.interval.high
    silent = {name: Timeline(200) for name in reference}
    assert evaluate(task.psds(), reference, silent, resamples=10).interval is None


def test_an_output_label_that_no_reference_has_is_refused_unless_it_is_allowed(
    tmp_path: Path,
) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "a\t0\t3\tdog\n")
    output = write(tmp_path / "o.tsv", HEAD + "a\t0\t3\tdog\na\t1\t2\tdgo\n")
    with pytest.raises(InputError) as error:
        measure((reference,), output)
    assert str(error.value) == (
        "the output has a label that the reference does not know\n"
        f"  at:   {output}:3\n"
        "  got:  dgo\n"
        "  want: dog\n"
        "  fix:  correct the label, or allow it: --labels dgo"
    )
    allowed = measure((reference,), output, EventFileOptions(labels=("dgo",))).output["a"]
    assert [event.label for event in allowed.events] == ["dog", "dgo"]


def test_frame_scores_of_a_label_without_reference_are_told(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "a.wav\t0\t1\tdog\n")
    (tmp_path / "s").mkdir()
    write(tmp_path / "s" / "a.tsv", "onset\toffset\tdog\tcat\n0\t1\t0.9\t0.8\n")
    found = measure((reference,), None, EventFileOptions(scores=tmp_path / "s"))
    assert found.details == {"labels_without_reference": ["cat"]}


def test_a_study_knows_the_labels_that_a_file_of_outputs_may_have(tmp_path: Path) -> None:
    item = Item("a", "recording", details={"labels": ["dog"], "seconds": 4.0})
    path = write(tmp_path / "o.tsv", HEAD + "a\t0\t3\tcat\n")
    with pytest.raises(InputError, match=f"label that the reference does not know\n.*{path}:2"):
        list(task.TASK.outputs(path, (item,)))  # type: ignore[misc]


def test_the_fix_for_an_unknown_label_can_be_typed_as_it_is(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "a\t0\t1\tdog\n")
    output = write(tmp_path / "o.tsv", HEAD + "a\t0\t1\tspeech siren\n")
    with pytest.raises(InputError, match=r"allow it: --labels 'speech siren'$"):
        measure((reference,), output)


def test_two_recordings_of_one_stem_do_not_share_frame_scores(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "x/a.wav\t0\t1\tdog\ny/a.wav\t0\t1\tdog\n")
    (tmp_path / "s").mkdir()
    write(tmp_path / "s" / "a.tsv", "onset\toffset\tdog\n0\t1\t0.9\n")
    with pytest.raises(InputError, match=r"x/a\.wav and y/a\.wav"):
        measure((reference,), None, EventFileOptions(scores=tmp_path / "s"))


def test_recordings_that_the_output_does_not_name_are_silent_and_said_so(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "x\t0\t2\ta\ny\t0\t2\ta\nz\t\t\t\n")
    output = write(tmp_path / "o.tsv", HEAD + "x\t0\t2\ta\nz\t\t\t\n")
    pairing = measure((reference,), output)
    assert pairing.output["y"].events == ()
    assert pairing.details["notes"] == ["output: no row for 1 recording (y) of 3: silent"]
    assert "notes" not in measure((reference,), reference).details
