"""The classifier's network: its loss, and its probability that each word is out of context."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from earmark.arrays import Floats
from earmark.tasks.context.run import lstm

# The output unit's first bias, the log odds of .7 %: swaps are about that rare (.4 % of the words
# of talks), and training need not spend its first batches on learning so.
RARE = -5.0
# Words per batch when nothing is learnt; bounds the memory, changes no result.
RUN_BATCH_WORDS = 8192


def build(shape: lstm.LstmShape, arrays: Mapping[str, Any] | None = None) -> lstm.LstmNetwork:
    """Return the network with one output unit, with stored weights if there are any."""
    net = lstm.LstmNetwork(shape, nn.Linear(shape.units, 1))
    nn.init.constant_(net.head.bias, RARE)
    if arrays is not None:
        lstm.load_weights(net, arrays)
    return net


def probabilities(
    net: lstm.LstmNetwork,
    documents: Sequence[Sequence[str]],
    numbers: Mapping[str, int],
    longest: int,
) -> list[Floats]:
    """Return for each document a probability per token."""
    rows = [np.zeros(len(tokens), np.float64) for tokens in documents]
    chunks = lstm.cut(documents, numbers, longest, by_sentence=False)
    with torch.inference_mode():
        for batch in lstm.batches(chunks, RUN_BATCH_WORDS):
            words, _ = lstm.padded(batch)
            outputs = torch.sigmoid(net.head(net.states(words))[..., 0]).numpy()
            for chunk, row in zip(batch, outputs, strict=True):
                rows[chunk.document][chunk.start : chunk.end] = row[: len(chunk.words)]
    return rows


def loss_over(labels: Sequence[NDArray[np.int8]]) -> lstm.Loss:
    """Return the loss of a batch given the labels of all documents: binary cross entropy."""

    def loss_of(net: lstm.LstmNetwork, batch: Sequence[lstm.Chunk]) -> Tensor:
        words, is_word = lstm.padded(batch)
        targets = np.zeros(words.shape, np.float32)
        for row, chunk in enumerate(batch):
            targets[row, : len(chunk.words)] = labels[chunk.document][chunk.start : chunk.end]
        logits = net.head(net.states(words))[..., 0]
        loss: Tensor = nn.functional.binary_cross_entropy_with_logits(
            logits[is_word], torch.from_numpy(targets)[is_word]
        )
        return loss

    return loss_of
