"""Reading on from texts that were read before, along several continuations at once.

Every lane is a text that grows. A step gives each lane some new pieces, which stay, and branches
to try after them, which are forgotten. The pieces before are not read again: their keys and values
are stored. The pieces of all branches of a lane lie beside each other in one row, and a mask lets
each see its own branch alone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from earmark.text.llama import Llama

if TYPE_CHECKING:
    from torch import Tensor

# Pieces that a lane remembers, and with how many it goes on when that is full. A sentence end is
# decided by the sentence it is in; development talks gained nothing from more.
REMEMBERED = 192
CARRIED = 64


class Request(NamedTuple):
    """What a lane reads next: pieces that stay (one at least), and branches to try after them."""

    pieces: Sequence[int]
    branches: Sequence[Sequence[int]] = ()


class BranchReading(NamedTuple):
    """Log probabilities of a branch's pieces, and of each watched set after each but the last."""

    pieces: list[float]
    watched: list[list[float]]  # [piece][set]


class LaneReading(NamedTuple):
    """What a lane has read: log probabilities of the watched sets, and of each branch."""

    watched: list[float]
    branches: list[BranchReading]


class LlamaCache:
    """Lanes of growing texts; `watched` are sets of pieces whose probabilities are summed."""

    def __init__(
        self, model: Llama, lanes: int, *, first: int, watched: Sequence[Sequence[int]]
    ) -> None:
        import torch

        self.model = model
        self.first = first
        self.watched = [torch.tensor(list(pieces)) for pieces in watched]
        self.texts: list[list[int]] = [[] for _ in range(lanes)]
        shape = model.shape
        size = (shape.layers, lanes, shape.key_heads, REMEMBERED, shape.head_size)
        self.keys = torch.zeros(size, dtype=model.dtype)
        self.values = torch.zeros(size, dtype=model.dtype)

    def start(self, lane: int) -> None:
        """Forget what a lane has read."""
        self.texts[lane] = []

    def step(self, requests: dict[int, Request]) -> dict[int, LaneReading]:
        """Read on in some lanes, by their numbers."""
        import torch

        lanes = list(requests)
        rows = [self._row(lane, requests[lane]) for lane in lanes]
        width = max(len(row.pieces) for row in rows)
        pieces = torch.zeros(len(rows), width, dtype=torch.long)
        positions = torch.zeros(len(rows), width, dtype=torch.long)
        seen = torch.zeros(len(rows), width, REMEMBERED + width, dtype=torch.bool)
        for index, row in enumerate(rows):
            pieces[index, : len(row.pieces)] = torch.tensor(row.pieces)
            row.place(positions[index], seen[index])
        # padding sees itself, so that no softmax is over nothing
        own = torch.arange(width)
        seen[:, own, REMEMBERED + own] = True
        with torch.inference_mode():
            states = self._states(lanes, rows, pieces, positions, seen)
            readings = self._readings(rows, [requests[lane] for lane in lanes], states)
        return dict(zip(lanes, readings, strict=True))

    def _row(self, lane: int, request: Request) -> "_Row":
        """Return the row of a lane; a full memory is emptied and its end read again."""
        text = self.texts[lane]
        new = list(request.pieces)
        before = len(text)
        if not text or before + len(new) > REMEMBERED:
            new = [self.first, *text[-CARRIED:], *new]
            before = 0
            self.texts[lane] = []
        self.texts[lane] += new
        return _Row(before, len(new), new, [list(branch[:-1]) for branch in request.branches])

    def _states(
        self,
        lanes: list[int],
        rows: "list[_Row]",
        pieces: "Tensor",
        positions: "Tensor",
        seen: "Tensor",
    ) -> "Tensor":
        """Return the last states of all rows; what stays is stored. (rows, width, size)."""
        import torch

        groups = self.model.shape.heads // self.model.shape.key_heads
        mask = torch.zeros(seen.shape, dtype=self.model.dtype).masked_fill(~seen, -torch.inf)
        mask = mask.repeat(1, groups, 1)[:, None]  # (S, 1, G T, L + T)

        def attend(layer: int, q: "Tensor", k: "Tensor", v: "Tensor") -> "Tensor":
            before = self.keys[layer, lanes], self.values[layer, lanes]
            for index, (lane, row) in enumerate(zip(lanes, rows, strict=True)):
                stays = slice(row.before, row.before + row.stays)
                self.keys[layer, lane, :, stays] = k[index, :, : row.stays]
                self.values[layer, lane, :, stays] = v[index, :, : row.stays]
            count, heads, width, size = q.shape
            # heads that share keys stand below one another as further queries
            queries = q.reshape(count, heads // groups, groups * width, size)
            mixed = torch.nn.functional.scaled_dot_product_attention(
                queries,
                torch.cat([before[0], k], dim=2),
                torch.cat([before[1], v], dim=2),
                attn_mask=mask,
            )
            return mixed.reshape(count, heads, width, size)

        return self.model.run(pieces, positions, attend)

    def _readings(
        self, rows: "list[_Row]", requests: list[Request], states: "Tensor"
    ) -> list[LaneReading]:
        import torch

        places = [place for index, row in enumerate(rows) for place in row.judged(index)]
        lanes, pieces = torch.tensor(places).T
        logs = self.model.log_probabilities(states[lanes, pieces])  # (places, vocabulary)
        watched = torch.stack([logs[:, ids].logsumexp(-1) for ids in self.watched], dim=-1).tolist()
        readings, start = [], 0
        for row, request in zip(rows, requests, strict=True):
            branches = []
            place = start + 1
            for branch, inside in zip(request.branches, row.branches, strict=True):
                after = [start, *range(place, place + len(inside))]
                branches.append(
                    BranchReading(
                        logs[after, list(branch)].tolist(), [watched[one] for one in after[1:]]
                    )
                )
                place += len(inside)
            readings.append(LaneReading(watched[start], branches))
            start = place
        return readings


class _Row(NamedTuple):
    """A lane's part of a step: what it remembers, what stays, and the branches' pieces."""

    before: int
    stays: int
    new: list[int]
    branches: list[list[int]]

    @property
    def pieces(self) -> list[int]:
        return [*self.new, *(piece for branch in self.branches for piece in branch)]

    def place(self, positions: "Tensor", seen: "Tensor") -> None:
        """Write the pieces' positions in the text, and which pieces each may see."""
        import torch

        end = self.before + self.stays
        stays = torch.arange(self.stays)
        positions[: self.stays] = self.before + stays
        seen[: len(self.pieces), : self.before] = True
        causal = stays[:, None] >= stays[None]
        seen[: self.stays, REMEMBERED : REMEMBERED + self.stays] = causal
        start = self.stays
        for branch in self.branches:
            inside = torch.arange(len(branch))
            stop = start + len(branch)
            positions[start:stop] = end + inside
            seen[start:stop, REMEMBERED : REMEMBERED + self.stays] = True
            seen[start:stop, REMEMBERED + start : REMEMBERED + stop] = (
                inside[:, None] >= inside[None]
            )
            start = stop

    def judged(self, index: int) -> list[tuple[int, int]]:
        """Return the row and column of each state that is needed: from the last that stays on."""
        return [(index, column) for column in range(self.stays - 1, len(self.pieces))]
