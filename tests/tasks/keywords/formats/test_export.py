"""The challenge's layout out and in again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from earmark.study import Study
from earmark.tasks.keywords.files import measure_folders
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def wake(recordings: Path, tmp_path_factory: pytest.TempPathFactory) -> Study:
    study = Study.create(tmp_path_factory.mktemp("k") / "wake", task="keywords")
    study.make(recordings=recordings, positives=2, own_words=2, impostors=2, strangers=1)
    return study


def test_a_challenge_is_taken_again_as_the_same_study(
    wake: Study, tmp_path: Path, earmark: Call
) -> None:
    wake.export(tmp_path / "out", "auto-kws")
    code, _, err = earmark(
        *("make", "keywords", tmp_path / "again"),
        *("--challenge", tmp_path / "out/challenge", "--labels", tmp_path / "out/labels"),
    )
    assert code == 0, err
    again = Study.open(tmp_path / "again")
    kinds = {item.id: item.kind for item in wake.items()}
    assert {item.id: item.kind for item in again.items()} == kinds
    sounds = {item.id: Path(item.media or "").read_bytes() for item in wake.items()}
    assert {item.id: Path(item.media or "").read_bytes() for item in again.items()} == sounds
    truth = {item: (t.speaker, t.is_target) for item, t in wake.reference().values.items()}
    read = {item: (t.speaker, t.is_target) for item, t in again.reference().values.items()}
    assert read == truth


def test_predictions_come_back(wake: Study, tmp_path: Path) -> None:
    lines = [
        f"{item.id}.wav\t{number % 2}\t{number / 7!r}\n"
        for number, item in enumerate(wake.items())
        if item.kind == "trial"
    ]
    (tmp_path / "mine.txt").write_text("".join(lines))
    wake.run(tmp_path / "mine.txt", name="mine")
    wake.export(tmp_path / "labels", "auto-kws")
    result = wake.export(tmp_path / "out", "auto-kws", system="mine")
    assert result["count"] == len(lines)
    paired = measure_folders((tmp_path / "labels" / "labels",), tmp_path / "out" / "predictions")
    read = {name.partition("/")[2].removesuffix(".wav"): v for name, v in paired.output.items()}
    assert read == {item: one.value for item, one in wake.outputs()["mine"].items()}


def test_a_clip_on_which_a_system_failed_has_no_line(wake: Study) -> None:
    from earmark.study.export import exporter
    from earmark.task.export import Selection

    trials = [item for item in wake.items() if item.kind == "trial"]
    verdicts = {item.id: Verdict(awake=True, score=0.5) for item in trials}
    verdicts[trials[0].id] = Verdict(awake=False, status="timeout")
    selection = Selection("outputs", "x", "wake", items=wake.items(), values=verdicts)
    exported = exporter(wake.task, "auto-kws").write(selection)
    assert exported.count == len(trials) - 1
    assert exported.notes == ("1 clips on which the system failed have no line",)


def test_a_phase_is_exported_alone(recordings: Path, tmp_path: Path) -> None:
    study = Study.create(tmp_path / "wake", task="keywords")
    study.make(recordings=recordings, phases="practice:1", positives=2, own_words=2, impostors=1)
    everything = study.export(tmp_path / "a", "auto-kws")["count"]
    assert study.export(tmp_path / "b", "auto-kws", phase="practice")["count"] == everything
    with pytest.raises(InputError, match="there is no phase 'private'"):
        study.export(tmp_path / "c", "auto-kws", phase="private")
