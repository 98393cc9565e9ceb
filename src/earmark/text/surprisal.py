"""What a causal language model makes of each piece of a text, given all of the text before it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from earmark.arrays import Floats
from earmark.text.causal_model import CausalModel

if TYPE_CHECKING:
    from torch import Tensor

# Pieces that are read at once: a whole talk. In a longer text each further reading begins half of
# it earlier, so that every piece has the talk before it in view.
WINDOW = 3072
ROWS = 256  # pieces whose probabilities over the vocabulary are in memory at a time
Span = tuple[int, int]


class PieceReading(NamedTuple):
    """Per piece: its log probability, and the entropy (nats) of what was expected there.

    `others` holds, for the pieces that were asked about, log probabilities of others in its place.
    """

    logs: Floats  # (pieces,)
    entropies: Floats  # (pieces,)
    others: dict[int, Floats]


def read_pieces(
    model: CausalModel, pieces: Sequence[int], asked: Mapping[int, Sequence[int]]
) -> PieceReading:
    """Read a text's pieces; `asked` names, by place, other pieces to judge in its place."""
    import torch

    logs, entropies = np.zeros(len(pieces)), np.zeros(len(pieces))
    others: dict[int, Floats] = {}
    with torch.inference_mode():
        for start, states in _windows(model, pieces):
            for first in range(0, len(states), ROWS):
                table = model.network.log_probabilities(states[first : first + ROWS])
                low = start + first
                own = torch.tensor(pieces[low : low + len(table)])[:, None]
                logs[low : low + len(table)] = table.gather(1, own)[:, 0].numpy()
                entropies[low : low + len(table)] = -(table.exp() * table).sum(-1).numpy()
                for row in range(len(table)):
                    if low + row in asked:
                        wanted = list(asked[low + row])
                        others[low + row] = table[row, wanted].numpy().astype(float)
    return PieceReading(logs, entropies, others)


def _windows(model: CausalModel, pieces: Sequence[int]) -> Iterator[tuple[int, "Tensor"]]:
    """Yield the first piece that a window judges, and the states before each that it does."""
    import torch

    size = min(WINDOW, model.network.shape.longest)
    start = 0
    while start < len(pieces):
        begin = max(0, start - size // 2) if start else 0
        inside = [model.first, *pieces[begin : begin + size]][:-1]
        states = model.network.states(torch.tensor([inside]))[0]
        yield start, states[start - begin :]
        start = begin + len(inside)


def pieces_of_tokens(tokens: Sequence[Span], spans: Sequence[Span]) -> list[list[int]]:
    """Return for every token, by its first and last character, the pieces that overlap it.

    Examples
    --------
    >>> pieces_of_tokens([(0, 3), (4, 7)], [(0, 3), (3, 5), (5, 7)])
    [[0], [1, 2]]
    """
    owned: list[list[int]] = [[] for _ in tokens]
    token = 0
    for piece, (start, end) in enumerate(spans):
        while token < len(tokens) and tokens[token][1] <= start:
            token += 1
        if token < len(tokens) and end > tokens[token][0]:
            owned[token].append(piece)
    return owned
