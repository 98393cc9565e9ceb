"""The challenge's files: what is read, what is refused, and in which words."""

from pathlib import Path

import pytest

from earmark.task.progress import notes_to
from earmark.tasks.keywords import files
from earmark.tasks.keywords.run.outputs import read_outputs
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item


def test_labels_are_read_whatever_the_whitespace(tmp_path: Path) -> None:
    path = tmp_path / "P_test_labels.txt"
    path.write_text("a.wav\t1\nb.wav 0\n\n")
    assert files.read_labels(path) == {"a.wav": True, "b.wav": False}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a.wav\t2\n", "a line names a sound file and says 0 or 1\n  at:   {path}:1\n"),
        ("a.wav 1\na.wav 0\n", "a clip has one label\n  at:   {path}:2\n  got:  a.wav"),
    ],
)
def test_a_label_that_is_none_is_refused_by_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "P_test_labels.txt"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        files.read_labels(path)
    assert said.format(path=path) in str(error.value)


def test_a_speaker_with_targets_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "P_test_labels.txt").write_text("a.wav 1\n")
    with pytest.raises(InputError, match="trials that must wake and trials that must not"):
        files.read_label_folder(tmp_path)


CLIPS = {"a.wav": True, "b.wav": False}


def predicted(tmp_path: Path, text: str | None) -> dict[str, Verdict]:
    path = tmp_path / "P_predictions.txt"
    if text is not None:
        path.write_text(text)
    return files.read_predictions(path, CLIPS)


def test_predictions_ignore_other_clips_and_the_last_line_of_a_clip_counts(tmp_path: Path) -> None:
    verdicts = predicted(tmp_path, "b.wav 0\nzz.wav 1\na.wav 0\na.wav\t1\t0.25\n")
    assert verdicts == {"a.wav": Verdict(True, 0.25), "b.wav": Verdict(False)}


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (None, "illegal: no prediction file was written"),
        ("a.wav 1\n", "illegal: no verdict for 1 clips, b.wav first"),
        ("a.wav maybe\nb.wav 0\n", "illegal: line 1 is not a clip and 0 or 1"),
        ("a.wav 1 high\nb.wav 0\n", "illegal: line 1 has a score that is no finite number"),
    ],
)
def test_nonsense_makes_a_speaker_illegal_and_says_why(tmp_path, text, status) -> None:
    verdicts = predicted(tmp_path, text)
    assert {v.status for v in verdicts.values()} == {status}
    assert not any(v.awake for v in verdicts.values())


def folders(tmp_path: Path, answers: dict[str, str]) -> tuple[Path, Path]:
    labels, out = tmp_path / "labels", tmp_path / "out"
    labels.mkdir()
    out.mkdir()
    for speaker in ("P1", "P2"):
        text = "a.wav 1\nb.wav 1\nc.wav 0\nd.wav 0\ne.wav 0\n"
        (labels / f"{speaker}_test_labels.txt").write_text(text)
    for speaker, text in answers.items():
        (out / f"{speaker}_predictions.txt").write_text(text)
    return labels, out


def test_measure_scores_folders_and_a_missing_speaker_voids_nobody(tmp_path, earmark) -> None:
    import json

    right = "a.wav 1\nb.wav 0\nc.wav 0\nd.wav 1\ne.wav 0\n"
    labels, out = folders(tmp_path, {"P1": right})
    code, text, _ = earmark("measure", "keywords", "--reference", labels, "--output", out, "--json")
    result = json.loads(text)
    assert code == 0
    assert result["scores"]["wake_score"]["value"] == pytest.approx((3.5 + 1.0) / 2)
    speakers = result["details"]["wake_score"]["speakers"]
    assert speakers["P1"]["value"] == pytest.approx(3.5)
    assert speakers["P2"]["status"] == "illegal: no prediction file was written"


RIGHT = "a 1\nb 1\nc 0\nd 0\ne 0\n"


@pytest.mark.parametrize("change", [("", ""), ("a ", "P1/test/a.wav ")])
def test_clips_are_named_with_or_without_folder_and_extension(tmp_path: Path, change) -> None:
    labels, out = folders(tmp_path, dict.fromkeys(("P1", "P2"), RIGHT.replace(*change)))
    pairing = files.measure_folders((labels,), out)
    assert all(
        pairing.output[name].awake == pairing.reference[name].is_target
        for name in pairing.reference
    )
    items = tuple(Item(name, "trial") for name in "abcde")
    outputs = {one.item: one.value for one in read_outputs(out / "P1_predictions.txt", items)}
    assert [outputs[name].awake for name in "abcde"] == [True, True, False, False, False]


def test_predictions_of_other_clips_are_refused_with_counts(tmp_path: Path) -> None:
    labels, out = folders(tmp_path, {"P1": RIGHT.replace("a 1", "x 1").replace("b 1", "y 1")})
    counts = r"2 clips \(a.wav, b.wav\) without a verdict, 2 verdicts \(x, y\) of no clip"
    with pytest.raises(InputError, match=counts):
        files.measure_folders((labels,), out)
    items = tuple(Item(name, "trial") for name in "abcde")
    with pytest.raises(InputError, match=counts):
        list(read_outputs(out / "P1_predictions.txt", items))
    with pytest.raises(InputError, match="predictions must be a file, or a folder"):
        list(read_outputs(tmp_path / "none.txt", items))


