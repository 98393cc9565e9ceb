"""Sound files in the challenge's format: one channel, 16 bits, 16 kHz.

Other formats are converted and the conversion is stated; what cannot be a recording of speech is
refused with a reason.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Samples
from earmark.tasks.keywords.values import RATE
from earmark.values.errors import InputError

# Seconds. The challenge's own clips last 0.19 to 8.39 s; the limits are wide around that, so that
# they refuse files that are no clips at all, not unusual ones.
SHORTEST = 0.1
LONGEST = 60.0
# A peak below this is digital silence or the hiss of a muted microphone. Chosen by hand.
SILENT_DB = -60.0
# A recording is clipped when more than a thousandth of its samples begin three in a row at full
# scale; a single loud peak touches full scale once. Chosen by hand, not tuned.
FULL_SCALE = 0.999
CLIPPED_RUN = 3
CLIPPED_SHARE = 0.001
PCM_SCALE = 32768


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A sound as 16-bit samples at 16 kHz; `note` says how it was converted, or is empty."""

    samples: NDArray[np.int16]  # (samples,)
    note: str = ""

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return len(self.samples) / RATE

    def floats(self) -> Samples:
        """Return the samples as 32-bit floats between -1 and 1."""
        return self.samples.astype(np.float32) / np.float32(PCM_SCALE)


def read_clip(path: Path, *, shortest: float = SHORTEST, longest: float = LONGEST) -> Clip:
    """Read a sound file, converted where necessary.

    Raises
    ------
    InputError
        If the file is missing, empty, truncated, unreadable, too short or too long.
    """
    import soundfile

    from earmark.files.sound import read_sound, refuse_broken

    refuse_broken(path)
    mono, _ = read_sound(path, rate=RATE)
    clip = clip_of(mono, note=_conversion(soundfile.info(str(path))))
    _refuse_length(path, clip.seconds, shortest, longest)
    return clip


def clip_of(samples: Samples, *, note: str = "") -> Clip:
    """Return floats between -1 and 1 at 16 kHz as a clip, rounded to 16 bits."""
    whole = np.rint(samples * float(PCM_SCALE))
    return Clip(np.clip(whole, -PCM_SCALE, PCM_SCALE - 1).astype(np.int16), note)


def _conversion(info: Any) -> str:
    """Say what was converted, from soundfile's description of the file."""
    parts = []
    if info.channels != 1:
        parts.append(f"{info.channels} channels averaged to one")
    if info.samplerate != RATE:
        parts.append(f"{info.samplerate} Hz resampled to {RATE} Hz")
    if info.subtype != "PCM_16":
        parts.append(f"{info.subtype} written as PCM_16")
    return ", ".join(parts)


def _refuse_length(path: Path, seconds: float, shortest: float, longest: float) -> None:
    if not shortest <= seconds <= longest:
        raise InputError(
            f"a recording must last between {shortest} and {longest} s",
            at=path,
            got=f"{seconds:.3f} s",
            fix="record it again, or remove it",
        )


def refuse_silence(path: Path, clip: Clip) -> None:
    """Raise InputError if the recording is silent."""
    peak = float(np.abs(clip.floats()).max(initial=0.0))
    level = 20 * np.log10(max(peak, 1e-9))
    if level < SILENT_DB:
        raise InputError(
            "a recording must not be silent",
            at=path,
            got="digital silence" if peak == 0 else f"a peak of {level:.0f} dB of full scale",
            want=f"above {SILENT_DB:.0f} dB",
            fix="check the microphone and record again",
        )


def refuse_clipping(path: Path, clip: Clip) -> None:
    """Raise InputError if the recording is clipped: runs of samples at full scale."""
    full = (np.abs(clip.floats()) >= FULL_SCALE).astype(int)
    runs = np.convolve(full, np.ones(CLIPPED_RUN, dtype=int), "valid") == CLIPPED_RUN
    share = float(runs.mean()) if len(runs) else 0.0
    if share > CLIPPED_SHARE:
        raise InputError(
            "a recording must not be clipped",
            at=path,
            got=f"{share:.1%} of it at full scale",
            want=f"at most {CLIPPED_SHARE:.1%}",
            fix="move away from the microphone, or lower its level, and record again",
        )
