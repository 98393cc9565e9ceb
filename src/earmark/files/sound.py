"""Sound files to arrays and back."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.values.errors import InputError

Samples = NDArray[np.float32]


def read_sound(path: Path | str, *, rate: int | None = None) -> tuple[Samples, int]:
    """Mono samples in -1..1 and their rate; channels averaged, resampled when `rate` is given."""
    import soundfile

    try:
        samples, found = soundfile.read(str(path), dtype="float32", always_2d=True)
    except (soundfile.LibsndfileError, OSError) as error:
        raise InputError(
            "a sound file must be readable WAV, FLAC, OGG or MP3",
            at=path,
            got=error,
            fix="convert the file, or remove it",
        ) from error
    mono = np.ascontiguousarray(samples.mean(axis=1), dtype=np.float32)
    if rate is None or rate == found:
        return mono, int(found)
    return resample(mono, found, rate), rate


def resample(samples: Samples, rate: int, new_rate: int) -> Samples:
    """The same sound at another rate."""
    if rate == new_rate:
        return samples
    import soxr

    return np.asarray(soxr.resample(samples, rate, new_rate), dtype=np.float32)


def write_sound(path: Path | str, samples: Samples, rate: int) -> None:
    """A 16-bit file whose format follows from the name: .flac, .wav or .ogg."""
    import soundfile

    soundfile.write(
        str(path), samples, rate, subtype=None if str(path).endswith("ogg") else "PCM_16"
    )


def sound_seconds(path: Path | str) -> float:
    """How long a sound file lasts, from its header."""
    import soundfile

    try:
        return float(soundfile.info(str(path)).duration)
    except (soundfile.LibsndfileError, OSError) as error:
        raise InputError("a sound file must be readable", at=path, got=error) from error
