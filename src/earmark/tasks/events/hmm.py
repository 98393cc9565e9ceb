"""The window HMM: what was active in each second, given who ticked what in overlapping windows.

MACE takes windows one by one and stacks them afterwards, which smears borders over a window's
length. Here the seconds themselves are hidden: a window's answers depend, person by person, on how
many of its seconds are active and on how audible the event is, which all its windows share.
People's tables are shrunk towards everybody's; everything is fitted by EM.
"""

from dataclasses import dataclass

import numpy as np

from earmark.reconcile.ballots import Floats
from earmark.task.progress import track
from earmark.tasks.events.sheet import Sheet
from earmark.values.errors import InputError

MOST_CELLS = 12
FLOOR = 1e-4
HEARD = (0.9, 0.3, 0.6)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the HMM is fitted.

    `levels` of audibility an event can have, 1 to 3. `shrink` is how many answers' worth the
    crowd's table weighs in each entry of a person's own. Fitting stops after `iterations`, or when
    the log-likelihood grows by less than `tolerance` of itself.
    """

    levels: int = 3
    iterations: int = 12
    shrink: float = 10.0
    tolerance: float = 1e-5

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.shrink <= 0 or not 1 <= self.levels <= len(HEARD):
            raise InputError(
                "the window HMM needs an iteration, a shrinkage above 0, and 1 to 3 levels",
                got=f"{self.iterations} iterations, shrink {self.shrink}, {self.levels} levels",
            )


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """By label: chance to switch (before by after), and chance of each level of audibility."""

    moves: Floats
    levels: Floats

    def of(self, label: int) -> tuple[Floats, Floats, Floats]:
        """What the passes need for one label; the first cell is drawn from the long run."""
        off, on = self.moves[label, 1, 0], self.moves[label, 0, 1]
        return np.array([off, on]) / (off + on), self.moves[label], self.levels[label]


@dataclass(frozen=True, slots=True, eq=False)
class Smoothed:
    """`active`: chance of each cell and label. `says_yes`: people by column.

    A column is a level of audibility and a number of active cells. `numbers`: chance of each
    column, windows by labels. `chain`: how labels switch and how audible they are.
    """

    active: Floats
    numbers: Floats
    says_yes: Floats
    chain: Chain
    log_likelihood: float

    def doubt(self) -> Floats:
        """Entropy of each cell in bits: 0 sure, 1 no idea."""
        return binary_entropy(self.active)

    def competence(self) -> Floats:
        """Chance to tick a window full of a clear sound less the chance to tick a silent one."""
        cells = self.says_yes.shape[1] // self.chain.levels.shape[1]
        return np.clip(self.says_yes[:, cells - 1] - self.says_yes[:, 0], 0.0, 1.0)


def binary_entropy(chance: Floats) -> Floats:
    """Entropy of a yes with that chance, in bits."""
    safe = np.clip(chance, 1e-12, 1 - 1e-12)
    bits = -(safe * np.log2(safe) + (1 - safe) * np.log2(1 - safe))
    return np.clip(bits, 0.0, 1.0)


def window_hmm(sheet: Sheet, recipe: Recipe | None = None) -> Smoothed:
    """Fit the HMM and smooth every label of every recording."""
    recipe = recipe or Recipe()
    if not 2 <= sheet.cells <= MOST_CELLS:
        raise InputError(
            "the window HMM needs windows of 2 to 12 hops",
            got=f"{sheet.cells} hops",
            fix="ask with another window or hop, or reconcile by mace",
        )
    labels = len(sheet.labels)
    says_yes = np.repeat(_starting_table(sheet, recipe.levels)[None], len(sheet.people), axis=0)
    moves = np.tile(np.array([[0.97, 0.03], [0.1, 0.9]]), (labels, 1, 1))
    chain = Chain(moves, np.full((labels, recipe.levels), 1 / recipe.levels))
    before = -np.inf
    for _ in track(range(recipe.iterations), label="window HMM"):
        found, after = _expected(sheet, says_yes, chain)
        if found.log_likelihood - before < recipe.tolerance * abs(found.log_likelihood):
            break
        before = found.log_likelihood
        says_yes, chain = _tables(sheet, found.numbers, recipe), after
    return found


def _starting_table(sheet: Sheet, levels: int) -> Floats:
    """Hardly anybody hears what is not there; the longer it sounds, the more do."""
    cells = np.arange(sheet.cells + 1) * sheet.hop
    rows = [heard * (1 - np.exp(-cells / 2.0)) + 0.01 for heard in HEARD[:levels]]
    return np.asarray(np.clip(np.concatenate(rows), FLOOR, 1 - FLOOR))


def _expected(sheet: Sheet, says_yes: Floats, chain: Chain) -> tuple[Smoothed, Chain]:
    """The E-step: smooth with the tables as they are; also the chain that fits what was found."""
    from earmark.tasks.events.hmm_kernel import smooth

    likelihood = _likelihood(sheet, says_yes)
    scale = likelihood.max(axis=2)
    likelihood = np.exp(likelihood - scale[:, :, None])
    sizes = np.array([n.bit_count() for n in range(1 << sheet.cells)], dtype=np.int64)
    shape = (-1, chain.levels.shape[1], sheet.cells + 1)
    ends, labels = sheet.cell_starts(), len(sheet.labels)
    active, numbers = np.zeros((ends[-1], labels)), np.zeros_like(likelihood)
    moved, begun = np.ones_like(chain.moves), np.ones_like(chain.levels)
    total = float(scale.sum())
    for k in range(labels):
        for r in range(len(sheet.recordings)):
            rows = slice(sheet.starts[r], sheet.starts[r + 1])
            on = np.zeros(ends[r + 1] - ends[r])
            block = np.ascontiguousarray(likelihood[rows, k]).reshape(shape)
            gained, found = smooth(block, sizes, chain.of(k), on, (moved[k], begun[k]))
            numbers[rows, k] = found.reshape(len(found), -1)
            active[ends[r] : ends[r + 1], k] = on
            total += gained
    smoothed = Smoothed(np.clip(active, 0, 1), numbers, says_yes, chain, total)
    return smoothed, Chain(_shares(moved), _shares(begun))


def _shares(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def _likelihood(sheet: Sheet, says_yes: Floats) -> Floats:
    from earmark.tasks.events.hmm_kernel import weigh

    scores = np.zeros((sheet.windows, len(sheet.labels), says_yes.shape[1]))
    logs = np.log(np.stack([1 - says_yes, says_yes], axis=1))
    weigh(sheet.window, sheet.person, sheet.yes, logs, scores)
    return scores


def _tables(sheet: Sheet, numbers: Floats, recipe: Recipe) -> Floats:
    """The M-step for people: their own counts, shrunk towards everybody's.

    With no active cell there is nothing to hear, so all levels share that column; the more cells
    are active, the more people hear, on every level.
    """
    from earmark.tasks.events.hmm_kernel import add_up

    flat = np.zeros((len(sheet.people), numbers.shape[2], 2))
    add_up(sheet.window, sheet.person, sheet.yes, numbers, flat)
    table = flat.reshape(len(sheet.people), recipe.levels, sheet.cells + 1, 2)
    table[:, :, 0] = table[:, :, 0].sum(axis=1, keepdims=True)
    pool = table.sum(axis=0)
    crowd = np.maximum.accumulate((pool[..., 1] + 0.5) / (pool.sum(axis=-1) + 1.0), axis=1)
    own = (table[..., 1] + recipe.shrink * crowd) / (table.sum(axis=-1) + recipe.shrink)
    return np.asarray(np.clip(own, FLOOR, 1 - FLOOR)).reshape(len(sheet.people), -1)
