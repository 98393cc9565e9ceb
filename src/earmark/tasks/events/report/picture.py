"""A spectrogram as a small PNG, and a recording as sound that a page can carry."""

import base64
import io
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

COLOUR = (38, 130, 140)


def spectrogram(path: Path, *, width: int = 900, height: int = 96) -> str:
    """The spectrogram of a sound file as a data address: transparent where it is quiet."""
    from earmark.files.sound import read_sound

    samples, rate = read_sound(path, rate=22050)
    window = 1024
    hop = max(1, (len(samples) - window) // width)
    frames = np.lib.stride_tricks.sliding_window_view(samples, window)[::hop][:width]
    power = np.abs(np.fft.rfft(frames * np.hanning(window), axis=1)) ** 2
    top = int(9000 / rate * window)
    edges = np.unique(np.geomspace(2, top, height + 1).astype(int))
    rows = np.add.reduceat(power[:, : edges[-1]], edges[:-1], axis=1) / np.diff(edges)
    level = 10 * np.log10(rows.T[::-1] + 1e-9)
    level = (level - np.median(level, axis=1, keepdims=True)) / 40 + 0.08
    alpha = np.repeat(np.clip(level, 0, 1), max(1, height // len(level)), axis=0)
    return png((alpha * 255).astype(np.uint8))


def png(alpha: NDArray[np.uint8]) -> str:
    """One colour, more or less opaque, as a PNG data address."""
    height, width = alpha.shape
    pixels = np.empty((height, width, 4), dtype=np.uint8)
    pixels[..., :3], pixels[..., 3] = COLOUR, alpha
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)
    return "data:image/png;base64," + base64.b64encode(data).decode()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def playable(path: Path) -> str:
    """A sound file as a data address: MP3 where it can be written, else FLAC, at 22.05 kHz."""
    import soundfile

    from earmark.files.sound import read_sound

    samples, rate = read_sound(path, rate=22050)
    name = "MP3" if "MP3" in soundfile.available_formats() else "FLAC"
    out = io.BytesIO()
    soundfile.write(out, samples, rate, format=name)
    kind = "mpeg" if name == "MP3" else "flac"
    return f"data:audio/{kind};base64," + base64.b64encode(out.getvalue()).decode()
