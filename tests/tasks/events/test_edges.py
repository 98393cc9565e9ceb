"""What the task refuses, what it does with nothing, and the trial of a design."""

from pathlib import Path

import numpy as np
import pytest

from earmark.score.evaluate import evaluate
from earmark.tasks import events as task
from earmark.tasks.events import ask, files, trial
from earmark.tasks.events.ask.crowd import Crowd
from earmark.tasks.events.reconcile.windows import Window, grid, sheet
from earmark.tasks.events.reconcile.hmm import Recipe, window_hmm
from earmark.tasks.events.make.soundscapes import make_soundscapes
from earmark.tasks.events.measure import measure
from earmark.tasks.events.make.plan import plan
from earmark.tasks.events.plan_values import Score
from earmark.tasks.events.values import Event, FrameScores, Timeline, timeline
from earmark.values.errors import InputError
from earmark.values.item import Item

HEAD = "filename\tonset\toffset\tevent_label\n"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("build", "problem"),
    [
        (lambda: Event("", 0, 1), "an event needs a label"),
        (lambda: Event("a", 2, 1), "must end after it starts"),
        (lambda: Timeline(1, (Event("a", 0, 2),)), "lies within its recording"),
        (lambda: timeline([Event("a", 0, 2), Event("a", 1, 3)]), "must not overlap"),
        (lambda: FrameScores(("a",), (0.0,), ((0.1,),)), "one more edge than frames"),
        (lambda: FrameScores(("a",), (1.0, 0.0), ((0.1,),)), "follow one another"),
        (lambda: Score(seconds=0), "lasts a second or more"),
        (lambda: Crowd(people=3, opinions=5), "as many people as opinions"),
        (lambda: Crowd(spammers=0.9, careless=0.5), "between 0 and 1"),
        (lambda: Recipe(levels=9), "1 to 3 levels"),
        (lambda: task.segment_f1(seconds=0), "longer than nothing"),
        (lambda: list(make_soundscapes(None, seed=1, recordings=0)), "a recording and a worker"),
        (lambda: ask.labels_of(Item("r", "recording")), "which labels are asked about"),
        (lambda: ask.recording_seconds(Item("r", "recording")), "a sound or a length"),
    ],
)
def test_what_cannot_be_is_refused(build, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        build()


def test_a_label_that_earmark_cannot_synthesise_has_no_example() -> None:
    assert ask.example("vuvuzela") is None


def test_a_length_is_read_from_the_file_when_nobody_says_it(tmp_path: Path) -> None:
    from earmark.files.sound import write_sound

    write_sound(tmp_path / "a.wav", np.zeros(16000, np.float32), 8000)
    assert ask.recording_seconds(Item("a", "recording", str(tmp_path / "a.wav"))) == 2.0


def test_a_plan_in_which_nothing_more_fits_ends() -> None:
    placed = plan(Score(30.0), ["a"], lambda k, r: (0, 25.0), np.random.default_rng(1))
    assert len(placed) == 1


def test_a_folder_of_clips_must_be_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder of folders"):
        next(make_soundscapes(None, seed=1, sounds=write(tmp_path / "x", "")))


def test_windows_that_do_not_fit_together_are_refused() -> None:
    rows = {"r": [Window("a", "r", 0, 10, "w:2"), Window("b", "r", 3, 13, "w:3")]}
    with pytest.raises(InputError, match="a whole number of hops"):
        grid(rows)
    with pytest.raises(InputError, match="at least one window"):
        grid({})
    late = {"r": [Window("a", "r", 5, 10, "w:2")]}
    with pytest.raises(InputError, match="a window that starts at 0 s"):
        grid(late)
    twice = {"r": [Window("a", "r", 0, 5, "w:2"), Window("b", "r", 0, 5, "w:3")]}
    with pytest.raises(InputError, match="a window stands once"):
        grid(twice)


def test_the_window_hmm_refuses_windows_that_do_not_overlap() -> None:
    from earmark.tasks.events.reconcile.windows import Vote

    alone = [Window(f"w{k}", "r", 5 * k, 5 * k + 5) for k in range(3)]
    votes = [Vote(w.id, "p", frozenset({"a"})) for w in alone]
    with pytest.raises(InputError, match="2 to 12 hops"):
        window_hmm(sheet(alone, votes, ("a",)))


@pytest.mark.parametrize(
    ("durations", "problem"),
    [
        ("filename\tduration\nx\t0\n", "longer than nothing"),
        ("filename\tduration\nx\t3\nx\t4\n", "one duration"),
        ("filename\tduration\ny\t3\n", "has no duration"),
        ("filename\tduration\nx\t1\n", "within its recording"),
    ],
)
def test_wrong_durations_are_told(tmp_path: Path, durations: str, problem: str) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "x\t0\t2\ta\n")
    lengths = write(tmp_path / "d.tsv", durations)
    with pytest.raises(InputError, match=problem):
        measure((reference,), reference, durations=lengths)


