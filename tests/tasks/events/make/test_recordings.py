"""One's own recordings and references as material: what is taken, what is refused with counts."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.study import Study
from earmark.task.progress import notes_to
from earmark.tasks.events.make.labels import given_labels
from earmark.tasks.events.make.recordings import OwnRecordingOptions, make_recordings
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError

HEAD = "filename\tonset\toffset\tevent_label\n"
# the name, the rate and the channels of each recording; all last 12 s
RECORDINGS = (("a.wav", 8000, 1), ("b.flac", 16000, 2), ("sub/c.ogg", 44100, 1))


@pytest.fixture(scope="module")
def audio(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "sub").mkdir()
    for name, rate, channels in RECORDINGS:
        tone = 0.3 * np.sin(np.arange(12 * rate) * (2 * np.pi * 440 / rate))
        left_alone = tone[:, None] * (1, 0)[:channels] if channels == 2 else tone
        soundfile.write(folder / name, left_alone, rate)
    (folder / "notes.txt").write_text("not a recording", encoding="utf-8")
    return folder


def table(path: Path, *rows: str) -> Path:
    path.write_text(HEAD + "".join(row.replace(" ", "\t") + "\n" for row in rows), encoding="utf-8")
    return path


def made(tmp_path: Path, **options: object) -> Iterator[object]:
    return make_recordings(None, OwnRecordingOptions(**options), seed=0)  # type: ignore[arg-type]


def test_own_recordings_of_any_rate_and_folder_are_taken_as_mono_and_the_mixdown_is_said(
    audio: Path, tmp_path: Path
) -> None:
    notes: list[str] = []
    study = Study.create(tmp_path / "mine", task="events")
    with notes_to(notes.append):
        assert study.make(audio=audio, labels=("dog,car",)) == {"items": 3, "truth": 0}
    assert notes == ["1 recording (b.flac) of several channels: their mean is taken"]
    a, b, c = study.items()
    assert [item.id for item in (a, b, c)] == ["a", "b", "sub/c"]
    assert a.details == {"seconds": 12.0, "labels": ("dog", "car"), "file": "a.wav"}
    assert b.details["channels_averaged"] == 2
    samples, rate = soundfile.read(str(b.media))
    assert (rate, samples.ndim, len(samples)) == (16000, 1, 192000)
    assert np.abs(samples).max() == pytest.approx(0.15, abs=1e-3)  # the mean of 0.3 and 0
    assert study.settings()["make"]["maker"] == "recordings"


def test_the_whole_road_of_own_recordings_with_a_reference(audio: Path, tmp_path: Path) -> None:
    rows = ("a.wav 2 4 dog", "x/b 5 7.5 car", "c 1 3 dog")
    study = Study.create(tmp_path / "mine", task="events", seed=3)
    study.make(audio=audio, reference=table(tmp_path / "r.tsv", *rows))
    truth = study.truth()
    assert truth is not None and truth.values["sub/c"] == Timeline(12.0, (Event("dog", 1, 3),))
    crowd = tmp_path / "crowd.toml"
    crowd.write_text("people = 20\naudibility = 6.0\n", encoding="utf-8")
    study.ask(simulate=True, crowd=crowd, window=4.0, hop=2.0)
    study.reconcile("majority")
    study.run(table(tmp_path / "o.tsv", "a 2 4 dog", "b.wav 5 7 car", "sub/c.wav 1 3 dog"))
    study.score(against="truth", resamples=0)
    (row,) = study.scores()
    assert row["scores"]["event_f1"]["value"] == 1.0
    page = study.report().read_text(encoding="utf-8")
    assert page.count("<audio controls") == 2


def test_a_study_of_a_reference_alone_gives_the_numbers_of_measure(tmp_path: Path) -> None:
    reference = table(tmp_path / "r.tsv", "a 2 4 dog", "b 5 7.5 car", "silent   ")
    output = table(tmp_path / "o.tsv", "a 2 4 dog", "b 5 9 car", "silent 0 1 dog")
    study = Study.create(tmp_path / "plain", task="events")
    study.make(reference=reference)
    study.run(output, name="mine")
    study.score(resamples=0)
    (row,) = study.scores()
    import earmark

    beside = earmark.measure("events", reference=reference, output=output, resamples=0)
    for metric in ("segment_f1", "event_f1", "intersection_f1"):
        assert row["scores"][metric]["value"] == pytest.approx(float(beside[metric]))
    page = study.report().read_text(encoding="utf-8")
    assert "Who heard what, when" in page and "<audio" not in page


def test_durations_bound_what_outputs_may_say(tmp_path: Path) -> None:
    reference = table(tmp_path / "r.tsv", "a.wav 2 4 dog")
    lengths = tmp_path / "d.tsv"
    lengths.write_text("filename\tduration\na\t6\nquiet\t5\n", encoding="utf-8")
    study = Study.create(tmp_path / "plain", task="events")
    assert study.make(reference=reference, durations=lengths) == {"items": 2, "truth": 2}
    with pytest.raises(InputError, match="an event lies within its recording"):
        study.run(table(tmp_path / "o.tsv", "a.wav 2 7 dog"))


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (("a 2 4 dog", "z 1 2 dog", "b 1 2 dog"), r"1 recording \(z\) of 3; there are 3 rec"),
        (("a 2 4 dog",), r"2 recordings \(b.flac, sub/c.ogg\) of 3 not named\n.*--unnamed silent"),
        (
            ("a 2 4 dog", "b 2 13 dog", "c 14 15 dog"),
            "dog from 2 to 13 in 12 s; 2 of 3 events lie beyond an end\n.*\n.*--late cut",
        ),
        (("a 2 4 none", "b 1 2 dog", "c 1 2 dog"), "labels must be different"),
    ],
)
def test_a_reference_that_does_not_fit_is_refused_with_counts(
    audio: Path, tmp_path: Path, rows: tuple[str, ...], problem: str
) -> None:
    reference = table(tmp_path / "r.tsv", *rows)
    with pytest.raises(InputError, match=problem):
        list(made(tmp_path, audio=audio, reference=reference))


def test_events_beyond_the_end_are_cut_if_asked_but_not_those_that_start_there(
    audio: Path, tmp_path: Path
) -> None:
    rows = ["a 2 4 dog", "b 11 13 dog", "c 1 2 dog"]
    reference = table(tmp_path / "r.tsv", *rows)
    _, b, _ = made(tmp_path, audio=audio, reference=reference, late="cut")
    assert b.truth.events == (Event("dog", 11, 12),)  # type: ignore[attr-defined]
    reference = table(tmp_path / "r.tsv", *rows, "c 13 14 dog")
    with pytest.raises(InputError, match="what starts after the end cannot be cut"):
        list(made(tmp_path, audio=audio, reference=reference, late="cut"))


def test_recordings_without_a_row_are_silent_only_if_asked(audio: Path, tmp_path: Path) -> None:
    reference = table(tmp_path / "r.tsv", "a 2 4 dog", "a 3 5 dog")
    options = {"audio": audio, "reference": reference, "unnamed": "silent"}
    _, b, _ = made(tmp_path, **options, overlaps="merge")
    assert b.truth == Timeline(12.0)  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="must not overlap"):
        list(made(tmp_path, **options))


def test_labels_are_joined_by_commas_or_given_one_by_one(audio: Path, tmp_path: Path) -> None:
    assert given_labels(("a,b", "c")) == ("a", "b", "c")
    with pytest.raises(InputError, match="fix:  write --labels 'a,b', or one --labels for each"):
        given_labels(("a, b",))
    for wrong in (("a,none",), ("a,a",), ("a,",), ("a|b",)):
        with pytest.raises(InputError, match="labels must be different"):
            given_labels(wrong)
    reference = table(tmp_path / "r.tsv", "a 2 4 dog", "b 1 2 cat")
    with pytest.raises(InputError, match=r"not among --labels\n.*\n  got:  1 label \(cat\)"):
        list(made(tmp_path, reference=reference, labels=("dog",)))
    with pytest.raises(InputError, match="name them: --labels speech,car,dog"):
        list(made(tmp_path, audio=audio))


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="neither\n  fix:  add --audio DIR"):
        list(made(tmp_path))
    with pytest.raises(InputError, match="no such folder of recordings"):
        list(made(tmp_path, audio=tmp_path / "none"))
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="got:  1 files of other kinds"):
        list(made(tmp_path, audio=tmp_path))
    with pytest.raises(InputError, match="say themselves how long they are"):
        list(made(tmp_path, audio=tmp_path, durations=tmp_path))
    soundfile.write(tmp_path / "a.wav", np.zeros(0), 8000)
    with pytest.raises(InputError, match="a recording must hold sound"):
        list(made(tmp_path, audio=tmp_path))
    soundfile.write(tmp_path / "a.wav", np.zeros(80), 8000)
    (tmp_path / "a.wav").write_bytes((tmp_path / "a.wav").read_bytes()[:-40])
    with pytest.raises(InputError, match="as long as its header says"):
        list(made(tmp_path, audio=tmp_path, labels=("x",)))
    soundfile.write(tmp_path / "a.wav", np.zeros(80), 8000)
    soundfile.write(tmp_path / "a.flac", np.zeros(80), 8000)
    with pytest.raises(InputError, match=r"a\.flac and a\.wav"):
        list(made(tmp_path, audio=tmp_path, labels=("x",)))


def test_a_recording_that_would_clip_is_scaled_down_and_says_so(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "loud.wav", np.full(800, 2.0), 8000, subtype="FLOAT")
    (loud,) = made(tmp_path, audio=tmp_path / "loud.wav", labels=("x",))
    assert loud.sound[0].max() == 1.0  # type: ignore[attr-defined]
    assert loud.item.details["scaled_by"] == 0.5  # type: ignore[attr-defined]
