"""TensorFlow Lite networks through the C library that the wheel of `pyopen-wakeword` carries.

The library's C interface is called directly, and nothing of pyopen-wakeword is imported: its
Python class creates interpreters for fixed shapes and with one thread per core. The maintained
Python runtime (ai-edge-litert) is 60 MB, would be needed beside the wheel, and its mel spectra
differ from this library's by up to 2e-5, so that scores would move against the shipped table.
"""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats32 = NDArray[np.float32]

_POINTER, _INT, _SIZE = ctypes.c_void_p, ctypes.c_int32, ctypes.c_size_t
# Result and argument types of the functions of TensorFlow Lite's c_api.h that are used here.
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "TfLiteModelCreateFromFile": (_POINTER, (ctypes.c_char_p,)),
    "TfLiteInterpreterOptionsCreate": (_POINTER, ()),
    "TfLiteInterpreterOptionsSetNumThreads": (None, (_POINTER, _INT)),
    "TfLiteInterpreterCreate": (_POINTER, (_POINTER, _POINTER)),
    "TfLiteInterpreterResizeInputTensor": (_INT, (_POINTER, _INT, ctypes.POINTER(_INT), _INT)),
    "TfLiteInterpreterAllocateTensors": (_INT, (_POINTER,)),
    "TfLiteInterpreterGetInputTensor": (_POINTER, (_POINTER, _INT)),
    "TfLiteInterpreterGetOutputTensor": (_POINTER, (_POINTER, _INT)),
    "TfLiteInterpreterInvoke": (_INT, (_POINTER,)),
    "TfLiteTensorByteSize": (_SIZE, (_POINTER,)),
    "TfLiteTensorCopyFromBuffer": (_INT, (_POINTER, _POINTER, _SIZE)),
    "TfLiteTensorCopyToBuffer": (_INT, (_POINTER, _POINTER, _SIZE)),
}


class TfliteNetwork:
    """One network with one input and one output, for inputs of any size.

    It lives as long as the process: callers keep it in a cache, and it frees nothing.
    """

    def __init__(self, library: Path, model: Path) -> None:
        """Load the network in the file `model` with the given TensorFlow Lite C library."""
        self._lib = ctypes.CDLL(str(library))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(self._lib, name)
            function.restype, function.argtypes = result, arguments
        self._path = model
        loaded = self._lib.TfLiteModelCreateFromFile(str(model).encode())
        options = self._lib.TfLiteInterpreterOptionsCreate()
        # One thread: the networks are too small for two to pay.
        self._lib.TfLiteInterpreterOptionsSetNumThreads(options, 1)
        self._interpreter = self._lib.TfLiteInterpreterCreate(loaded, options)
        if not self._interpreter:
            raise RuntimeError(f"TensorFlow Lite cannot load {model}")

    def run(self, values: Floats32) -> Floats32:
        """Return the network's output for one input of any shape it accepts, as a flat array."""
        lib, interpreter = self._lib, self._interpreter
        shape = (_INT * values.ndim)(*values.shape)
        self._check(lib.TfLiteInterpreterResizeInputTensor(interpreter, 0, shape, values.ndim))
        self._check(lib.TfLiteInterpreterAllocateTensors(interpreter))
        entry = lib.TfLiteInterpreterGetInputTensor(interpreter, 0)
        source = np.ascontiguousarray(values, dtype=np.float32)
        self._check(lib.TfLiteTensorCopyFromBuffer(entry, source.ctypes.data, source.nbytes))
        self._check(lib.TfLiteInterpreterInvoke(interpreter))
        exit_ = lib.TfLiteInterpreterGetOutputTensor(interpreter, 0)
        output = np.empty(lib.TfLiteTensorByteSize(exit_) // 4, dtype=np.float32)
        self._check(lib.TfLiteTensorCopyToBuffer(exit_, output.ctypes.data, output.nbytes))
        return output

    def _check(self, status: int) -> None:
        if status != 0:
            raise RuntimeError(f"TensorFlow Lite cannot run {self._path} (status {status})")
