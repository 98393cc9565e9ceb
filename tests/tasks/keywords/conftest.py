"""Synthetic sounds for the keywords' tests: tones in place of words and voices."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.tasks.keywords.ask.recording import RecordingOptions, recording_units
from earmark.tasks.keywords.make.prompts import PromptOptions, make_prompts
from earmark.tasks.keywords.run.fusion import fit_fusion
from earmark.tasks.keywords.run.model_file import load_model
from earmark.values.errors import InputError
from earmark.values.item import Item

RATE = 16000


def word(name: str, pitch: float, take: int, seconds: float = 0.7) -> np.ndarray:
    """A 'word': three tones that depend on its name, at a voice's pitch, never quite the same."""
    rng = np.random.default_rng([take, len(name), int(pitch)])
    seed = np.random.default_rng([ord(c) for c in name])
    time = np.arange(int(seconds / 3 * RATE)) / RATE
    parts = []
    for formant in seed.uniform(400, 3000, 3):
        tone = np.sin(2 * np.pi * pitch * time) * 0.3
        parts.append(tone + 0.2 * np.sin(2 * np.pi * (formant + rng.normal(0, 5)) * time))
    sound = np.concatenate([np.zeros(RATE // 8), *parts, np.zeros(RATE // 8)])
    return (sound + 1e-3 * rng.standard_normal(len(sound))).astype(np.float32)


def write(path: Path, samples: np.ndarray, rate: int = RATE, subtype: str = "PCM_16") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(str(path), samples, rate, subtype=subtype)
    return path


@pytest.fixture(scope="session")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four speakers, three words, seven takes of each."""
    folder = tmp_path_factory.mktemp("recordings")
    for speaker, pitch in (("ana", 210), ("bo", 110), ("cem", 150), ("dee", 260)):
        for name in ("lamp", "river", "stone"):
            for take in range(7):
                write(folder / speaker / name / f"{take}.wav", word(name, pitch, take))
    return folder


@pytest.fixture
def challenge(tmp_path: Path) -> tuple[Path, Path]:
    """One speaker in the challenge's layout: five enrolments, two clips, labels."""
    folder, labels = tmp_path / "set", tmp_path / "solution"
    for take in range(5):
        write(folder / "P0001" / "enroll" / f"P0001E{take + 1:03d}.wav", word("lamp", 200, take))
    write(folder / "P0001" / "test" / "P0001T0001.wav", word("lamp", 200, 9))
    write(folder / "P0001" / "test" / "P0001T0002.wav", word("river", 200, 9))
    labels.mkdir()
    (labels / "P0001_test_labels.txt").write_text("P0001T0001.wav\t1\nP0001T0002.wav\t0\n")
    return folder, labels


@pytest.fixture
def units(tmp_path: Path) -> tuple[Item, ...]:
    """Two texts to read, two takes of each."""
    (tmp_path / "texts.txt").write_text("open sesame\n\nhello lantern\n")
    prompts = make_prompts(None, PromptOptions(text=tmp_path / "texts.txt"), seed=0)
    return tuple(recording_units(tuple(m.item for m in prompts), RecordingOptions(takes=2)))


@pytest.fixture
def tone(tmp_path: Path) -> Callable[..., None]:
    """Write a tone of some level and length to a file in the test's folder."""

    def written(name: str, level: float = 0.4, seconds: float = 1.0) -> None:
        time = np.arange(int(seconds * RATE)) / RATE
        write(tmp_path / name, np.clip(level * np.sin(1900 * time), -1, 1))

    return written


@pytest.fixture(scope="session")
def networks() -> None:
    """Skip a test where torch or a pretrained network that `auto` cannot do without is missing."""
    pytest.importorskip("torch")
    from earmark.tasks.keywords.run.auto import load_networks_and_model

    try:
        load_networks_and_model()
    except InputError as error:
        pytest.skip(str(error))


@pytest.fixture
def left_out_score() -> Callable[[str], float]:
    """Return S of a development speaker, left out of the fusion, from the shipped table alone."""
    table = load_model()

    def score(name: str) -> float:
        fitted = fit_fusion(table, left_out={name})
        own = np.array(table.owners) == name
        awake = fitted.log_likelihood_ratios(table.measurements.rows(own)) >= np.log(9)
        labels = table.labels[own]
        return float((~awake[labels]).mean() + 9 * awake[~labels].mean())

    return score