def trials() -> tuple[Item, ...]:
    return tuple(Item(f"{s}-{name}", "trial", parent=s) for s in ("P1", "P2") for name in "abcde")


def test_a_folder_of_predictions_is_a_system_and_gives_the_numbers_of_measure(
    tmp_path: Path, earmark
) -> None:
    import json

    labels, out = folders(tmp_path, {"P1": RIGHT.replace("c 0", "c 1"), "P2": RIGHT})
    study = tmp_path / "kws"
    assert earmark("make", "keywords", study, "--labels", labels)[0] == 0
    code, _, err = earmark("run", study, out, "--name", "team")
    assert code == 0 and not err
    _, text, _ = earmark("score", study, "--resamples", "0", "--json")
    # P1 wakes wrongly at one of three: S = 9 / 3; P2 is right throughout
    assert json.loads(text)["scores"]["wake_score"]["value"] == pytest.approx(1.5)
    _, text, _ = earmark("measure", "keywords", "--reference", labels, "--output", out, "--json")
    assert json.loads(text)["scores"]["wake_score"]["value"] == pytest.approx(1.5)
    code, _, err = earmark("run", study, "template")
    assert code == 2 and "got:  10 clips (P1-a, P1-b, P1-c, ...) without sound" in err
    assert earmark("report", study)[0] == 0
    page = (study / "6-report" / "index.html").read_text()
    assert "should not wake" in page or "P1-c" in page
    assert "<audio" not in page


def test_folders_of_predictions_of_other_speakers_are_refused_and_missing_ones_noted(
    tmp_path: Path,
) -> None:
    _, out = folders(tmp_path, {"P1": RIGHT})
    notes: list[str] = []
    with notes_to(notes.append):
        outputs = {one.item: one.value for one in read_outputs(out, trials())}
    why = "P2 is illegal: no prediction file was written"
    assert notes == [f"{out}: 1 speaker (P2) of 2 scored as never waking; {why}"]
    assert outputs["P1-a"].awake and outputs["P2-a"].failed
    (out / "P9_predictions.txt").write_text(RIGHT)
    with pytest.raises(
        InputError, match=r"1 speaker \(P9\) not in the study, 1 speaker \(P2\) with"
    ):
        list(read_outputs(out, trials()))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="0 files, 0 speakers not in the study, 2 speakers"):
        list(read_outputs(tmp_path / "empty", trials()))


def test_a_folder_whose_lines_name_other_clips_is_refused(tmp_path: Path) -> None:
    _, out = folders(tmp_path, {"P1": RIGHT, "P2": RIGHT.replace("a 1", "x 1")})
    with pytest.raises(InputError, match=r"1 verdict \(x\) of no clip"):
        list(read_outputs(out, trials()))


def test_measure_tells_the_oracle_when_there_are_scores(tmp_path: Path, earmark) -> None:
    import json

    scored = "a.wav 0 2.0\nb.wav 0 3.0\nc.wav 0 1.0\nd.wav 0 0.5\ne.wav 0 0.1\n"
    labels, out = folders(tmp_path, {"P1": scored, "P2": scored})
    _, text, _ = earmark("measure", "keywords", "--reference", labels, "--output", out, "--json")
    result = json.loads(text)
    assert result["scores"]["wake_score"]["value"] == 1.0
    oracle = result["details"]["wake_score"]["oracle"]
    assert oracle == {"one_threshold": 0.0, "a_threshold_each": 0.0}


def test_four_enrolments_are_too_few(challenge) -> None:
    folder, _ = challenge
    (folder / "P0001" / "enroll" / "P0001E005.wav").unlink()
    with pytest.raises(InputError) as error:
        files.read_challenge(folder)
    assert str(error.value) == (
        "a speaker enrols with at least 5 recordings\n"
        f"  at:   {folder / 'P0001' / 'enroll'}\n"
        "  got:  4 sound files\n"
        "  fix:  add the missing recordings, or say --enrolments"
    )


def test_predictions_are_written_as_they_are_read(tmp_path: Path) -> None:
    verdicts = {"a.wav": Verdict(True, 0.5), "b.wav": Verdict(False, -1.0)}
    files.write_predictions(tmp_path / "P_predictions.txt", verdicts)
    assert files.read_predictions(tmp_path / "P_predictions.txt", CLIPS) == verdicts
    files.write_predictions(tmp_path / "P_predictions.txt", verdicts, scores=False)
    assert files.read_predictions(tmp_path / "P_predictions.txt", CLIPS)["a.wav"].score is None


@pytest.mark.parametrize("text", [RIGHT.replace(" ", ","), ""])
def test_predictions_that_are_illegal_for_everybody_are_refused(tmp_path: Path, text: str) -> None:
    labels, out = folders(tmp_path, dict.fromkeys(("P1", "P2"), text))
    said = r"2 speakers \(P1, P2\) of 2, the first illegal: "
    with pytest.raises(InputError, match=said):
        files.measure_folders((labels,), out)
    with pytest.raises(InputError, match=said):
        list(read_outputs(out, trials()))


def test_measure_says_who_was_scored_as_never_waking(tmp_path: Path, earmark) -> None:
    labels, out = folders(tmp_path, {"P1": RIGHT})
    why = "1 speaker (P2) of 2 scored as never waking; P2 is illegal: no prediction file"
    words = ("measure", "keywords", "--reference", labels, "--output", out)
    assert why in earmark(*words)[1]
    _, text, err = earmark(*words, "--format", "csv")
    assert why in err and why not in text
