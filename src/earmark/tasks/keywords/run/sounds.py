"""What is being said: Google's speech embedding, 96 numbers for every 775 ms of sound.

The network and the library that runs it come inside the wheel of `pyopen-wakeword` (Apache-2.0).
Its front end gives 32 mel energies every 10 ms; the embedding looks at 76 of those frames at once.
"""

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.audio.features import Frames, Samples
from earmark.values.errors import InputError

RATE = 16000
BANDS = 32
CONTEXT = 76
SIZE = 96
STRIDE = 8
PCM_SCALE = 32768.0
MEL_HOP = 160
MEL_LENGTH = 640


def sound_vectors(samples: Samples, *, hop: int = 4) -> Frames:
    """One row of 96 numbers for every `hop` mel frames (10 ms each) of a sound at 16 kHz.

    Row k looks at 775 ms around frame k x hop; the first and last frames are repeated where that
    reaches over the edge. The network moves 8 frames at a time, so a smaller hop (a divisor of 8)
    runs it once for each offset and interleaves the rows.
    """
    mels = _mels(samples)
    around = CONTEXT // 2
    rows = -(-len(mels) // hop)
    passes = STRIDE // hop
    whole = -(-rows // passes) * STRIDE
    padded = np.pad(mels, ((around, around + whole - len(mels)), (0, 0)), mode="edge")
    vectors = [
        _run(network(), "emb", padded[None, offset : offset + whole - STRIDE + CONTEXT, :, None])
        for offset in range(0, STRIDE, hop)
    ]
    stacked = np.stack([part.reshape(-1, SIZE) for part in vectors], axis=1)
    return stacked.reshape(-1, SIZE)[:rows]


def _mels(samples: Samples) -> Frames:
    """32 mel energies every 10 ms, scaled as the embedding expects."""
    short = MEL_LENGTH - len(samples)
    padded = np.pad(samples, (0, short)) if short > 0 else samples
    energies = _run(network(), "mel", (padded * np.float32(PCM_SCALE))[None])
    return np.asarray(energies.reshape(-1, BANDS) / 10 + 2, dtype=np.float32)


@cache
def network() -> Any:
    """The pair of networks, loaded once."""
    try:
        from pyopen_wakeword import OpenWakeWordFeatures
    except ImportError as error:
        raise InputError(
            "sound vectors need the network that the package pyopen-wakeword carries",
            got=error,
            want="pyopen-wakeword 1.1.0",
            fix="pip install 'earmark[speech]'",
        ) from error
    features = OpenWakeWordFeatures.from_builtin()
    for part in ("mel", "emb"):
        _one_thread(features, part)
    return features


def _one_thread(features: Any, part: str) -> None:
    """The interpreter anew with one thread: the network is too small for two to pay."""
    lib = features.lib
    lib.TfLiteInterpreterOptionsCreate.restype = ctypes.c_void_p
    lib.TfLiteInterpreterOptionsSetNumThreads.argtypes = (ctypes.c_void_p, ctypes.c_int32)
    options = lib.TfLiteInterpreterOptionsCreate()
    lib.TfLiteInterpreterOptionsSetNumThreads(options, 1)
    lib.TfLiteInterpreterDelete(getattr(features, f"{part}_interpreter"))
    fresh = lib.TfLiteInterpreterCreate(getattr(features, f"{part}_model"), options)
    setattr(features, f"{part}_interpreter", fresh)


def _run(features: Any, part: str, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """One network of the pair on one sound."""
    lib, interpreter = features.lib, getattr(features, f"{part}_interpreter")
    shape = (ctypes.c_int32 * values.ndim)(*values.shape)
    lib.TfLiteInterpreterResizeInputTensor(
        interpreter, ctypes.c_int32(0), shape, ctypes.c_int32(values.ndim)
    )
    lib.TfLiteInterpreterAllocateTensors(interpreter)
    entry = lib.TfLiteInterpreterGetInputTensor(interpreter, ctypes.c_int32(0))
    given = np.ascontiguousarray(values, dtype=np.float32)
    size = ctypes.c_size_t(given.nbytes)
    lib.TfLiteTensorCopyFromBuffer(entry, given.ctypes.data_as(ctypes.c_void_p), size)
    if lib.TfLiteInterpreterInvoke(interpreter) != 0:
        raise RuntimeError(f"the network {part} of pyopen-wakeword did not run")
    exit_ = lib.TfLiteInterpreterGetOutputTensor(interpreter, ctypes.c_int32(0))
    found = np.empty(lib.TfLiteTensorByteSize(exit_) // 4, dtype=np.float32)
    size = ctypes.c_size_t(found.nbytes)
    lib.TfLiteTensorCopyToBuffer(exit_, found.ctypes.data_as(ctypes.c_void_p), size)
    return found
