"""The language model's network: output layers, surprisal, and two words compared at a place."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from earmark.arrays import Floats
from earmark.tasks.context.run import lstm
from earmark.tasks.context.run.contrast import rank_share, revealed_places
from earmark.tasks.context.values import Choice, Passage
from earmark.text.penn_tokens import sentences
from earmark.values.item import Item

# Words drawn per batch by the sampled softmax. On one core it trains at 5,800 tokens/s, the full
# softmax over 30,000 words at 620.
SAMPLED = 1000
# Where the adaptive softmax cuts the words by frequency (chosen by hand for the paper's 30,000
# words, not tuned), and by what factor each cluster of rarer words has fewer dimensions than the
# one before (torch's default).
CLUSTERS = (2000, 10_000)
CLUSTER_SHRINKS = 4.0
# Words per batch when nothing is learnt; bounds the memory, changes no result.
RUN_BATCH_WORDS = 1024


class FullSoftmax(nn.Module):  # type: ignore[misc]
    """One unit per word and a softmax over all of them, as in the paper."""

    def __init__(self, units: int, words: int) -> None:
        super().__init__()
        self.layer = nn.Linear(units, words)

    def loss(self, states: Tensor, targets: Tensor) -> Tensor:
        """Return the mean cross entropy; (words, units) and (words,)."""
        return self.surprisal(states, targets).mean()

    def surprisal(self, states: Tensor, targets: Tensor) -> Tensor:
        """Return -log P of each target; (words, units) and (words,) to (words,)."""
        each: Tensor = nn.functional.cross_entropy(self.layer(states), targets, reduction="none")
        return each

    def log_prob(self, states: Tensor) -> Tensor:
        """Return log probabilities of the whole vocabulary; (..., units) to (..., vocabulary)."""
        logs: Tensor = torch.log_softmax(self.layer(states), dim=-1)
        return logs


class SampledSoftmax(FullSoftmax):
    """The same layer, trained on the right word against words drawn by frequency rank."""

    def loss(self, states: Tensor, targets: Tensor) -> Tensor:
        """Return the mean cross entropy over the target and a sample.

        Logits are corrected by the log of how often a word is drawn (Jean et al. 2015), and a
        drawn word that is the target does not compete with itself.
        """
        words = self.layer.out_features
        drawn = (torch.rand(min(SAMPLED, words)) * np.log(words + 1)).exp().long() - 1
        drawn = drawn.clamp(0, words - 1)
        logits = states @ self.layer.weight[drawn].T + self.layer.bias[drawn]
        logits = logits - _log_expected_draws(drawn, words)
        logits = logits.masked_fill(drawn[None, :] == targets[:, None], -1e9)
        right = (states * self.layer.weight[targets]).sum(-1) + self.layer.bias[targets]
        right = right - _log_expected_draws(targets, words)
        both = torch.cat([right[:, None], logits], dim=1)
        loss: Tensor = (torch.logsumexp(both, dim=1) - right).mean()
        return loss


class AdaptiveSoftmax(nn.Module):  # type: ignore[misc]
    """Adaptive softmax: rare words in smaller clusters (Grave et al. 2017)."""

    def __init__(self, units: int, words: int) -> None:
        super().__init__()
        cuts = [c for c in CLUSTERS if c < words - 1] or [max(1, words // 2)]
        self.layer = nn.AdaptiveLogSoftmaxWithLoss(units, words, cuts, div_value=CLUSTER_SHRINKS)

    def loss(self, states: Tensor, targets: Tensor) -> Tensor:
        """Return the mean cross entropy; (words, units) and (words,)."""
        loss: Tensor = self.layer(states, targets).loss
        return loss

    def surprisal(self, states: Tensor, targets: Tensor) -> Tensor:
        """Return -log P of each target; only the clusters that hold one are computed."""
        each: Tensor = -self.layer(states, targets).output
        return each

    def log_prob(self, states: Tensor) -> Tensor:
        """Return log probabilities of the whole vocabulary; (..., units) to (..., vocabulary)."""
        logs: Tensor = self.layer.log_prob(states)
        return logs


HEADS = {"adaptive": AdaptiveSoftmax, "sampled": SampledSoftmax, "full": FullSoftmax}


def build(
    shape: lstm.LstmShape, softmax: str, arrays: Mapping[str, Any] | None = None
) -> lstm.LstmNetwork:
    """Return the network with that output layer, with stored weights if there are any."""
    net = lstm.LstmNetwork(shape, HEADS[softmax](shape.units, shape.vocabulary))
    if arrays is not None:
        lstm.load_weights(net, arrays)
    return net


def surprisals(
    net: lstm.LstmNetwork,
    documents: Sequence[Sequence[str]],
    numbers: Mapping[str, int],
    longest: int,
) -> list[Floats]:
    """Return for each document -log P of every token in nats; unknown words count as one word."""
    rows = [np.zeros(len(tokens)) for tokens in documents]
    with torch.inference_mode():
        for batch in lstm.batches(lstm.cut(documents, numbers, longest), RUN_BATCH_WORDS):
            words, is_word = lstm.padded(batch)
            surprisal = torch.full(words.shape, 0.0)
            states = net.states(_before(words))[is_word]
            surprisal[is_word] = net.head.surprisal(states, words[is_word])
            for chunk, row in zip(batch, surprisal.numpy(), strict=True):
                rows[chunk.document][chunk.start : chunk.end] = row[: len(chunk.words)]
    return rows


def choices(
    net: lstm.LstmNetwork, item: Item, passage: Passage, numbers: Mapping[str, int], longest: int
) -> tuple[Choice, ...]:
    """Return both words at every revealed place, and where the vocabulary ranks them.

    Places where the network does not know one of the two are left out: it gives one probability
    to all unknown words together, which says nothing about one of them.
    """
    places = [p for p in revealed_places(item) if p.first in numbers and p.second in numbers]
    if not places:
        return ()
    sentence_start = {p: low for low, high in sentences(passage.tokens) for p in range(low, high)}
    compared = []
    with torch.inference_mode():
        for place, first, second in places:
            # the chunk of the sentence that training would have cut
            low = place - (place - sentence_start[place]) % longest
            before = [numbers.get(token, lstm.UNKNOWN) for token in passage.tokens[low:place]]
            states = net.states(torch.tensor([[lstm.START, *before]]))[:, -1]
            logs = net.head.log_prob(states)[0].numpy()
            pair = [float(logs[numbers[word]]) for word in (first, second)]
            compared.append(Choice(place, *pair, *(rank_share(logs, one) for one in pair)))
    return tuple(compared)


def loss_of(net: lstm.LstmNetwork, batch: Sequence[lstm.Chunk]) -> Tensor:
    """Return what the network learns by: the mean cross entropy of a batch, or an estimate."""
    words, is_word = lstm.padded(batch)
    loss: Tensor = net.head.loss(net.states(_before(words))[is_word], words[is_word])
    return loss


def cross_entropy_of(net: lstm.LstmNetwork, batch: Sequence[lstm.Chunk]) -> Tensor:
    """Return the mean cross entropy of a batch over the whole vocabulary."""
    words, is_word = lstm.padded(batch)
    each: Tensor = net.head.surprisal(net.states(_before(words))[is_word], words[is_word])
    return each.mean()


def _before(words: Tensor) -> Tensor:
    """Return each word's predecessor, a start mark first."""
    start = torch.full((words.shape[0], 1), lstm.START)
    return torch.cat([start, words[:, :-1]], dim=1)


def _log_expected_draws(words: Tensor, size: int) -> Tensor:
    """Return the log of how often the log-uniform sample is expected to hold each word."""
    ranks = words.float()
    share = torch.log((ranks + 2) / (ranks + 1)) / float(np.log(size + 1))
    return torch.log(share * SAMPLED)
