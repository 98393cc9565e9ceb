"""Challenges made from recordings, and challenges taken as they are."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from earmark.tasks.keywords.make.options import TrialOptions
from earmark.tasks.keywords.make.trials import make_trials
from earmark.tasks.keywords.values import Trial
from earmark.values.errors import InputError

SMALL = {"positives": 4, "own_words": 3, "impostors": 3, "strangers": 2, "near_misses": 2}


def made(folder: Path, *, seed: int = 1, **options):
    return list(make_trials(None, TrialOptions(recordings=folder, **options), seed=seed))


def taken(folder: Path, labels: Path | None = None):
    return list(make_trials(None, TrialOptions(challenge=folder, labels=labels), seed=0))


def test_every_speaker_gets_the_clips_that_were_asked_for(recordings: Path) -> None:
    found = made(recordings, **SMALL)
    assert Counter(one.item.kind for one in found) == {"enrolment": 20, "trial": 56}
    kinds = Counter(one.truth.kind for one in found if one.truth)
    assert kinds == {
        "keyword": 8,
        "keyword after a word": 8,
        "own words": 12,
        "impostor": 12,
        "stranger": 8,
        "near miss, cut short": 4,
        "near miss, halves swapped": 4,
    }
    targets = [one.truth.kind for one in found if one.truth and one.truth.is_target]
    assert set(targets) == {"keyword", "keyword after a word"}


def test_sound_is_sixteen_bit_at_sixteen_kilohertz(recordings: Path) -> None:
    for one in made(recordings, **SMALL):
        assert one.sound is not None
        samples, rate = one.sound
        assert samples.dtype == np.int16 and rate == 16000 and len(samples) > 1600


def test_names_and_order_say_nothing_about_labels(recordings: Path) -> None:
    found = [one for one in made(recordings, **SMALL) if one.truth]
    for one in found:
        assert one.item.id == f"{one.item.parent}T{int(one.item.id[-4:]):04d}"
        assert not {"ana", "bo", "cem", "dee", "lamp"} & set(
            str(one.item).replace("/", " ").split()
        )
        assert "kind" not in one.item.details
    first = [one.truth.is_target for one in found if one.item.parent == found[0].item.parent]
    assert first != sorted(first, reverse=True) and first != sorted(first)


def test_the_same_seed_gives_the_same_bytes_and_another_another(recordings: Path) -> None:
    one, same, other = (made(recordings, seed=seed, **SMALL) for seed in (1, 1, 2))
    sounds = [[m.sound[0].tobytes() for m in found] for found in (one, same, other)]
    assert sounds[0] == sounds[1] and sounds[0] != sounds[2]
    assert [m.item for m in one] == [m.item for m in same]


def test_a_probability_of_0_leaves_clips_as_they_are(recordings: Path) -> None:
    plain = {m.sound[0].tobytes() for m in made(recordings, chance=0.0, **SMALL) if m.truth}
    noisy = {m.sound[0].tobytes() for m in made(recordings, chance=1.0, **SMALL) if m.truth}
    assert not plain & noisy


def test_noise_recordings_are_used_when_given(recordings: Path) -> None:
    noises = recordings / "ana" / "lamp"
    options: dict[str, Any] = {**SMALL, "chance": 1.0}
    with_noise = [m.sound[0].tobytes() for m in made(recordings, noises=noises, **options)]
    assert with_noise != [m.sound[0].tobytes() for m in made(recordings, **options)]


def test_impulse_responses_are_used_when_given(recordings: Path, tmp_path: Path) -> None:
    import soundfile

    response = np.zeros(4000, dtype=np.float32)
    response[[0, 3000]] = 1.0, 0.9
    soundfile.write(str(tmp_path / "hall.wav"), response, 16000)
    options: dict[str, Any] = {**SMALL, "chance": 1.0}
    hall = [m.sound[0].tobytes() for m in made(recordings, rooms=tmp_path, **options)]
    assert hall != [m.sound[0].tobytes() for m in made(recordings, **options)]


def test_an_empty_folder_of_noises_is_refused(recordings: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder of noises or rooms must have sound files"):
        made(recordings, noises=tmp_path, **SMALL)


def test_a_phase_hears_only_its_own_speakers(recordings: Path) -> None:
    found = made(recordings, phases="practice:1,private:1", **SMALL)
    phases = {m.item.parent: m.item.details["phase"] for m in found}
    assert Counter(phases.values()) == {"practice": 2, "private": 2}


def test_too_few_speakers_for_the_phases_are_refused(recordings: Path) -> None:
    with pytest.raises(InputError, match="every phase needs two speakers"):
        made(recordings, phases="a,b,c", **SMALL)


def test_too_few_recordings_of_a_keyword_are_refused(recordings: Path) -> None:
    with pytest.raises(InputError, match="a keyword needs more recordings than the enrolment"):
        made(recordings, enrolments=7, **SMALL)


def test_a_challenge_is_taken_as_it_is(challenge) -> None:
    folder, labels = challenge
    found = taken(folder, labels)
    assert [m.item.kind for m in found] == ["enrolment"] * 5 + ["trial"] * 2
    assert found[-2].truth == Trial("P0001", True) and found[-1].truth == Trial("P0001", False)
    assert found[-1].item.media == "sound/P0001/test/P0001T0002.wav"


def test_a_challenge_without_labels_has_no_truth(challenge) -> None:
    found = taken(challenge[0])
    assert all(m.truth is None for m in found)


def test_a_label_without_a_clip_is_refused(challenge) -> None:
    folder, labels = challenge
    path = labels / "P0001_test_labels.txt"
    path.write_text(path.read_text() + "P0001T0009.wav 0\n")
    with pytest.raises(InputError) as error:
        taken(folder, labels)
    assert "got:  1 on one side only, P0001T0009.wav first" in str(error.value)


def test_a_silent_enrolment_is_refused_and_a_silent_clip_is_not(challenge) -> None:
    import soundfile

    folder, labels = challenge
    silence = np.zeros(16000, dtype=np.int16)
    soundfile.write(str(folder / "P0001" / "test" / "P0001T0002.wav"), silence, 16000)
    assert len(taken(folder, labels)) == 7
    soundfile.write(str(folder / "P0001" / "enroll" / "P0001E002.wav"), silence, 16000)
    with pytest.raises(InputError, match="a recording must not be silent"):
        taken(folder, labels)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"recordings": Path("a"), "challenge": Path("b")},
        {"recordings": Path("a"), "labels": Path("b")},
    ],
)
def test_one_source_is_needed(options) -> None:
    with pytest.raises(InputError, match="made from recordings, from a challenge, or from labels"):
        make_trials(None, TrialOptions(**options), seed=0)


def test_a_conversion_is_stated_with_the_item(challenge) -> None:
    import soundfile

    folder, labels = challenge
    path = folder / "P0001" / "test" / "P0001T0001.wav"
    stereo = np.random.default_rng(0).standard_normal((44100, 2)) * 0.1
    soundfile.write(str(path), stereo, 44100)
    found = taken(folder, labels)
    assert found[5].item.details == {
        "converted": "2 channels averaged to one, 44100 Hz resampled to 16000 Hz"
    }
    assert len(found[5].sound[0]) == 16000
