"""F1 against soft references, worked by hand; soft labels in MAESTRO's layout, there and back."""

from pathlib import Path

import pytest

from earmark.score.evaluate import evaluate
from earmark.tasks.events import soft_f1
from earmark.tasks.events.formats.maestro import (
    read_soft_folder,
    read_soft_labels,
    write_soft_labels,
)
from earmark.tasks.events.values import Event, FrameScores, Timeline
from earmark.values.errors import InputError


def seconds(*values: float, label: str = "dog") -> FrameScores:
    return FrameScores((label,), range(len(values) + 1), [[value] for value in values])


def line(*values: float) -> Timeline:
    return Timeline(len(values), (), seconds(*values))


def test_a_soft_label_counts_above_one_half_and_each_label_has_its_own_threshold() -> None:
    """Reference 0 1 1 0 at .5. Above .3 the output has seconds 1, 2 and 3: F = 4 / 5.

    Above .6 it has second 1 alone, F = 2 / 3; above .1 all four, F = 4 / 6.
    """
    reference, output = line(0.5, 0.51, 0.9, 0.2), line(0.2, 0.7, 0.4, 0.5)
    score = soft_f1()(reference, output)
    assert score.value == pytest.approx(0.8)
    assert score.parts["thresholds"] == {"dog": 0.2}  # the lowest that is as good


def test_the_share_from_which_a_reference_is_active_matters() -> None:
    reference, output = line(0.6, 0.9, 0.1), line(0.2, 0.9, 0.1)
    assert soft_f1()(reference, output).value == 1.0  # seconds 0 and 1, above .1
    strict = soft_f1(active=0.8)
    assert strict(reference, output).value == 1.0  # second 1 alone, above .2
    assert strict(reference, line(0.9, 0.2, 0.1)).value == pytest.approx(2 / 3)


def test_labels_are_averaged_and_a_label_without_scores_is_never_found() -> None:
    reference = Timeline(2, (), FrameScores(("cat", "dog"), (0, 1, 2), [[0.9, 0.0], [0.0, 0.9]]))
    assert soft_f1()(reference, line(0.0, 1.0)).value == pytest.approx(0.5)


def test_a_hard_reference_is_active_where_an_event_touches_a_segment() -> None:
    reference = Timeline(3, (Event("dog", 0.9, 1.2),))
    assert soft_f1()(reference, line(0.9, 0.8, 0.1)).value == 1.0
    assert soft_f1(seconds=3.0)(reference, line(0.0, 0.0, 1.0)).value == 1.0


def test_frames_that_are_shorter_than_a_segment_count_by_their_highest() -> None:
    halves = FrameScores(("dog",), (0.0, 0.5, 1.0, 1.5, 2.0), [[0.1], [0.9], [0.2], [0.3]])
    assert soft_f1()(line(0.9, 0.1), Timeline(2, (), halves)).value == 1.0


def test_thresholds_are_those_of_all_recordings_together() -> None:
    """Alone each recording would have a perfect threshold; together the best is 4 / 5."""
    reference = {"a": line(1.0, 0.0), "b": line(1.0, 0.0)}
    output = {"a": line(0.9, 0.6), "b": line(0.5, 0.1)}
    assert [soft_f1()(reference[k], output[k]).value for k in "ab"] == [1.0, 1.0]
    assert evaluate(soft_f1(), reference, output, resamples=0).value == pytest.approx(0.8)


def test_without_scores_or_without_anything_active_it_is_undefined() -> None:
    for reference, output in ((line(0.9), Timeline(1)), (line(0.5), line(0.9))):
        value = soft_f1()(reference, output).value
        assert value != value


def test_scores_that_are_no_probabilities_are_refused() -> None:
    with pytest.raises(InputError, match="must lie between 0 and 1"):
        soft_f1()(line(0.9), line(3.5))


def test_soft_labels_survive_maestros_layout(tmp_path: Path) -> None:
    soft = FrameScores(("car", "dog"), (0, 1, 2), [[0.1234, 1.0], [0.0, 0.5]])
    text = write_soft_labels("street", Timeline(2, (), soft))
    assert text.splitlines()[0] == "0\t1\tcar\t0.1234"
    (tmp_path / "street.txt").write_text(text)
    assert read_soft_folder(tmp_path) == {"street": soft}


def test_seconds_and_labels_that_the_published_files_leave_out_are_0(tmp_path: Path) -> None:
    # a scene's folder, a label that is 0 in a second, a silent second, a 1 that was summed up
    folder = tmp_path / "soft_labels_city_center"
    folder.mkdir()
    rows = ("1.0\t2.0\tcar\t0.25", "1.0\t2.0\tdog\t1.0000000000000002", "3.0\t4.0\tcar\t0.5")
    (folder / "city_center_01.txt").write_text("\n".join(rows) + "\n")
    soft = FrameScores(("car", "dog"), (0, 1, 2, 3, 4), [[0, 0], [0.25, 1], [0, 0], [0.5, 0]])
    assert read_soft_folder(tmp_path) == {"city_center_01": soft}


def test_a_recording_has_one_file_of_soft_labels(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "street.txt").write_text("0\t1\tdog\t.5\n")
    with pytest.raises(InputError, match="in one file"):
        read_soft_folder(tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0\t1\tdog\n", "four fields"),
        ("0\t1\tdog\t1.5\n", "between 0 and 1"),
        ("0\t1\tdog\t.5\n0\t1\tdog\t.5\n", "one soft label per label"),
        ("0\t2\tdog\t.5\n1\t3\tdog\t.5\n", "must not overlap"),
        ("\n", "must hold some"),
    ],
)
def test_soft_labels_that_cannot_be_read_are_refused(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "street.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        read_soft_labels(path)


def test_events_alone_are_no_soft_labels() -> None:
    with pytest.raises(InputError, match="a probability for every second"):
        write_soft_labels("street", Timeline(2, (Event("dog", 0, 1),)))
