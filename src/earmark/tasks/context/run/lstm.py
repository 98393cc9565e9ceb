"""The paper's network: 256-dimensional words, 512 LSTM units, one output layer (section 5)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from earmark.text.penn_tokens import sentences

# Word numbers 0 and 1 are taken by any unknown word and by the start of a sentence.
UNKNOWN, START = 0, 1
FIRST_WORD = 2


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


def mean_loss(
    net: LstmNetwork, chunks: Sequence[Chunk], loss_of: Loss, *, batch_words: int
) -> float:
    """Return the mean loss of a word over all chunks; nothing is learnt."""
    total, words = 0.0, 0
    with torch.inference_mode():
        for batch in batches(chunks, batch_words):
            size = sum(len(chunk.words) for chunk in batch)
            total += float(loss_of(net, batch)) * size
            words += size
    return total / words


def arrays_of(net: nn.Module) -> dict[str, NDArray[np.float16]]:
    """Return the weights in half precision, for a model file."""
    return {name: value.numpy().astype(np.float16) for name, value in net.state_dict().items()}


def load_weights(net: nn.Module, arrays: Mapping[str, Any]) -> None:
    """Put stored weights into a network."""
    state = {name: torch.from_numpy(a.astype(np.float32)) for name, a in arrays.items()}
    net.load_state_dict(state)
    net.eval()
