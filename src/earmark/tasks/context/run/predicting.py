"""The language model's network at work: output layers, surprise, and two words at a place."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from earmark.tasks.context.run import lstm
from earmark.tasks.context.run.choosing import offered, rank_share
from earmark.tasks.context.values import Choice, Passage
from earmark.text.tokens import sentences
from earmark.values.item import Item

Array = Any
SAMPLED = 1000


class FullHead(nn.Module):  # type: ignore[misc]
    """One unit a word and a softmax over all of them, as in the paper."""

    def __init__(self, units: int, words: int) -> None:
        super().__init__()
        self.layer = nn.Linear(units, words)

    def loss(self, states: Tensor, targets: Tensor) -> Tensor:
        """The mean cross entropy."""
        found: Tensor = nn.functional.cross_entropy(self.layer(states), targets)
        return found

    def log_prob(self, states: Tensor) -> Tensor:
        """Log probabilities of all words."""
        found: Tensor = torch.log_softmax(self.layer(states), dim=-1)
        return found


class SampledHead(FullHead):
    """The same layer, trained on the right word against words drawn by frequency rank."""

    def loss(self, states: Tensor, targets: Tensor) -> Tensor:
        """Cross entropy over the target and a sample, corrected for how the sample was drawn."""
        words = self.layer.out_features
        drawn = (torch.rand(min(SAMPLED, words)) * np.log(words + 1)).exp().long() - 1
        drawn = drawn.clamp(0, words - 1)
        logits = states @ self.layer.weight[drawn].T + self.layer.bias[drawn]
        logits = logits - _log_uniform(drawn, words)
        logits = logits.masked_fill(drawn[None, :] == targets[:, None], -1e9)
        right = (states * self.layer.weight[targets]).sum(-1) + self.layer.bias[targets]
        right = right - _log_uniform(targets, words)
        both = torch.cat([right[:, None], logits], dim=1)
        found: Tensor = (torch.logsumexp(both, dim=1) - right).mean()
        return found


class AdaptiveHead(nn.Module):  # type: ignore[misc]
    """Adaptive softmax: rare words in smaller clusters (Grave et al. 2017)."""

    def __init__(self, units: int, words: int) -> None:
        super().__init__()
        cuts = [c for c in (2000, 10_000) if c < words - 1] or [max(1, words // 2)]
        self.layer = nn.AdaptiveLogSoftmaxWithLoss(units, words, cuts, div_value=4.0)

    def loss(self, states: Tensor, targets: Tensor) -> Tensor:
        """The mean cross entropy."""
        found: Tensor = self.layer(states, targets).loss
        return found

    def log_prob(self, states: Tensor) -> Tensor:
        """Log probabilities of all words."""
        found: Tensor = self.layer.log_prob(states)
        return found


HEADS = {"adaptive": AdaptiveHead, "sampled": SampledHead, "full": FullHead}


def build(shape: lstm.Shape, softmax: str, arrays: dict[str, Any] | None = None) -> Any:
    """The network with that output layer, with stored weights when they are given."""
    net = lstm.Recurrent(shape, HEADS[softmax](shape.units, shape.vocabulary))
    if arrays is not None:
        lstm.fill(net, arrays)
    return net


def surprises(
    net: Any, documents: Sequence[Sequence[str]], numbers: dict[str, int], longest: int
) -> list[Array]:
    """For each document, -log P of every token in nats; unknown words count as one word."""
    rows = [np.zeros(len(tokens)) for tokens in documents]
    with torch.inference_mode():
        for batch in lstm.batches(lstm.cut(documents, numbers, longest), 1024):
            words, real = lstm.padded(batch)
            states = net.states(_behind(words))
            lost = torch.full(words.shape, 0.0)
            logs = net.head.log_prob(states[real])
            lost[real] = -logs.gather(1, words[real][:, None])[:, 0]
            for chunk, row in zip(batch, lost.numpy(), strict=True):
                end = chunk.start + len(chunk.words)
                rows[chunk.document][chunk.start : end] = row[: len(chunk.words)]
    return rows


def choices(
    net: Any, item: Item, passage: Passage, numbers: dict[str, int], longest: int
) -> tuple[Choice, ...]:
    """Both words at every revealed place, and where the vocabulary ranks them."""
    places = offered(item)
    if not places:
        return ()
    starts = {p: low for low, high in sentences(passage.tokens) for p in range(low, high)}
    found = []
    with torch.inference_mode():
        for at, first, second in places:
            low = max(starts[at], at - (at - starts[at]) % longest)
            left = [lstm.START, *(numbers.get(t, lstm.UNKNOWN) for t in passage.tokens[low:at])]
            states = net.states(torch.tensor([left]))[:, -1]
            logs = net.head.log_prob(states)[0].numpy()
            pair = [float(logs[numbers.get(w, lstm.UNKNOWN)]) for w in (first, second)]
            ranks = [rank_share(logs, p) for p in pair]
            found.append(Choice(at, *pair, *ranks))
    return tuple(found)


def _behind(words: Tensor) -> Tensor:
    """Each word's predecessor, a start mark first."""
    start = torch.full((words.shape[0], 1), lstm.START)
    return torch.cat([start, words[:, :-1]], dim=1)


def loss_of(net: Any, batch: Sequence[lstm.Chunk]) -> Tensor:
    """The mean cross entropy of a batch."""
    words, real = lstm.padded(batch)
    found: Tensor = net.head.loss(net.states(_behind(words))[real], words[real])
    return found


def _log_uniform(words: Tensor, size: int) -> Tensor:
    """Log of how often a rank is drawn."""
    ranks = words.float()
    share = torch.log((ranks + 2) / (ranks + 1)) / float(np.log(size + 1))
    return torch.log(share * SAMPLED)
