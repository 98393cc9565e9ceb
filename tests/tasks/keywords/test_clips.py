"""What happens to sound files that are not what they should be."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.tasks.keywords.clips import read_clip, refuse_clipping, refuse_silence
from earmark.values.errors import InputError

RATE = 16000


def tone(seconds: float = 0.5, rate: int = RATE, level: float = 0.4) -> np.ndarray:
    return (level * np.sin(2 * np.pi * 300 * np.arange(int(seconds * rate)) / rate)).astype("f4")


def written(path: Path, samples: np.ndarray, rate: int = RATE, subtype: str = "PCM_16") -> Path:
    soundfile.write(str(path), samples, rate, subtype=subtype)
    return path


def test_the_challenges_format_is_read_bit_by_bit_without_a_note(tmp_path: Path) -> None:
    whole = np.random.default_rng(0).integers(-32768, 32767, 8000, dtype=np.int16)
    clip = read_clip(written(tmp_path / "a.wav", whole))
    assert np.array_equal(clip.samples, whole) and clip.note == ""


@pytest.mark.parametrize(
    ("samples", "rate", "subtype", "note"),
    [
        (np.stack([tone(), tone()], axis=1), RATE, "PCM_16", "2 channels averaged to one"),
        (tone(rate=44100), 44100, "PCM_16", "44100 Hz resampled to 16000 Hz"),
        (tone(), RATE, "PCM_U8", "PCM_U8 written as PCM_16"),
        (tone(), RATE, "FLOAT", "FLOAT written as PCM_16"),
    ],
)
def test_another_format_is_converted_and_the_conversion_is_stated(
    tmp_path: Path, samples, rate, subtype, note
) -> None:
    clip = read_clip(written(tmp_path / "a.wav", samples, rate, subtype))
    assert clip.note == note
    assert clip.seconds == pytest.approx(0.5, abs=0.001)
    assert np.abs(clip.floats()).max() == pytest.approx(0.4, abs=0.02)


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        read_clip(path)
    return str(error.value)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    path.touch()
    assert refused(path) == (
        f"a sound file must not be empty\n  at:   {path}\n  got:  0 bytes\n  fix:  remove it"
    )


def test_a_header_without_samples_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.wav", np.zeros(0, dtype=np.int16))
    assert "a recording must last between 0.1 and 60.0 s" in refused(path)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.wav", tone())
    path.write_bytes(path.read_bytes()[:5000])
    assert refused(path) == (
        "a WAV file must be as long as its header says\n"
        f"  at:   {path}\n  got:  5000 bytes\n  want: at least 16044 bytes\n"
        "  fix:  copy the file again: it was cut off"
    )


def test_text_that_calls_itself_wav_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    path.write_text("hello, I am no sound")
    assert "a sound file must be readable WAV, FLAC, OGG or MP3" in refused(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "there is no such sound file" in refused(tmp_path / "none.wav")


def test_a_minute_and_more_is_no_keyword(tmp_path: Path) -> None:
    assert "61.000 s" in refused(written(tmp_path / "a.wav", tone(61)))


def test_silence_is_refused_by_those_who_need_speech(tmp_path: Path) -> None:
    path = written(tmp_path / "a.wav", np.zeros(8000, dtype=np.int16))
    clip = read_clip(path)
    with pytest.raises(InputError, match="a recording must not be silent") as error:
        refuse_silence(path, clip)
    assert "got:  digital silence" in str(error.value)


def test_an_overdriven_microphone_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "a.wav", np.clip(tone(level=3.0), -1, 1))
    with pytest.raises(InputError, match="a recording must not be clipped"):
        refuse_clipping(path, read_clip(path))
    fine = written(tmp_path / "b.wav", tone(level=0.9))
    refuse_clipping(fine, read_clip(fine))
