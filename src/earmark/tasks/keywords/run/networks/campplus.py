"""The network CAM++ (Wang et al. 2023) written out as plain functions of its weights.

Log-mel bands pass a two-dimensional residual front end, then a time-delay layer, then three
densely connected blocks in which each layer reads everything before it and adds 32 channels,
masked by its context (CAM: context-aware masking). Mean and deviation over time go through one
last layer and give the embedding. Written out, a CPU and torch are enough, and batch
normalisation can be folded into the layer before it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

Weights = dict[str, "Tensor"]

# The architecture: number, layers and dilation of each dense block, channels that a layer adds,
# frames over which context is averaged, and batch normalisation's epsilon.
BLOCKS = ((1, 12, 1), (2, 24, 2), (3, 16, 2))
GROWTH = 32
POOL = 100
EPSILON = 1e-5

# The front end's convolutions, each with the normalisation that follows it.
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


def fold_normalisations(raw: Weights) -> Weights:
    """Return the weights with each normalisation folded into the layer before it.

    Normalisations without a layer directly before them stay as they are.
    """
    pairs = [(f"head.{layer}", f"head.{norm}") for layer, norm in _FRONT_LAYERS]
    pairs += [
        (f"xvector.{name}.linear", f"xvector.{name}.nonlinear.batchnorm")
        for name in ("tdnn", "dense")
    ]
    for block, layers, _ in BLOCKS:
        for number in range(1, layers + 1):
            name = f"xvector.block{block}.tdnnd{number}"
            pairs.append((f"{name}.linear1", f"{name}.nonlinear2.batchnorm"))
    weights = {n: t for n, t in raw.items() if n.startswith("xvector.") and "tracked" not in n}
    for layer, norm in pairs:
        weights |= _folded(raw, layer, norm)
    return weights


def _folded(raw: Weights, layer: str, norm: str) -> Weights:
    """Return the layer and the normalisation after it as one layer with a bias."""
    import torch

    weight = raw[f"{layer}.weight"]
    scale = 1 / torch.sqrt(raw[f"{norm}.running_var"] + EPSILON)
    scale = scale * raw.get(f"{norm}.weight", torch.ones_like(scale))
    shift = raw.get(f"{norm}.bias", torch.zeros_like(scale)) - raw[f"{norm}.running_mean"] * scale
    return {
        f"{layer}.weight": weight * scale.reshape(-1, *[1] * (weight.ndim - 1)),
        f"{layer}.bias": shift,
    }


def embed(w: Weights, bands: "Tensor") -> "Tensor":
    """Return the embedding, (192,), of one utterance, (1, 80 bands, frames)."""
    import torch

    x = _front_end(w, bands)  # (1, 320 channels, frames)
    weight, bias = w["xvector.tdnn.linear.weight"], w["xvector.tdnn.linear.bias"]
    x = torch.nn.functional.conv1d(x, weight, bias, stride=2, padding=2).relu_()
    for block, layers, dilation in BLOCKS:
        x = _dense_block(w, x, block, layers, dilation)
        x = _normalised(w, x, f"xvector.transit{block}.nonlinear.batchnorm")
        x = (w[f"xvector.transit{block}.linear.weight"][..., 0] @ x[0])[None]
    x = _normalised(w, x, "xvector.out_nonlinear.batchnorm")[0]
    pooled = torch.cat([x.mean(-1), x.std(-1, unbiased=True)])
    return w["xvector.dense.linear.weight"][..., 0] @ pooled + w["xvector.dense.linear.bias"]


def _front_end(w: Weights, bands: "Tensor") -> "Tensor":
    """Return channels by frames: bands are halved three times and become channels."""
    x = _conv(w, bands[:, None], "head.conv1").relu_()
    for group in ("head.layer1", "head.layer2"):
        for index, stride in ((0, 2), (1, 1)):
            x = _residual(w, x, f"{group}.{index}", stride)
    return _conv(w, x, "head.conv2", stride=2).relu_().flatten(1, 2)


def _residual(w: Weights, x: "Tensor", name: str, stride: int) -> "Tensor":
    inner = _conv(w, x, f"{name}.conv1", stride=stride).relu_()
    inner = _conv(w, inner, f"{name}.conv2")
    if f"{name}.shortcut.0.weight" in w:
        x = _conv(w, x, f"{name}.shortcut.0", stride=stride)
    return inner.add_(x).relu_()


def _conv(w: Weights, x: "Tensor", name: str, stride: int = 1) -> "Tensor":
    """Convolve bands by frames; the stride is along the bands only."""
    import torch

    weight = w[f"{name}.weight"]
    padding = weight.shape[-1] // 2
    return torch.nn.functional.conv2d(
        x, weight, w[f"{name}.bias"], stride=(stride, 1), padding=padding
    )


def _dense_block(w: Weights, x: "Tensor", block: int, layers: int, dilation: int) -> "Tensor":
    """Return the input with 32 more channels per layer; each layer reads all before it.

    All channels live in one tensor that is filled layer by layer, which saves the copies that
    concatenating them after every layer would make.
    """
    import torch

    channels = x.shape[1]
    grown = torch.empty(1, channels + layers * GROWTH, x.shape[2])
    grown[:, :channels] = x
    for layer in range(1, layers + 1):
        name = f"xvector.block{block}.tdnnd{layer}"
        grown[:, channels : channels + GROWTH] = _masked_layer(
            w, grown[:, :channels], name, dilation
        )
        channels += GROWTH
    return grown


def _masked_layer(w: Weights, x: "Tensor", name: str, dilation: int) -> "Tensor":
    """Return the output of one dense layer, weighted by a mask computed from its context (CAM).

    The context is the mean of all frames plus the mean of the 100 frames around, so there are
    only as many masks as there are stretches of 100 frames.
    """
    import torch

    functional = torch.nn.functional
    x = _normalised(w, x, f"{name}.nonlinear1.batchnorm")[0]
    x = torch.addmm(w[f"{name}.linear1.bias"][:, None], w[f"{name}.linear1.weight"][..., 0], x)
    x.relu_()
    weight = w[f"{name}.cam_layer.linear_local.weight"]
    local = functional.conv1d(x[None], weight, padding=dilation, dilation=dilation)
    stretches = functional.avg_pool1d(x[None], POOL, stride=POOL, ceil_mode=True)[0]
    mask = x.mean(-1, keepdim=True) + stretches
    for part, activation in (("linear1", torch.relu_), ("linear2", torch.sigmoid_)):
        layer = f"{name}.cam_layer.{part}"
        bias, weight = w[f"{layer}.bias"][:, None], w[f"{layer}.weight"][..., 0]
        mask = activation(torch.addmm(bias, weight, mask))
    if mask.shape[1] > 1:
        mask = mask.repeat_interleave(POOL, -1)[:, : x.shape[1]]
    return local * mask


def _normalised(w: Weights, x: "Tensor", name: str) -> "Tensor":
    """Return batch normalisation followed by a rectifier."""
    import torch

    return torch.nn.functional.batch_norm(
        x,
        w[f"{name}.running_mean"],
        w[f"{name}.running_var"],
        w.get(f"{name}.weight"),
        w.get(f"{name}.bias"),
    ).relu_()
