"""A residual network for speaker embeddings: 34 layers, 80 mel bands in, 256 numbers out.

The layout is that of ResNet34 in speaker verification: a convolution, then 3, 4, 6 and 3 blocks of
two convolutions with a shortcut, with 32, 64, 128 and 256 channels; mean and standard deviation
over time; one linear layer. Batch normalisations were folded into the convolutions by whoever wrote
the weights.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.tasks.keywords.run.networks.onnx_file import OnnxLayer

if TYPE_CHECKING:
    from torch import Tensor

BLOCKS = (3, 4, 6, 3)
# Added to the variance before its root is taken, as in the network's own graph.
SMALLEST_VARIANCE = 1e-8

Layer = tuple["Tensor", "Tensor"]  # weight and bias


@dataclass(frozen=True, slots=True, eq=False)
class ResidualBlock:
    """Two convolutions and, where the shape changes, a convolution of one pixel around them."""

    first: Layer
    second: Layer
    shortcut: Layer | None
    stride: int


@dataclass(frozen=True, slots=True, eq=False)
class ResidualNetwork:
    """All weights of the network; `mean` is taken off every embedding."""

    entry: Layer
    blocks: tuple[ResidualBlock, ...]
    linear: Layer
    mean: "Tensor"  # (256,)

    @classmethod
    def of(cls, layers: Sequence[OnnxLayer]) -> "ResidualNetwork":
        """Arrange the layers of the file, which come in the order of the computation."""
        convolutions = iter([_tensors(layer) for layer in layers if layer.kind == "Conv"])
        linear = next(_tensors(layer) for layer in layers if layer.kind == "Gemm")
        import torch

        # the last subtraction with weights of one axis is that of the mean embedding
        mean = [x.weights[0] for x in layers if x.kind == "Sub" and x.weights[0].ndim == 1][-1]
        entry = next(convolutions)
        return cls(entry, tuple(_blocks(convolutions)), linear, torch.from_numpy(mean.copy()))

    def embed(self, bands: "Tensor") -> "Tensor":
        """Return the embedding, (256,), of log-mel energies, (80, frames), without their mean."""
        import torch

        x = _convolved(bands[None, None], self.entry).relu_()
        for block in self.blocks:
            around = x if block.shortcut is None else _convolved(x, block.shortcut, block.stride)
            inner = _convolved(x, block.first, block.stride).relu_()
            x = _convolved(inner, block.second).add_(around).relu_()
        # one frame has no deviation: it is counted as none
        spread = x.var(-1, unbiased=x.shape[-1] > 1).add_(SMALLEST_VARIANCE).sqrt_()
        pooled = torch.cat([x.mean(-1).flatten(), spread.flatten()])
        weight, bias = self.linear
        return weight @ pooled + bias - self.mean


def _blocks(convolutions: Iterator[Layer]) -> Iterator[ResidualBlock]:
    """Yield the blocks; the first of a group, except of the first group, halves the shape."""
    for group, size in enumerate(BLOCKS):
        for index in range(size):
            halves = group > 0 and index == 0
            first = next(convolutions)
            shortcut = next(convolutions) if halves else None
            second = next(convolutions)
            yield ResidualBlock(first, second, shortcut, 2 if halves else 1)


def _tensors(layer: OnnxLayer) -> Layer:
    import torch

    weight, bias = layer.weights
    return torch.from_numpy(weight.copy()), torch.from_numpy(bias.copy())


def _convolved(x: "Tensor", layer: Layer, stride: int = 1) -> "Tensor":
    import torch

    weight, bias = layer
    padding = weight.shape[-1] // 2
    return torch.nn.functional.conv2d(x, weight, bias, stride=stride, padding=padding)
