"""Examples that people hear first: the first few of each label's folder, none too loud."""

import base64
import io
from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.ask.examples import LONGEST, LOUDEST, MOST, RATE, folder_examples
from earmark.task.progress import notes_to
from earmark.values.errors import InputError


def tone(path: Path, *, level: float = 0.9, seconds: float = 1.0, rate: int = 8000) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    times = np.arange(round(seconds * rate)) / rate
    soundfile.write(path, level * np.sin(2 * np.pi * 440 * times), rate)


def decoded(url: str) -> np.ndarray:
    kind, _, text = url.partition(";base64,")
    assert kind == "data:audio/mpeg"
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(text)))
    assert rate == RATE
    return np.asarray(samples)


def test_a_label_has_the_first_sounds_of_its_folder_by_name(tmp_path: Path) -> None:
    for number in range(MOST + 2):
        tone(tmp_path / "church bell" / f"{number}.wav", seconds=0.5 + number / 10)
    (tmp_path / "church bell" / "notes.txt").write_text("rung by hand")
    examples = folder_examples(tmp_path, ["church_bell"])
    lengths = [len(decoded(url)) / RATE for url in examples["church_bell"]]
    # MP3 adds a frame or two
    assert lengths == pytest.approx([0.5, 0.6, 0.7, 0.8], abs=0.1)


def test_an_example_is_neither_long_nor_loud(tmp_path: Path) -> None:
    tone(tmp_path / "bell" / "a.wav", level=1.0, seconds=LONGEST + 5)
    tone(tmp_path / "bell" / "b.wav", level=0.1)
    loud, soft = (decoded(url) for url in folder_examples(tmp_path, ["bell"])["bell"])
    assert len(loud) / RATE == pytest.approx(LONGEST, abs=0.1)
    assert np.abs(loud).max() == pytest.approx(LOUDEST, rel=0.1)
    assert np.abs(soft).max() == pytest.approx(0.1, rel=0.1), "a faint sound stays faint"


def test_labels_without_examples_are_named(tmp_path: Path) -> None:
    tone(tmp_path / "bell" / "a.wav")
    (tmp_path / "drum").mkdir()
    notes: list[str] = []
    with notes_to(notes.append):
        assert set(folder_examples(tmp_path, ["bell", "drum", "siren"])) == {"bell"}
    assert notes == [f"{tmp_path.name} has no examples of drum, siren"]


def test_a_folder_without_any_example_is_refused(tmp_path: Path) -> None:
    tone(tmp_path / "sirens" / "a.wav")
    with pytest.raises(InputError) as error:
        folder_examples(tmp_path, ["siren", "bell"])
    assert str(error.value) == (
        "a folder of examples holds a folder of sounds for each label\n"
        f"  at:   {tmp_path}\n  got:  1 file (sirens)\n  want: siren, bell"
    )
    with pytest.raises(InputError, match="there is no such folder of examples"):
        folder_examples(tmp_path / "nowhere", ["siren"])


def test_a_silent_example_is_refused(tmp_path: Path) -> None:
    tone(tmp_path / "bell" / "a.wav", level=0.0)
    with pytest.raises(InputError, match="an example must be heard"):
        folder_examples(tmp_path, ["bell"])
