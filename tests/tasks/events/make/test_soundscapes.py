"""Soundscapes: repeatable, as loud as drawn, from our own sounds or from a folder of clips."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from earmark.audio.level import rms
from earmark.audio.loudness import loudness
from earmark.files.sound import write_sound
from earmark.task.task import Made
from earmark.tasks.events.files import read_events, read_jams
from earmark.tasks.events.make.soundscapes import SoundscapeOptions, make_soundscapes
from earmark.values.errors import InputError


def first(seed: int, **options: Any) -> Made:
    record = SoundscapeOptions(**{"recordings": 1, **options})
    return next(make_soundscapes(None, record, seed=seed))


def samples(made: Made) -> np.ndarray[Any, np.dtype[np.float32]]:
    assert made.sound is not None
    return np.asarray(made.sound[0])


def test_the_same_seed_gives_the_same_soundscape_and_another_seed_another() -> None:
    one, again, other = first(5, seconds=20.0), first(5, seconds=20.0, workers=1), first(6)
    assert np.array_equal(samples(one), samples(again)) and one.files == again.files
    assert not np.array_equal(samples(one), samples(other)[: len(samples(one))])
    assert len(samples(one)) == 20 * 22050 and np.abs(samples(one)).max() <= 0.99


def test_adding_a_recording_changes_no_other() -> None:
    few, more = (
        list(make_soundscapes(None, SoundscapeOptions(recordings=n, seconds=12.0), seed=1))
        for n in (1, 3)
    )
    assert np.array_equal(samples(few[0]), samples(more[0]))
    assert [m.item.id for m in more] == ["soundscape-00", "soundscape-01", "soundscape-02"]


def decibels(sound: np.ndarray[Any, np.dtype[np.float32]], rate: int) -> float:
    return float(20 * np.log10(rms(sound)))


@pytest.mark.parametrize(("measure", "level"), [("rms", decibels), ("lufs", loudness)])
def test_an_event_is_as_far_above_the_noise_as_was_drawn(measure: Any, level: Any) -> None:
    made: Any = first(2, seconds=30.0, snr_low=20.0, loudness=measure)
    event, rate = made.truth.events[0], made.sound[1]
    inside = samples(made)[int(event.onset * rate) : int(event.offset * rate)]
    outside = samples(made)[: int(event.onset * rate)]
    assert level(inside, rate) - level(outside, rate) == pytest.approx(20.0, abs=1.5)


def write_clips(folder: Path, names: dict[str, tuple[str, ...]]) -> None:
    """Write clips of 4 s: a tone from 0.5 to 1.5 s and from 3 to 3.5 s, silence around it."""
    tone = np.sin(np.arange(4 * 8000) / 5).astype(np.float32)
    tone[:4000] = tone[12000:24000] = tone[28000:] = 0
    for label, own in names.items():
        (folder / label).mkdir()
        for name in own:
            write_sound(folder / label / f"{name}.wav", tone, 8000)


def test_the_silence_of_a_clip_is_no_event(tmp_path: Path) -> None:
    write_clips(tmp_path, {"dog": ("x",)})
    made: Any = first(1, sounds=tmp_path, seconds=30.0, rate=8000, snr_low=15.0)
    lengths = [round(event.length, 2) for event in made.truth.events]
    assert set(lengths[:-1]) == {1.0, 0.5}
    before = samples(made)[: int(made.truth.events[0].onset * 8000)]
    for event in made.truth.events[:-1]:
        inside = samples(made)[int(event.onset * 8000) : int(event.offset * 8000)]
        assert loudness(inside, 8000) > loudness(before, 8000) + 10
    whole: Any = first(1, sounds=tmp_path, seconds=30.0, rate=8000, trim=False)
    assert {round(event.length, 2) for event in whole.truth.events[:-1]} == {4.0}
    deep: Any = first(1, sounds=tmp_path, seconds=30.0, rate=8000, silence=200.0)
    assert {round(event.length, 2) for event in deep.truth.events[:-1]} == {1.0, 0.5}


def test_recordings_of_different_clip_folds_share_no_source(tmp_path: Path) -> None:
    """Takes A and B of one source are in the same fold; every event names its clip."""
    names = tuple(f"1-{source}-{take}-0" for source in range(100, 104) for take in "AB")
    write_clips(tmp_path, {"dog": names, "siren": names})
    options = SoundscapeOptions(sounds=tmp_path, recordings=8, rate=8000, seconds=60.0)
    used: dict[int, set[str]] = {}
    soundscapes: list[Any] = list(make_soundscapes(None, options, seed=4))
    for number, made in enumerate(soundscapes):
        clips, truth = made.item.details["clips"], made.truth
        assert [clip.split("/")[0] for clip in clips] == [event.label for event in truth.events]
        used.setdefault(number % 4, set()).update(clip.split("-")[1] for clip in clips)
    assert all(not used[a] & used[b] for a in used for b in used if a != b)
    one: Any = first(1, sounds=tmp_path, rate=8000, clip_folds=1, seconds=300.0)
    assert len({clip.split("-")[1] for clip in one.item.details["clips"]}) == 4


def test_clip_folds_of_our_own_sounds_change_the_sound_and_not_the_truth() -> None:
    apart, same = (
        list(make_soundscapes(None, SoundscapeOptions(recordings=2, seconds=12.0, clip_folds=n),
                              seed=1))
        for n in (2, 1)
    )  # fmt: skip
    assert [m.truth for m in apart] == [m.truth for m in same]
    assert np.array_equal(samples(apart[0]), samples(same[0]))
    assert not np.array_equal(samples(apart[1]), samples(same[1]))


def test_the_events_are_written_as_jams_and_tsv_too(tmp_path: Path) -> None:
    made: Any = first(3, seconds=40.0)
    for name, text in made.files.items():
        (tmp_path / Path(name).name).write_text(text, encoding="utf-8")
    rows = read_events(tmp_path / "soundscape-00.tsv")["soundscape-00.flac"]
    assert tuple(event for _, event in rows) == made.truth.events
    assert sorted(read_jams(tmp_path / "soundscape-00.jams")) == sorted(made.truth.events)


def test_clips_of_a_folder_are_used_and_those_that_do_not_fit_are_counted(tmp_path: Path) -> None:
    for label, seconds in (("dog", 2.0), ("dog", 0.5), ("siren", 3.0)):
        folder = tmp_path / label
        folder.mkdir(exist_ok=True)
        tone = np.sin(np.arange(int(seconds * 8000)) / 5).astype(np.float32)
        write_sound(folder / f"{seconds}.wav", tone, 8000)
    made = first(1, sounds=tmp_path, seconds=30.0, rate=8000)
    assert made.item.details["labels"] == ["dog", "siren"]
    assert made.item.details["clips_left_out"] == 1
    with pytest.raises(InputError, match="every label needs a clip"):
        first(1, sounds=tmp_path, shortest=2.5)


def test_a_folder_of_clips_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="a folder of folders"):
        first(1, sounds=tmp_path / "x")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"recordings": 0}, "recordings must be >= 1"),
        ({"seconds": 0.5}, "seconds must be >= 1"),
        ({"polyphony": 0}, "polyphony must be >= 1"),
        ({"workers": 0}, "workers must be >= 1"),
        ({"clip_folds": 0}, "clip_folds must be >= 1"),
        ({"silence": 0.0}, "silence must be > 0 dB"),
        ({"gap_low": 5.0, "gap_high": 4.0}, "gaps must be >= 0"),
    ],
)
def test_options_that_cannot_be_are_refused(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        SoundscapeOptions(**change)


@pytest.mark.shared
def test_real_clips_make_soundscapes_too(shared: Path) -> None:
    made: Any = first(1, sounds=shared / "data" / "sounds", seconds=60.0)
    assert set(made.truth.labels) <= set(made.item.details["labels"])
    assert len(made.item.details["labels"]) == 6


def test_recordings_given_as_clips_get_the_option_they_look_for(tmp_path, earmark):
    soundfile.write(tmp_path / "a.wav", np.zeros(8000), 8000)
    code, _, err = earmark("make", "events", tmp_path / "mine", "--sounds", tmp_path)
    assert code == 2 and f"whole recordings come by --audio {tmp_path}" in err
    assert not (tmp_path / "mine").exists()
