"""The two networks: a window judged in its middle, and a reader that looks both ways."""

from typing import Any

import torch
from torch import nn

from earmark.tasks.boundaries.run.letters import PAD, PIECES, UNKNOWN

CLIP = 1e4


class Words(nn.Module):  # type: ignore[misc]
    """Word vectors: the word's own plus those of its beginnings and ends."""

    def __init__(self, words: int, places: int, width: int, dropout: float) -> None:
        super().__init__()
        self.word = nn.Embedding(words, width, padding_idx=PAD)
        self.piece = nn.Embedding(places, width, padding_idx=PAD)
        nn.init.normal_(self.word.weight, std=0.3)
        nn.init.normal_(self.piece.weight, std=0.3 / PIECES**0.5)
        with torch.no_grad():
            self.word.weight[PAD] = 0
            self.piece.weight[PAD] = 0
        self.forget = dropout / 4
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows: Any) -> Any:
        """Vectors of (batch, time, 1 + pieces) places."""
        places, pieces = rows[..., 0], rows[..., 1:]
        if self.training and self.forget:
            gone = torch.rand(places.shape) < self.forget
            places = torch.where(gone & (places > UNKNOWN), UNKNOWN, places)
        return self.dropout(self.word(places) + self.piece(pieces).sum(-2))


class WindowNet(nn.Module):  # type: ignore[misc]
    """A convolution over a window of words that judges the one in the middle.

    Every layer sees one word more on each side, so that the last one sees 2 * layers + 1 words.
    Run over a whole text it gives what sliding the window would give.
    """

    def __init__(
        self, words: int, places: int, *, width: int, layers: int, dropout: float, classes: int
    ) -> None:
        super().__init__()
        self.words = Words(words, places, width, dropout)
        self.layers = nn.ModuleList(
            nn.Conv1d(width, width, kernel_size=3, padding=1) for _ in range(layers)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(width, classes)

    def forward(self, rows: Any) -> Any:
        """Scores of each class after every word but the last."""
        seen = (rows[..., 0] != PAD)[..., None]
        x = self.words(rows)
        for layer, norm in zip(self.layers, self.norms, strict=True):
            step = torch.relu(layer((norm(x) * seen).transpose(1, 2)).transpose(1, 2))
            x = x + self.dropout(step)
        return self.out(torch.relu(x))[:, :-1]


class ReaderNet(nn.Module):  # type: ignore[misc]
    """A bidirectional GRU, a second GRU that reads its contexts, attention and late fusion.

    Tilk and Alumäe 2016: the decision before word t is made from what the second GRU knows at t
    and from what attention, steered by its state at t - 1, finds in all contexts. The attended
    vector joins late, through a gate, and does not enter the recurrence.
    """

    def __init__(
        self, words: int, places: int, *, width: int, hidden: int, dropout: float, classes: int
    ) -> None:
        super().__init__()
        self.words = Words(words, places, width, dropout)
        self.both_ways = nn.GRU(width, hidden, batch_first=True, bidirectional=True)
        self.onward = nn.GRU(2 * hidden, hidden, batch_first=True)
        self.of_context = nn.Linear(2 * hidden, hidden)
        self.of_state = nn.Linear(hidden, hidden, bias=False)
        self.energy = nn.Linear(hidden, 1, bias=False)
        self.fuse = nn.Linear(2 * hidden, hidden, bias=False)
        self.gate_found = nn.Linear(hidden, hidden, bias=False)
        self.gate_state = nn.Linear(hidden, hidden)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(hidden, classes)
        for layer in (self.fuse, self.gate_found, self.gate_state, self.out):
            nn.init.zeros_(layer.weight)

    def forward(self, rows: Any) -> Any:
        """Scores of each class after every word but the last."""
        context, _ = self.both_ways(self.words(rows))
        context = self.dropout(context)
        state, _ = self.onward(context[:, 1:])
        found = self.attend(context, state, rows[..., 0] != PAD)
        fused = self.fuse(found)
        gate = torch.sigmoid(self.gate_found(fused) + self.gate_state(state))
        return self.out(self.dropout(fused * gate + state))

    def attend(self, context: Any, state: Any, seen: Any) -> Any:
        """For each state, the contexts weighed by how well they answer the state before it."""
        before = torch.cat([torch.zeros_like(state[:, :1]), state[:, :-1]], dim=1)
        mixed = self.of_context(context)[:, None] + self.of_state(before)[:, :, None]
        energy = self.energy(torch.tanh(mixed)).squeeze(-1)
        energy = energy.masked_fill(~seen[:, None], -CLIP)
        return torch.softmax(energy, dim=-1) @ context
