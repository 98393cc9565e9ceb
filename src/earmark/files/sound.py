"""Sound files to arrays and back."""

import io
import struct
from pathlib import Path

import numpy as np

from earmark.arrays import Samples
from earmark.files.text import require_regular
from earmark.values.errors import InputError


def read_sound(path: Path | str, *, rate: int | None = None) -> tuple[Samples, int]:
    """Return mono samples in -1..1 and their rate; channels averaged, resampled to `rate` if given.

    Raise InputError if the file cannot be read.
    """
    import soundfile

    require_regular(path)
    try:
        samples, own_rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, OSError) as error:
        raise InputError(
            "a sound file must be readable WAV, FLAC, OGG or MP3",
            at=path,
            got=error,
            fix="convert the file, or remove it",
        ) from error
    mono = np.ascontiguousarray(samples.mean(axis=1), dtype=np.float32)
    if rate is None or rate == own_rate:
        return mono, int(own_rate)
    return resample(mono, own_rate, rate), rate


def resample(samples: Samples, rate: int, new_rate: int) -> Samples:
    """Return the same sound at another rate."""
    if rate == new_rate:
        return samples
    import soxr

    return np.asarray(soxr.resample(samples, rate, new_rate), dtype=np.float32)


def write_sound(path: Path | str, samples: Samples, rate: int) -> None:
    """Write a 16-bit file whose format follows from the name: .flac, .wav or .ogg.

    Raise InputError if it cannot be written, as on a full disk.
    """
    import soundfile

    try:
        if str(path).endswith("ogg"):
            Path(path).write_bytes(ogg_bytes(samples, rate))
        else:
            soundfile.write(str(path), samples, rate, subtype="PCM_16")
    except (soundfile.LibsndfileError, OSError) as error:
        raise InputError(
            "the sound file cannot be written",
            at=path,
            got=error,
            fix="make room on the disk, or choose another folder",
        ) from error


def ogg_bytes(samples: Samples, rate: int) -> bytes:
    """Return a sound as Ogg Vorbis; the same samples give the same bytes."""
    import soundfile

    from earmark.files.ogg import with_serial

    out = io.BytesIO()
    soundfile.write(out, samples, rate, format="OGG", subtype="VORBIS")
    return with_serial(out.getvalue())


def sound_seconds(path: Path | str) -> float:
    """Return the duration of a sound file from its header; raise InputError if unreadable."""
    import soundfile

    require_regular(path)
    try:
        return float(soundfile.info(str(path)).duration)
    except (soundfile.LibsndfileError, OSError) as error:
        raise InputError("a sound file must be readable", at=path, got=error) from error


def refuse_broken(path: Path) -> None:
    """Raise InputError if the file is missing, empty, or shorter than its header says."""
    if not path.is_file():
        raise InputError("there is no such sound file", at=path)
    size = path.stat().st_size
    if not size:
        raise InputError("a sound file must not be empty", at=path, got="0 bytes", fix="remove it")
    end = _end_by_header(path)
    if end is not None and end > size:
        raise InputError(
            "a WAV file must be as long as its header says",
            at=path,
            got=f"{size} bytes",
            want=f"at least {end} bytes",
            fix="copy the file again: it was cut off",
        )


def _end_by_header(path: Path) -> int | None:
    """Return the byte at which a RIFF WAV's samples end by its header; None for other formats."""
    with path.open("rb") as file:
        riff = file.read(12)
        if riff[:4] != b"RIFF" or riff[8:12] != b"WAVE":
            return None
        position = 12
        while len(head := file.read(8)) == 8:
            name, length = head[:4], struct.unpack("<I", head[4:])[0]
            if name == b"data":
                # Programs that write to a pipe leave 0 or all ones: the length is unknown.
                return None if length in (0, 0xFFFFFFFF) else position + 8 + int(length)
            position += 8 + length + length % 2
            file.seek(position)
    return position