def test_measuring_needs_an_output_one_reference_and_known_recordings(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "x\t0\t2\ta\n")
    with pytest.raises(InputError, match="an output to measure"):
        measure((reference,), None)
    with pytest.raises(InputError, match="against one reference"):
        measure((reference, reference), reference)
    output = write(tmp_path / "o.tsv", HEAD + "x\t0\t2\ta\ny\t0\t1\ta\n")
    with pytest.raises(InputError, match="does not know") as error:
        measure((reference,), output)
    assert "o.tsv:3" in str(error.value)
    empty = write(tmp_path / "e.tsv", HEAD)
    with pytest.raises(InputError, match="at least one recording"):
        measure((empty,), empty)


def test_frame_scores_are_read_and_checked(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "x.wav\t0\t1\ta\n")
    folder = tmp_path / "scores"
    with pytest.raises(InputError, match="come as a folder"):
        measure((reference,), None, scores=folder)
    folder.mkdir()
    with pytest.raises(InputError, match="has no frame scores"):
        measure((reference,), None, scores=folder)
    write(folder / "x.tsv", "onset\toffset\ta\n")
    with pytest.raises(InputError, match="at least one frame"):
        measure((reference,), None, scores=folder)
    write(folder / "x.tsv", "onset\toffset\ta\n0\t1\t.9\n2\t3\t.1\n")
    with pytest.raises(InputError, match="follow one another"):
        measure((reference,), None, scores=folder)
    write(folder / "x.tsv", "onset\toffset\ta\n0\t1\t.9\n1\t3\t.1\n")
    found = measure((reference,), None, scores=folder)
    assert found.output["x.wav"].events == (Event("a", 0, 1),)
    assert evaluate(task.psds(), found.reference, found.output, resamples=0).value == 1.0
    low = measure((reference,), None, scores=folder, threshold=0.05)
    assert low.output["x.wav"].events == (Event("a", 0, 3),)


def test_jams_of_others_are_read_and_broken_ones_told(tmp_path: Path) -> None:
    good = write(
        tmp_path / "a.jams",
        '{"annotations": [{"namespace": "scaper", "data": [{"time": 1, "duration": 2,'
        ' "value": {"label": "dog"}}]}, {"namespace": "beat", "data": [{"time": 0}]}]}',
    )
    assert files.read_events(good) == {"a": [(str(good), Event("dog", 1, 3))]}
    with pytest.raises(InputError, match="must be JSON"):
        list(files.read_jams(write(tmp_path / "b.jams", "{")))


def test_psds_is_resampled_by_recording() -> None:
    def line(right: bool) -> Timeline:
        rows = ((0.9,), (0.1,)) if right else ((0.1,), (0.9,))
        return Timeline(200, (), FrameScores(("a",), (0, 10, 200), rows))

    reference = {f"r{k}": Timeline(200, (Event("a", 0, 10),)) for k in range(6)}
    output = {name: line(k % 3 > 0) for k, name in enumerate(reference)}
    score = evaluate(task.psds(), reference, output, resamples=200, seed=1)
    assert score.interval.low < score.value < score.interval.high
    silent = {name: Timeline(200) for name in reference}
    assert evaluate(task.psds(), reference, silent, resamples=10).interval is None


def test_a_trial_runs_every_way_and_the_window_hmm_is_ahead_of_mace() -> None:
    found = trial.trial(3, crowd=Crowd(people=150, cap=999), recordings=4, seconds=90.0)
    assert trial.true_tags(found).shape == (4 * 81, 6)
    rows = {name: trial.table_row(found.truth, lines) for name, lines in trial.ways(found.sheet, 3)}
    assert list(rows) == ["all", "trusted", "mace vb", "mace em", "window-hmm"]
    assert rows["window-hmm"]["F1"] > rows["mace vb"]["F1"] > rows["all"]["F1"]
    assert rows["window-hmm"]["ER"] < rows["mace vb"]["ER"]
    for row in rows.values():
        assert row["ER"] == pytest.approx(row["S"] + row["D"] + row["I"])


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
    allowed = measure((reference,), output, labels=("dgo",)).output["a"]
    assert [event.label for event in allowed.events] == ["dog", "dgo"]


def test_frame_scores_of_a_label_without_reference_are_told(tmp_path: Path) -> None:
    reference = write(tmp_path / "r.tsv", HEAD + "a.wav\t0\t1\tdog\n")
    (tmp_path / "s").mkdir()
    write(tmp_path / "s" / "a.tsv", "onset\toffset\tdog\tcat\n0\t1\t0.9\t0.8\n")
    found = measure((reference,), None, scores=tmp_path / "s")
    assert found.details == {"labels_without_reference": ["cat"]}


def test_a_study_knows_the_labels_that_a_file_of_outputs_may_have(tmp_path: Path) -> None:
    item = Item("a", "recording", details={"labels": ["dog"], "seconds": 4.0})
    path = write(tmp_path / "o.tsv", HEAD + "a\t0\t3\tcat\n")
    with pytest.raises(InputError, match=f"label that the reference does not know\n.*{path}:2"):
        list(task.TASK.outputs(path, (item,)))  # type: ignore[misc]
