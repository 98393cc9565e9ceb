"""earmark listen: a recording or raw sound on stdin, for one enrolled keyword."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.cli.listen import _raw
from earmark.tasks.keywords.run.auto import load_networks_and_model
from earmark.values.errors import InputError

RATE = 16000


@pytest.fixture(scope="module")
def takes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three takes of a 'word' of two tones."""
    pytest.importorskip("torch")
    try:
        load_networks_and_model()
    except InputError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("takes")
    for take in range(3):
        soundfile.write(folder / f"{take}.wav", word(take), RATE, subtype="PCM_16")
    return folder


def word(take: int) -> np.ndarray:
    rng = np.random.default_rng(take)
    time = np.arange(5000) / RATE
    tones = [0.3 * np.sin(2 * np.pi * (f + rng.normal(0, 3)) * time) for f in (500, 1400)]
    sound = np.concatenate([np.zeros(2000), *tones, np.zeros(2000)])
    return (sound + 1e-3 * rng.standard_normal(len(sound))).astype(np.float32)


def test_a_file_and_the_same_sound_on_stdin_are_judged_alike(
    takes: Path, tmp_path: Path, earmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = np.concatenate([word(7), np.zeros(4000, dtype=np.float32)])
    soundfile.write(tmp_path / "s.wav", sound, RATE, subtype="PCM_16")
    options = ("--json", "--scores", "--hop", "0.5", "--window", "1.2")
    code, of_file, err = earmark("listen", takes, tmp_path / "s.wav", *options)
    assert code == 0 and "latency at most" in err
    raw = soundfile.read(tmp_path / "s.wav", dtype="int16")[0].astype("<i2").tobytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    code, of_stdin, _ = earmark("listen", takes, "-", *options)
    assert code == 0
    first, second = json.loads(of_file), json.loads(of_stdin)
    assert first["scores"] == second["scores"] and len(first["scores"]) == first["windows"] == 3


def test_half_a_sample_is_refused_and_chunks_may_be_cut_anywhere() -> None:
    raw = np.arange(5, dtype="<i2").tobytes()
    blocks = iter([raw[:3], raw[3:8], raw[8:], b""])
    whole = np.concatenate(list(_raw(lambda size: next(blocks))))
    assert (whole * 32768).tolist() == [0, 1, 2, 3, 4]
    odd = iter([raw[:3], b""])
    with pytest.raises(InputError, match="raw sound must be whole 16-bit samples"):
        list(_raw(lambda size: next(odd)))


def test_an_empty_source_and_an_empty_folder_are_refused(
    takes: Path, tmp_path: Path, earmark
) -> None:
    soundfile.write(tmp_path / "none.wav", np.zeros(0), RATE)
    code, _, err = earmark("listen", takes, tmp_path / "none.wav")
    assert code == 2 and "there is nothing to listen to" in err
    (tmp_path / "empty").mkdir()
    code, _, err = earmark("listen", tmp_path / "empty", tmp_path / "none.wav")
    assert code == 2 and "a device is enrolled by recordings of one keyword" in err
