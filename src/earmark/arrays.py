"""Names for the array types that pass between functions; shapes stand beside each use."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats32 = NDArray[np.float32]
Samples = NDArray[np.float32]  # a sound: one channel, full scale is -1 to 1
