"""What a sound file must be when it arrives, and what is made of one that is not quite that.

The challenge's format is one channel, 16 bits, 16 kHz. Other formats are converted and the
conversion is stated; what cannot be a recording of speech is refused with a reason.
"""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from earmark.values.errors import InputError

RATE = 16000
SHORTEST = 0.1
LONGEST = 60.0
SILENT_DB = -60.0
FULL_SCALE = 0.999
CLIPPED_RUN = 3
CLIPPED_SHARE = 0.001


@dataclass(frozen=True, slots=True)
class Arrived:
    """A sound as 16-bit samples at 16 kHz; `note` says how it was converted, or is empty."""

    samples: Any
    note: str = ""

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / RATE

    def floats(self) -> Any:
        """The samples in -1..1."""
        import numpy as np

        return self.samples.astype(np.float32) / np.float32(32768)


def arrive(path: Path, *, shortest: float = SHORTEST, longest: float = LONGEST) -> Arrived:
    """The sound in a file, converted when it must be; an error when it is no usable sound."""
    import numpy as np
    import soundfile

    from earmark.files.sound import read_sound

    refuse_broken(path)
    mono, _ = read_sound(path, rate=RATE)
    whole = np.clip(np.rint(mono * 32768.0), -32768, 32767).astype(np.int16)
    arrived = Arrived(whole, _note(soundfile.info(str(path))))
    _refuse_length(path, arrived.seconds, shortest, longest)
    return arrived


def refuse_broken(path: Path) -> None:
    """Nothing, unless the file is missing, empty, or shorter than its own header says."""
    if not path.is_file():
        raise InputError("there is no such sound file", at=path)
    size = path.stat().st_size
    if not size:
        raise InputError("a sound file must not be empty", at=path, got="0 bytes", fix="remove it")
    promised = _promised_bytes(path)
    if promised is not None and promised > size:
        raise InputError(
            "a WAV file must be as long as its header says",
            at=path,
            got=f"{size} bytes",
            want=f"at least {promised} bytes",
            fix="copy the file again: it was cut off",
        )


def _promised_bytes(path: Path) -> int | None:
    """Where the samples of a RIFF WAV end by its header; None when it is another format."""
    with path.open("rb") as file:
        riff = file.read(12)
        if riff[:4] != b"RIFF" or riff[8:12] != b"WAVE":
            return None
        at = 12
        while len(head := file.read(8)) == 8:
            name, length = head[:4], struct.unpack("<I", head[4:])[0]
            if name == b"data":
                return None if length in (0, 0xFFFFFFFF) else at + 8 + int(length)
            at += 8 + length + length % 2
            file.seek(at)
    return at


def _note(info: Any) -> str:
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
            "a recording has a length that a spoken word can have",
            at=path,
            got=f"{seconds:.3f} s",
            want=f"{shortest} to {longest} s",
            fix="record it again, or remove it",
        )


def refuse_silence(path: Path, arrived: Arrived) -> None:
    """Nothing, unless there is nothing to hear."""
    import numpy as np

    peak = float(np.abs(arrived.floats()).max(initial=0.0))
    level = 20 * np.log10(max(peak, 1e-9))
    if level < SILENT_DB:
        raise InputError(
            "a recording must not be silent",
            at=path,
            got="digital silence" if peak == 0 else f"a peak of {level:.0f} dB of full scale",
            want=f"above {SILENT_DB:.0f} dB",
            fix="check the microphone and record again",
        )


def refuse_clipping(path: Path, arrived: Arrived) -> None:
    """Nothing, unless the microphone was overdriven: runs of samples at full scale."""
    import numpy as np

    full = (np.abs(arrived.floats()) >= FULL_SCALE).astype(int)
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
