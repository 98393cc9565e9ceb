"""What is being said: Google's speech embedding, 96 numbers per 775 ms of sound.

Both networks come inside the wheel of `pyopen-wakeword` (Apache-2.0). The first gives 32 mel
energies every 10 ms; the second embeds 76 of those frames at once.
"""

from functools import cache

import numpy as np

from earmark.arrays import Samples
from earmark.audio.features import Frames
from earmark.files.models import use_model
from earmark.tasks.keywords.run.networks.packaged import packaged_file
from earmark.tasks.keywords.run.networks.tflite import TfliteNetwork

PACKAGE = "pyopen-wakeword"
PURPOSE = "speech embeddings need the network"
MELS, EMBEDDING = "models/melspectrogram.tflite", "models/embedding_model.tflite"
LIBRARIES = ("tensorflowlite_c.so", "tensorflowlite_c.dylib", "tensorflowlite_c.dll")
# Set by the networks: mel bands, frames that one embedding sees, its size, and the frames by which
# the embedding network moves when its input is longer than that.
BANDS = 32
CONTEXT = 76
SIZE = 96
STRIDE = 8
# The mel network takes 16-bit values; 640 samples (40 ms) give one frame, 500 none.
PCM_SCALE = 32768.0
SHORTEST = 640


def speech_embeddings(samples: Samples, *, hop: int = 4) -> Frames:
    """Return one embedding per `hop` mel frames (10 ms each) of a sound, (rows, 96).

    Row k sees 775 ms around frame k x hop; the first and last frames are repeated where that
    reaches over the edge. The network moves 8 frames at a time, so a smaller hop (a divisor of 8)
    runs it once per offset and interleaves the rows.
    """
    mels = _mel_energies(samples)
    around = CONTEXT // 2
    rows = -(-len(mels) // hop)
    passes = STRIDE // hop
    whole = -(-rows // passes) * STRIDE
    padded = np.pad(mels, ((around, around + whole - len(mels)), (0, 0)), mode="edge")
    network = embedding_network()
    vectors = [
        network.run(padded[None, offset : offset + whole - STRIDE + CONTEXT, :, None])
        for offset in range(0, STRIDE, hop)
    ]
    interleaved = np.stack([part.reshape(-1, SIZE) for part in vectors], axis=1)
    return interleaved.reshape(-1, SIZE)[:rows]


def _mel_energies(samples: Samples) -> Frames:
    """Return 32 mel energies every 10 ms, (frames, 32), scaled as the embedding expects."""
    missing = SHORTEST - len(samples)
    padded = np.pad(samples, (0, missing)) if missing > 0 else samples
    energies = mel_network().run((padded * np.float32(PCM_SCALE))[None])
    return np.asarray(energies.reshape(-1, BANDS) / 10 + 2, dtype=np.float32)


@cache
def mel_network() -> TfliteNetwork:
    """Return the mel network, loaded once per process; raise InputError if it is missing."""
    return _network(MELS)


@cache
def embedding_network() -> TfliteNetwork:
    """Return the embedding network, loaded once per process; raise InputError if it is missing."""
    return _network(EMBEDDING)


def use_networks() -> None:
    """Record that both networks are used; raise InputError if one is missing."""
    for model in (MELS, EMBEDDING):
        use_model(packaged_file(PACKAGE, (model,), purpose=PURPOSE))


def _network(model: str) -> TfliteNetwork:
    return TfliteNetwork(
        packaged_file(PACKAGE, LIBRARIES, purpose=PURPOSE),
        packaged_file(PACKAGE, (model,), purpose=PURPOSE),
    )
