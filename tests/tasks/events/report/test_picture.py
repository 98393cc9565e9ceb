"""Spectrograms and sound inside a page."""

import base64
import io
import struct
import zlib
from pathlib import Path

import numpy as np
import soundfile

from earmark.tasks.events.report.picture import playable, png, spectrogram


def pixels(address: str) -> np.ndarray:
    """The opacity of a picture's pixels, (rows, columns)."""
    head, data = address.split(",")
    assert head == "data:image/png;base64"
    raw = base64.b64decode(data)
    width, height = struct.unpack(">II", raw[16:24])
    start = raw.index(b"IDAT")
    (length,) = struct.unpack(">I", raw[start - 4 : start])
    rows = np.frombuffer(zlib.decompress(raw[start + 4 : start + 4 + length]), dtype=np.uint8)
    return rows.reshape(height, 1 + 4 * width)[:, 1:].reshape(height, width, 4)[..., 3]


def write_tone(path: Path) -> Path:
    """A second of silence, then a second of a low tone."""
    time = np.arange(22050) / 22050
    samples = np.concatenate([np.zeros(22050), 0.5 * np.sin(2 * np.pi * 300 * time)])
    rng = np.random.default_rng(0)
    soundfile.write(path, samples + 1e-4 * rng.standard_normal(len(samples)), 22050)
    return path


def test_a_picture_is_as_opaque_as_it_was_asked_to_be() -> None:
    alpha = np.array([[0, 255, 7], [1, 2, 3]], dtype=np.uint8)
    assert (pixels(png(alpha)) == alpha).all()


def test_a_low_tone_is_seen_when_it_sounds_and_near_the_bottom(tmp_path: Path) -> None:
    alpha = pixels(spectrogram(write_tone(tmp_path / "tone.wav"), width=100)).astype(int)
    quiet, sounding = alpha[:, :40], alpha[:, 60:]
    assert sounding.max() > quiet.max() + 50
    assert sounding.mean(axis=1).argmax() > len(alpha) / 2, "low frequencies are at the bottom"


def test_the_sound_on_the_page_is_as_long_as_the_recording(tmp_path: Path) -> None:
    head, data = playable(write_tone(tmp_path / "tone.wav")).split(",")
    assert head.startswith("data:audio/")
    samples, rate = soundfile.read(io.BytesIO(base64.b64decode(data)))
    assert abs(len(samples) / rate - 2.0) < 0.15
