"""Synthetic speakers for the tour and for development trials, by eSpeak NG.

eSpeak NG is free software under the GPL; it comes with the package `espeakng-loader`, which is an
optional extra that only this module imports. What it speaks is ours to use.
"""

import _ctypes
import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.arrays import Samples
from earmark.task.extras import MissingExtra, install_line
from earmark.tasks.keywords.values import RATE
from earmark.values.errors import InputError

# Values of eSpeak NG's speak_lib.h: AUDIO_OUTPUT_SYNCHRONOUS, espeakCHARS_UTF8, and the
# parameters espeakRATE, espeakPITCH, espeakRANGE.
SYNCHRONOUS = 2
UTF8 = 1
SPEED, PITCH, RANGE = 1, 3, 4


@dataclass(frozen=True, slots=True)
class SpeakingStyle:
    """How a text is spoken: voice, words per minute, pitch and pitch range from 0 to 100."""

    voice: str
    speed: int = 160
    pitch: int = 50
    pitch_range: int = 50


def speak(text: str, style: SpeakingStyle) -> Samples:
    """Return the spoken text as samples at 16 kHz, the same whatever was spoken before."""
    from earmark.files.sound import resample

    chunks: list[bytes] = []

    def collect(wave: Any, size: int, _events: Any) -> int:
        if wave and size > 0:
            chunks.append(ctypes.string_at(wave, size * 2))
        return 0

    callback = _CALLBACK(collect)  # must outlive the synthesis: the library holds a bare pointer
    with fresh_library() as (library, rate):
        library.espeak_SetSynthCallback(callback)
        if library.espeak_SetVoiceByName(style.voice.encode()) != 0:
            raise InputError("eSpeak NG has no such voice", got=style.voice)
        values = ((SPEED, style.speed), (PITCH, style.pitch), (RANGE, style.pitch_range))
        for which, value in values:
            library.espeak_SetParameter(which, value, 0)
        words = text.encode()
        library.espeak_Synth(words, len(words) + 1, 0, 0, 0, UTF8, None, None)
        library.espeak_Synchronize()
    samples = np.frombuffer(b"".join(chunks), dtype=np.int16).astype(np.float32)
    if not len(samples):
        raise InputError("eSpeak NG returned no sound", got=text)
    return resample(samples / np.float32(32768), rate, RATE)


_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


@contextmanager
def fresh_library() -> Iterator[tuple[Any, int]]:
    """Load eSpeak NG; yield the library and its sample rate; unload it.

    eSpeak NG remembers: phases, filters and noise of one text go on into the next, and starting it
    again does not clear them. Loading it anew does, in a few milliseconds.
    """
    try:
        import espeakng_loader
    except ImportError as error:
        raise MissingExtra(
            "synthetic speakers need the package espeakng-loader", fix=install_line("speech")
        ) from error
    library = ctypes.CDLL(espeakng_loader.get_library_path())
    try:
        yield library, _started(library, espeakng_loader.get_data_path())
        library.espeak_Terminate()
    finally:
        _unload(library)


def _started(library: Any, data: str) -> int:
    """Start eSpeak NG, with noise that is always the same; return its sample rate."""
    library.espeak_Synth.argtypes = (
        ctypes.c_char_p,
        ctypes.c_size_t,
        ctypes.c_uint,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.c_uint,
        ctypes.c_void_p,
        ctypes.c_void_p,
    )
    rate = library.espeak_Initialize(SYNCHRONOUS, 0, str(data).encode(), 0)
    if rate <= 0:
        raise InputError("eSpeak NG did not start", at=data, got=rate)
    # The breath of some voices comes from a generator that is seeded by the clock, that of others
    # from the C library's.
    library.espeak_ng_SetRandSeed(ctypes.c_long(0))
    ctypes.CDLL(None).srand(0)
    return int(rate)


def _unload(library: Any) -> None:
    # ctypes has no public way; where there is no dlclose, the library stays as it is
    if hasattr(_ctypes, "dlclose"):
        _ctypes.dlclose(library._handle)
