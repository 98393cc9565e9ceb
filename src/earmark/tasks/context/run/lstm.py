"""The paper's network: 256-dimensional words, 512 LSTM units, one output layer (section 5)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.text.tokens import sentences

UNKNOWN, START = 0, 1
FIRST_WORD = 2


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network; the defaults are the paper's."""

    vocabulary: int = 30_000
    embedding: int = 256
    units: int = 512
    longest: int = 50


@dataclass(frozen=True, slots=True)
class Chunk:
    """A sentence, or a piece of one: which document, from which token, and its word numbers."""

    document: int
    start: int
    words: Any


class Recurrent(nn.Module):  # type: ignore[misc]
    """Words to LSTM states; the output layer is the caller's."""

    def __init__(self, shape: Shape, head: nn.Module) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.vocabulary, shape.embedding)
        self.lstm = nn.LSTM(shape.embedding, shape.units, batch_first=True)
        self.head = head

    def states(self, words: Tensor) -> Tensor:
        """One state for every word."""
        found: Tensor = self.lstm(self.embedding(words))[0]
        return found


def words_by_frequency(documents: Sequence[Sequence[str]], size: int) -> list[str]:
    """The most frequent words, ties in their own order, room left for the two marks."""
    counts: Counter[str] = Counter()
    for tokens in documents:
        counts.update(tokens)
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return [word for word, _ in ordered[: size - FIRST_WORD]]


def number_words(words: Sequence[str]) -> dict[str, int]:
    """Word to number; 0 stands for any other word."""
    return {word: index for index, word in enumerate(words, start=FIRST_WORD)}


def cut(
    documents: Sequence[Sequence[str]],
    numbers: dict[str, int],
    longest: int,
    *,
    stream: bool = False,
) -> list[Chunk]:
    """Sentences of at most `longest` words; with `stream`, that many words whatever they end."""
    found = []
    for index, tokens in enumerate(documents):
        row = np.array([numbers.get(token, UNKNOWN) for token in tokens], np.int64)
        spans = ((0, len(tokens)),) if stream else sentences(tuple(tokens))
        for low, high in spans:
            for start in range(low, high, longest):
                found.append(Chunk(index, start, row[start : min(high, start + longest)]))
    return found


def batches(chunks: Sequence[Chunk], size: int, rng: Any = None) -> Iterator[list[Chunk]]:
    """Chunks of like length together, about `size` words a batch; shuffled when `rng` is given."""
    noise = rng.random(len(chunks)) * 2 if rng is not None else np.zeros(len(chunks))
    order = np.argsort([len(c.words) + noise[k] for k, c in enumerate(chunks)], kind="stable")
    found: list[list[Chunk]] = [[]]
    for index in order.tolist():
        if found[-1] and (len(found[-1]) + 1) * len(chunks[index].words) > size:
            found.append([])
        found[-1].append(chunks[index])
    turns = rng.permutation(len(found)) if rng is not None else range(len(found))
    return (found[int(turn)] for turn in turns if found[int(turn)])


def padded(batch: Sequence[Chunk]) -> tuple[Tensor, Tensor]:
    """Word numbers in a rectangle, and which places are words."""
    width = max(len(chunk.words) for chunk in batch)
    words = np.zeros((len(batch), width), np.int64)
    real = np.zeros((len(batch), width), bool)
    for row, chunk in enumerate(batch):
        words[row, : len(chunk.words)] = chunk.words
        real[row, : len(chunk.words)] = True
    return torch.from_numpy(words), torch.from_numpy(real)


def fit(  # noqa: PLR0913
    net: Recurrent,
    chunks: Sequence[Chunk],
    loss_of: Any,
    *,
    epochs: float,
    seed: int,
    batch: int = 1024,
    rate: float = 1e-3,
) -> list[float]:
    """Adam over shuffled batches; `epochs` may be a part of one. The mean loss of each epoch."""
    optimiser = torch.optim.Adam(net.parameters(), lr=rate)
    losses: list[float] = []
    left = epochs
    net.train()
    while left > 0:
        turns = list(batches(chunks, batch, stream(seed, "epoch", len(losses))))
        turns = turns[: max(1, round(len(turns) * min(1.0, left)))]
        told = []
        for turn in track(turns, label=f"epoch {len(losses) + 1}"):
            optimiser.zero_grad(set_to_none=True)
            loss = loss_of(net, turn)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            told.append(float(loss.detach()))
        losses.append(sum(told) / len(told))
        left -= 1
    return losses


def prepared(seed: int) -> None:
    """One thread and seeded weights, so that the same seed gives the same bytes."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)


def arrays_of(net: nn.Module) -> dict[str, Any]:
    """The weights as half-precision arrays, for a model file."""
    return {name: value.numpy().astype(np.float16) for name, value in net.state_dict().items()}


def fill(net: nn.Module, arrays: dict[str, Any]) -> None:
    """Put stored weights into a network."""
    state = {name: torch.from_numpy(a.astype(np.float32)) for name, a in arrays.items()}
    net.load_state_dict(state)
    net.eval()
