"""The classifier's network at work: losses and probabilities of words out of context."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from earmark.tasks.context.run import lstm
from earmark.tasks.context.train.examples import Lesson

RARE = -5.0


def build(shape: lstm.Shape, arrays: dict[str, Any] | None = None) -> lstm.Recurrent:
    """The network with one output unit, with stored weights when they are given."""
    net = lstm.Recurrent(shape, nn.Linear(shape.units, 1))
    nn.init.constant_(net.head.bias, RARE)
    if arrays is not None:
        lstm.fill(net, arrays)
    return net


def probabilities(
    net: lstm.Recurrent,
    documents: Sequence[Sequence[str]],
    numbers: dict[str, int],
    shape: lstm.Shape,
) -> list[Any]:
    """For each document, one probability a token."""
    rows = [np.zeros(len(tokens), np.float64) for tokens in documents]
    with torch.inference_mode():
        for batch in lstm.batches(lstm.cut(documents, numbers, shape.longest, stream=True), 8192):
            words, _ = lstm.padded(batch)
            found = torch.sigmoid(net.head(net.states(words))[..., 0]).numpy()
            for chunk, row in zip(batch, found, strict=True):
                rows[chunk.document][chunk.start : chunk.start + len(chunk.words)] = row[
                    : len(chunk.words)
                ]
    return rows


def loss_over(lesson: Lesson) -> Any:
    """The loss of a batch: binary cross entropy of every word."""

    def loss_of(net: lstm.Recurrent, batch: Sequence[lstm.Chunk]) -> Tensor:
        words, real = lstm.padded(batch)
        marks = np.zeros(words.shape, np.float32)
        for row, chunk in enumerate(batch):
            end = chunk.start + len(chunk.words)
            marks[row, : len(chunk.words)] = lesson.labels[chunk.document][chunk.start : end]
        logits = net.head(net.states(words))[..., 0]
        loss: Tensor = nn.functional.binary_cross_entropy_with_logits(
            logits[real], torch.from_numpy(marks)[real]
        )
        return loss

    return loss_of
