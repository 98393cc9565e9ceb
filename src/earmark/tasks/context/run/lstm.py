"""The paper's network: 256-dimensional words, 512 LSTM units, one output layer (section 5)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.text.penn_tokens import sentences

# Word numbers 0 and 1 are taken by any unknown word and by the start of a sentence.
UNKNOWN, START = 0, 1
FIRST_WORD = 2
# Adam's learning rate is the paper's. It gives no size of batches and no bound on the norm of
# gradients; these were chosen by hand and not tuned.
LEARNING_RATE = 1e-3
BATCH_WORDS = 1024
GRADIENT_NORM = 5.0


@dataclass(frozen=True, slots=True)
class LstmShape:
    """Sizes of the network; the defaults are the paper's. `longest` is the words of a chunk."""

    vocabulary: int = 30_000
    embedding: int = 256
    units: int = 512
    longest: int = 50


@dataclass(frozen=True, slots=True)
class Chunk:
    """A sentence, or a piece of one: which document, from which token, and its word numbers."""

    document: int
    start: int
    words: NDArray[np.int64]  # (tokens,)

    @property
    def end(self) -> int:
        """The token after the last."""
        return self.start + len(self.words)


class LstmNetwork(nn.Module):  # type: ignore[misc]
    """Words to LSTM states; the output layer `head` is the caller's."""

    def __init__(self, shape: LstmShape, head: nn.Module) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.vocabulary, shape.embedding)
        self.lstm = nn.LSTM(shape.embedding, shape.units, batch_first=True)
        self.head = head

    def states(self, words: Tensor) -> Tensor:
        """Return a state for every word; (batch, words) to (batch, words, units)."""
        states: Tensor = self.lstm(self.embedding(words))[0]
        return states


Loss = Callable[[LstmNetwork, Sequence[Chunk]], Tensor]


def words_by_frequency(documents: Sequence[Sequence[str]], size: int) -> list[str]:
    """Return the most frequent words, ties in alphabetical order, for a vocabulary of that size."""
    counts: Counter[str] = Counter()
    for tokens in documents:
        counts.update(tokens)
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return [word for word, _ in ordered[: size - FIRST_WORD]]


def number_words(words: Sequence[str]) -> dict[str, int]:
    """Return the number of each word."""
    return {word: index for index, word in enumerate(words, start=FIRST_WORD)}


def cut(
    documents: Sequence[Sequence[str]],
    numbers: Mapping[str, int],
    longest: int,
    *,
    by_sentence: bool = True,
) -> list[Chunk]:
    """Cut documents into chunks of at most `longest` words, which end where sentences end.

    Not `by_sentence`, every chunk but a document's last has exactly `longest` words.
    """
    chunks = []
    for index, tokens in enumerate(documents):
        row = np.array([numbers.get(token, UNKNOWN) for token in tokens], np.int64)
        spans = sentences(tuple(tokens)) if by_sentence else ((0, len(tokens)),)
        for low, high in spans:
            for start in range(low, high, longest):
                chunks.append(Chunk(index, start, row[start : min(high, start + longest)]))
    return chunks


def batches(
    chunks: Sequence[Chunk], size: int, rng: np.random.Generator | None = None
) -> Iterator[list[Chunk]]:
    """Yield batches of about `size` words, chunks of like length together.

    With a generator the batches come in random order, and a little noise on the lengths puts
    other chunks together in every epoch.
    """
    noise = rng.random(len(chunks)) * 2 if rng is not None else np.zeros(len(chunks))
    order = np.argsort([len(c.words) + noise[k] for k, c in enumerate(chunks)], kind="stable")
    groups: list[list[Chunk]] = [[]]
    for index in order.tolist():
        if groups[-1] and (len(groups[-1]) + 1) * len(chunks[index].words) > size:
            groups.append([])
        groups[-1].append(chunks[index])
    sequence = rng.permutation(len(groups)) if rng is not None else range(len(groups))
    return (groups[int(index)] for index in sequence if groups[int(index)])


def padded(batch: Sequence[Chunk]) -> tuple[Tensor, Tensor]:
    """Return word numbers in a rectangle, and which of its places are words; (batch, words)."""
    width = max(len(chunk.words) for chunk in batch)
    words = np.zeros((len(batch), width), np.int64)
    is_word = np.zeros((len(batch), width), bool)
    for row, chunk in enumerate(batch):
        words[row, : len(chunk.words)] = chunk.words
        is_word[row, : len(chunk.words)] = True
    return torch.from_numpy(words), torch.from_numpy(is_word)


def fit(
    net: LstmNetwork, chunks: Sequence[Chunk], loss_of: Loss, *, epochs: float, seed: int
) -> list[float]:
    """Train the network by Adam over shuffled batches; return the mean loss of each epoch.

    `epochs` may be a fraction: the last epoch then ends early.
    """
    optimiser = torch.optim.Adam(net.parameters(), lr=LEARNING_RATE)
    means: list[float] = []
    left = epochs
    net.train()
    while left > 0:
        epoch = list(batches(chunks, BATCH_WORDS, stream(seed, "epoch", len(means))))
        epoch = epoch[: max(1, round(len(epoch) * min(1.0, left)))]
        losses = []
        for batch in track(epoch, label=f"epoch {len(means) + 1}"):
            optimiser.zero_grad(set_to_none=True)
            loss = loss_of(net, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), GRADIENT_NORM)
            optimiser.step()
            losses.append(float(loss.detach()))
        means.append(sum(losses) / len(losses))
        left -= 1
    net.eval()
    return means


def arrays_of(net: nn.Module) -> dict[str, NDArray[np.float16]]:
    """Return the weights in half precision, for a model file."""
    return {name: value.numpy().astype(np.float16) for name, value in net.state_dict().items()}


def load_weights(net: nn.Module, arrays: Mapping[str, Any]) -> None:
    """Put stored weights into a network."""
    state = {name: torch.from_numpy(a.astype(np.float32)) for name, a in arrays.items()}
    net.load_state_dict(state)
    net.eval()
