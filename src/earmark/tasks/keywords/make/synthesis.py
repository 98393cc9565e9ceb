"""Synthetic speakers for the tour and for development trials, by eSpeak NG.

eSpeak NG is free software under the GPL; it comes with the package `espeakng-loader`, which is an
optional extra that only this module imports. What it speaks is ours to use.
"""

import ctypes
from dataclasses import dataclass
from functools import cache
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
    """Return the spoken text as samples at 16 kHz."""
    from earmark.files.sound import resample

    library, rate = _library()
    chunks: list[bytes] = []

    def collect(wave: Any, size: int, _events: Any) -> int:
        if wave and size > 0:
            chunks.append(ctypes.string_at(wave, size * 2))
        return 0

    callback = _CALLBACK(collect)  # must outlive the synthesis: the library holds a bare pointer
    library.espeak_SetSynthCallback(callback)
    if library.espeak_SetVoiceByName(style.voice.encode()) != 0:
        raise InputError("eSpeak NG has no such voice", got=style.voice)
    for which, value in ((SPEED, style.speed), (PITCH, style.pitch), (RANGE, style.pitch_range)):
        library.espeak_SetParameter(which, value, 0)
    words = text.encode()
    # eSpeak NG draws the breath of some voices from a generator that it seeds by the clock
    library.espeak_ng_SetRandSeed(ctypes.c_long(0))
    library.espeak_Synth(words, len(words) + 1, 0, 0, 0, UTF8, None, None)
    library.espeak_Synchronize()
    samples = np.frombuffer(b"".join(chunks), dtype=np.int16).astype(np.float32)
    if not len(samples):
        raise InputError("eSpeak NG returned no sound", got=text)
    return resample(samples / np.float32(32768), rate, RATE)


_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


@cache
def _library() -> tuple[Any, int]:
    """Load eSpeak NG once; return the library and its sample rate."""
    try:
        import espeakng_loader
    except ImportError as error:
        raise MissingExtra(
            "synthetic speakers need the package espeakng-loader", fix=install_line("speech")
        ) from error
    library = ctypes.CDLL(espeakng_loader.get_library_path())
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
    data = espeakng_loader.get_data_path().encode()
    rate = library.espeak_Initialize(SYNCHRONOUS, 0, data, 0)
    if rate <= 0:
        raise InputError("eSpeak NG did not start", at=data.decode(), got=rate)
    return library, int(rate)
