"""A recording as it arrives from a browser: what must be repeated, and why.

Stricter than what is read from files: the speaker is still there and can say it again.
"""

import io
from pathlib import Path
from typing import Any

import numpy as np

from earmark.arrays import Samples
from earmark.tasks.keywords.ask.recording import LONGEST, SHORTEST
from earmark.tasks.keywords.clips import clip_of, refuse_clipping, refuse_silence
from earmark.tasks.keywords.values import RATE
from earmark.values.errors import InputError

FRAME = RATE // 50  # 20 ms
# The loudest frames of speech are this far below full scale at most. Phones at 20 cm reach -30 to
# -15 dB; chosen by hand.
FAINT_DB = -45.0
# Speech stands this far above the quietest tenth of a recording. Chosen by hand: a quiet room gives
# 30 dB and more, white noise alone 1 or 2.
LEAST_SNR_DB = 10.0
# A steady tone has no pauses either, but is no noise: nearly all its power is in few frequencies.
TONE_BINS, TONE_SHARE = 0.02, 0.9
# dB that stand for no sound at all, so that a difference of two levels is a number
NOTHING_DB = -120.0
NAME = Path("the recording")


def read_arrival(sound: bytes) -> Samples:
    """Return the samples of a recording that arrived; raise InputError if it must be repeated."""
    import soundfile

    try:
        with soundfile.SoundFile(io.BytesIO(sound)) as file:
            _refuse_format(file)
            samples: Samples = file.read(dtype="float32")
    except (soundfile.SoundFileError, RuntimeError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("a recording must be a WAV file", fix="record it again") from error
    seconds = len(samples) / RATE
    if not SHORTEST <= seconds <= LONGEST:
        raise InputError(
            f"a recording must last between {SHORTEST:g} and {LONGEST:g} s",
            got=f"{seconds:.2f} s",
            fix="record it again",
        )
    clip = clip_of(samples)
    refuse_silence(NAME, clip)
    refuse_clipping(NAME, clip)
    _refuse_faint_and_noisy(samples)
    return samples


def _refuse_format(file: Any) -> None:
    got = f"{file.format} {file.subtype}, {file.samplerate} Hz, {file.channels} channels"
    if (file.format, file.subtype, file.samplerate, file.channels) != ("WAV", "PCM_16", RATE, 1):
        raise InputError(
            "a recording must be WAV, 16 bits, one channel, 16 kHz",
            got=got,
            fix="record it with this page",
        )


def levels_db(samples: Samples) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the level of every 20 ms in dB of full scale; frames of zeros are left out.

    Browsers begin a recording with some 30 ms of zeros, which say nothing of the room.
    """
    whole = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME).astype(np.float64)
    power = (whole**2).mean(axis=1)
    return np.asarray(10 * np.log10(power[power > 0]))


def _refuse_faint_and_noisy(samples: Samples) -> None:
    levels = levels_db(samples)
    loud = float(np.quantile(levels, 0.95)) if len(levels) else NOTHING_DB
    quiet = float(np.quantile(levels, 0.1)) if len(levels) else NOTHING_DB
    if loud < FAINT_DB:
        raise InputError(
            "a recording must be loud enough",
            got=f"{loud:.0f} dB of full scale where it is loudest",
            want=f"above {FAINT_DB:.0f} dB",
            fix="come nearer to the microphone, or raise its level, and record again",
        )
    if loud - quiet < LEAST_SNR_DB and not _is_tone(samples):
        raise InputError(
            "speech must stand out from the noise around it",
            got=f"{loud - quiet:.0f} dB above the noise",
            want=f"{LEAST_SNR_DB:.0f} dB at least",
            fix="find a quieter place and record again, with a moment of silence before and after",
        )


def _is_tone(samples: Samples) -> bool:
    """Return whether nearly all power is in a few frequencies."""
    power = np.sort(np.abs(np.fft.rfft(samples)) ** 2)[::-1]
    few = max(1, round(TONE_BINS * len(power)))
    return bool(power[:few].sum() >= TONE_SHARE * power.sum())
