"""A spectrogram as a small PNG, and a recording as sound that a page can carry."""

import base64
import io
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

COLOUR = (38, 130, 140)  # seen on the light and on the dark page
RATE = 22050  # Hz: street sounds up to 11 kHz, at half the size of 44.1 kHz
HIGHEST = 9000  # Hz, the top of the picture; chosen by eye
WINDOW = 1024  # samples, 46 ms


def spectrogram(path: Path, *, width: int = 900, height: int = 96) -> str:
    """Return the spectrogram of a sound file as a data address, transparent where it is quiet."""
    from earmark.files.sound import read_sound

    samples, rate = read_sound(path, rate=RATE)
    samples = np.pad(samples, (0, max(0, WINDOW - len(samples))))  # a click is one window long
    hop = max(1, (len(samples) - WINDOW) // width)
    frames = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::hop][:width]
    power = np.abs(np.fft.rfft(frames * np.hanning(WINDOW), axis=1)) ** 2  # (frames, bins)
    # rows of the picture are logarithmic in frequency, each the mean power of its bins
    highest = int(HIGHEST / rate * WINDOW)
    edges = np.unique(np.geomspace(2, highest, height + 1).astype(int))
    rows = np.add.reduceat(power[:, : edges[-1]], edges[:-1], axis=1) / np.diff(edges)
    level = 10 * np.log10(rows.T[::-1] + 1e-9)  # (rows, frames), high frequencies on top
    # above the median of its frequency a sound is visible; 40 dB above, it is opaque
    level = (level - np.median(level, axis=1, keepdims=True)) / 40 + 0.08
    alpha = np.repeat(np.clip(level, 0, 1), max(1, height // len(level)), axis=0)
    return png((alpha * 255).astype(np.uint8))


def png(alpha: NDArray[np.uint8]) -> str:
    """Return one colour, as opaque as `alpha` (rows, columns) says, as a PNG data address."""
    height, width = alpha.shape
    pixels = np.empty((height, width, 4), dtype=np.uint8)
    pixels[..., :3], pixels[..., 3] = COLOUR, alpha
    # each row of a PNG begins with the number of its filter; 0 is none
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    # 8 bits per channel, colour type 6 (RGB with alpha), no interlacing
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)
    return "data:image/png;base64," + base64.b64encode(data).decode()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def playable(path: Path) -> str:
    """Return a sound file as a data address: MP3 where libsndfile can write it, else FLAC."""
    import soundfile

    from earmark.files.sound import read_sound

    samples, rate = read_sound(path, rate=RATE)
    name = "MP3" if "MP3" in soundfile.available_formats() else "FLAC"
    out = io.BytesIO()
    soundfile.write(out, samples, rate, format=name)
    kind = "mpeg" if name == "MP3" else "flac"
    return f"data:audio/{kind};base64," + base64.b64encode(out.getvalue()).decode()
