"""The two networks: a convolution over a window of words, and a recurrent one with attention.

The names of the layers are the names of the weights in model files, so they stay as they are.
Shapes: B pieces of a batch, T words of a piece and one after it, H units.
"""

import torch
from torch import nn

from earmark.tasks.boundaries.run.vocabulary import AFFIXES, PAD, SPECIAL, UNKNOWN

# The standard deviation that vectors of words, and of all affixes of one together, begin with, and
# the share of it that affixes have beside vectors of a language model. Chosen by hand.
WORD_SPREAD, AFFIXES_LATER = 0.3, 0.3
MASKED = -1e4  # an attention score that softmax turns into 0, also in half precision


class WordVectors(nn.Module):  # type: ignore[misc]
    """Word vectors: the word's own plus those of its prefixes and suffixes.

    While training, known words are sometimes taken for unknown ones, so that the affixes learn to
    represent words that the vocabulary lacks.
    """

    def __init__(self, words: int, buckets: int, width: int, dropout: float) -> None:
        super().__init__()
        self.word = nn.Embedding(words, width, padding_idx=PAD)
        self.piece = nn.Embedding(buckets, width, padding_idx=PAD)
        nn.init.normal_(self.word.weight, std=WORD_SPREAD)
        nn.init.normal_(self.piece.weight, std=WORD_SPREAD / AFFIXES**0.5)
        with torch.no_grad():
            self.word.weight[PAD] = 0
            self.piece.weight[PAD] = 0
        self.unknown_rate = dropout / 4  # chosen by hand; not tuned
        self.dropout = nn.Dropout(dropout)

    def start_from(self, vectors: torch.Tensor) -> None:
        """Begin with other vectors of the known words (words, width), as long as the drawn ones."""
        with torch.no_grad():
            self.word.weight[SPECIAL:] = vectors * (WORD_SPREAD / vectors.std())
            # what affixes say is in such vectors already; they begin as corrections
            self.piece.weight.mul_(AFFIXES_LATER)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, T, width) of rows (B, T, 1 + affixes)."""
        words, affixes = rows[..., 0], rows[..., 1:]
        if self.training and self.unknown_rate:
            hidden = torch.rand(words.shape) < self.unknown_rate
            words = torch.where(hidden & (words > UNKNOWN), UNKNOWN, words)
        vectors: torch.Tensor = self.dropout(self.word(words) + self.piece(affixes).sum(-2))
        return vectors


class WindowNetwork(nn.Module):  # type: ignore[misc]
    """A convolution over a window of words that judges the one in the middle.

    Every layer sees one word more on each side, so that the last one sees 2 * layers + 1 words.
    Run over a whole text it gives what sliding the window would give.
    """

    def __init__(
        self, words: int, buckets: int, *, width: int, layers: int, dropout: float, classes: int
    ) -> None:
        super().__init__()
        self.words = WordVectors(words, buckets, width, dropout)
        self.layers = nn.ModuleList(
            nn.Conv1d(width, width, kernel_size=3, padding=1) for _ in range(layers)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(width, classes)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return scores (B, T - 1, classes) of what comes after every word but the last."""
        is_word = (rows[..., 0] != PAD)[..., None]  # (B, T, 1)
        x = self.words(rows)  # (B, T, width)
        for layer, norm in zip(self.layers, self.norms, strict=True):
            step = torch.relu(layer((norm(x) * is_word).transpose(1, 2)).transpose(1, 2))
            x = x + self.dropout(step)
        scores: torch.Tensor = self.out(torch.relu(x))[:, :-1]
        return scores


class AttentionNetwork(nn.Module):  # type: ignore[misc]
    """A bidirectional GRU, a second GRU that reads its contexts, attention and late fusion.

    Tilk and Alumäe 2016: the decision before word t is made from what the second GRU knows at t
    and from what attention, steered by its state at t - 1, reads from all contexts. The attended
    vector joins late, through a gate, and does not enter the recurrence.
    """

    def __init__(
        self, words: int, buckets: int, *, width: int, hidden: int, dropout: float, classes: int
    ) -> None:
        super().__init__()
        self.words = WordVectors(words, buckets, width, dropout)
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
        # As in the authors' code: output and fusion start from zero.
        for layer in (self.fuse, self.gate_found, self.gate_state, self.out):
            nn.init.zeros_(layer.weight)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return scores (B, T - 1, classes) of what comes after every word but the last."""
        context, _ = self.both_ways(self.words(rows))  # (B, T, 2 H)
        context = self.dropout(context)
        state, _ = self.onward(context[:, 1:])  # (B, T - 1, H)
        attended = self.attend(context, state, rows[..., 0] != PAD)
        fused = self.fuse(attended)  # (B, T - 1, H)
        gate = torch.sigmoid(self.gate_found(fused) + self.gate_state(state))
        scores: torch.Tensor = self.out(self.dropout(fused * gate + state))
        return scores

    def attend(
        self, context: torch.Tensor, state: torch.Tensor, is_word: torch.Tensor
    ) -> torch.Tensor:
        """Return for each state the contexts (B, T - 1, 2 H), weighted by the state before it."""
        previous = torch.cat([torch.zeros_like(state[:, :1]), state[:, :-1]], dim=1)
        mixed = self.of_context(context)[:, None] + self.of_state(previous)[:, :, None]
        energy = self.energy(torch.tanh(mixed)).squeeze(-1)  # (B, T - 1, T)
        energy = energy.masked_fill(~is_word[:, None], MASKED)
        return torch.softmax(energy, dim=-1) @ context
