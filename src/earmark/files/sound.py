"""Sound files to arrays and back."""

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

    subtype = None if str(path).endswith("ogg") else "PCM_16"
    try:
        soundfile.write(str(path), samples, rate, subtype=subtype)
    except (soundfile.LibsndfileError, OSError) as error:
        raise InputError(
            "the sound file cannot be written",
            at=path,
            got=error,
            fix="make room on the disk, or choose another folder",
        ) from error


def sound_seconds(path: Path | str) -> float:
    """Return the duration of a sound file from its header; raise InputError if unreadable."""
    import soundfile

    require_regular(path)
    try:
        return float(soundfile.info(str(path)).duration)
    except (soundfile.LibsndfileError, OSError) as error:
        raise InputError("a sound file must be readable", at=path, got=error) from error
