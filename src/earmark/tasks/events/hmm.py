"""The window HMM: what was active in each second, given who ticked what in overlapping windows.

MACE takes windows one by one and stacks them afterwards, which smears borders over a window's
length. Here the seconds themselves are hidden: a window's answers depend, person by person, on how
many of its seconds are active. People's tables are shrunk towards everybody's; everything is
fitted by EM.
"""

from dataclasses import dataclass

import numpy as np

from earmark.reconcile.ballots import Floats
from earmark.tasks.events.sheet import Ints, Sheet
from earmark.values.errors import InputError
from earmark.values.progress import track

MOST_CELLS = 12
FLOOR = 1e-4


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the HMM is fitted.

    `shrink` is how many answers' worth the crowd's table weighs in each entry of a person's own.
    Fitting stops after `iterations`, or when the log-likelihood grows by less than `tolerance` of
    itself.
    """

    iterations: int = 25
    shrink: float = 10.0
    tolerance: float = 1e-5

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.shrink <= 0:
            raise InputError(
                "the window HMM needs an iteration and a shrinkage above 0",
                got=f"{self.iterations} iterations, shrink {self.shrink}",
            )


@dataclass(frozen=True, slots=True, eq=False)
class Smoothed:
    """`active`: chance of each cell and label. `says_yes`: people by number of active cells.

    `numbers`: chance of each number of active cells, windows by labels. `moves`: chance of a label
    to switch, labels by before by after.
    """

    active: Floats
    numbers: Floats
    says_yes: Floats
    moves: Floats
    log_likelihood: float

    def doubt(self) -> Floats:
        """Entropy of each cell in bits: 0 sure, 1 no idea."""
        chance = np.clip(self.active, 1e-12, 1 - 1e-12)
        bits = -(chance * np.log2(chance) + (1 - chance) * np.log2(1 - chance))
        return np.clip(bits, 0.0, 1.0)

    def competence(self) -> Floats:
        """Chance to tick a fully active window less the chance to tick a silent one."""
        return np.clip(self.says_yes[:, -1] - self.says_yes[:, 0], 0.0, 1.0)


def window_hmm(sheet: Sheet, recipe: Recipe | None = None) -> Smoothed:
    """Fit the HMM and smooth every label of every recording."""
    recipe = recipe or Recipe()
    if not 2 <= sheet.cells <= MOST_CELLS:
        raise InputError(
            "the window HMM needs windows of 2 to 12 hops",
            got=f"{sheet.cells} hops",
            fix="ask with another window or hop, or reconcile by mace",
        )
    says_yes = np.repeat(_starting_table(sheet)[None], len(sheet.people), axis=0)
    moves = np.tile(np.array([[0.97, 0.03], [0.1, 0.9]]), (len(sheet.labels), 1, 1))
    before = -np.inf
    for _ in track(range(recipe.iterations), label="window HMM"):
        found = _expected(sheet, says_yes, moves)
        if found.log_likelihood - before < recipe.tolerance * abs(found.log_likelihood):
            break
        before = found.log_likelihood
        says_yes, moves = _tables(sheet, found.numbers, recipe.shrink), found.moves
    return found


def _starting_table(sheet: Sheet) -> Floats:
    """Hardly anybody hears what is not there; the longer it sounds, the more do."""
    cells = np.arange(sheet.cells + 1) * sheet.hop
    return np.clip(0.9 * (1 - np.exp(-cells / 2.0)) + 0.01, FLOOR, 1 - FLOOR)


def _expected(sheet: Sheet, says_yes: Floats, moves: Floats) -> Smoothed:
    """The E-step: smooth with the tables as they are, and count moves for the next."""
    from earmark.tasks.events.hmm_kernel import smooth

    likelihood = _likelihood(sheet, says_yes)
    scale = likelihood.max(axis=2)
    likelihood = np.exp(likelihood - scale[:, :, None])
    counts = _bit_counts(sheet.cells)
    ends, labels = sheet.cell_starts(), len(sheet.labels)
    active = np.zeros((ends[-1], labels))
    numbers = np.zeros((sheet.windows, labels, sheet.cells + 1))
    moved = np.zeros((labels, 2, 2))
    total = float(scale.sum())
    for k in range(labels):
        begin = np.array([moves[k, 1, 0], moves[k, 0, 1]]) / (moves[k, 1, 0] + moves[k, 0, 1])
        for r in range(len(sheet.recordings)):
            rows = slice(sheet.starts[r], sheet.starts[r + 1])
            on = np.zeros(ends[r + 1] - ends[r])
            block = np.ascontiguousarray(likelihood[rows, k])
            gained, numbers[rows, k] = smooth(block, counts, (begin, moves[k]), on, moved[k])
            active[ends[r] : ends[r + 1], k] = on
            total += gained
    moved = (moved + 1.0) / (moved + 1.0).sum(axis=2, keepdims=True)
    return Smoothed(np.clip(active, 0, 1), numbers, says_yes, moved, total)


def _likelihood(sheet: Sheet, says_yes: Floats) -> Floats:
    from earmark.tasks.events.hmm_kernel import weigh

    scores = np.zeros((sheet.windows, len(sheet.labels), sheet.cells + 1))
    logs = np.log(np.stack([1 - says_yes, says_yes], axis=2))
    weigh(sheet.window, sheet.person, sheet.yes, logs, scores)
    return scores


def _tables(sheet: Sheet, numbers: Floats, shrink: float) -> Floats:
    """The M-step for people: their own counts, shrunk towards everybody's."""
    from earmark.tasks.events.hmm_kernel import add_up

    table = np.zeros((len(sheet.people), sheet.cells + 1, 2))
    add_up(sheet.window, sheet.person, sheet.yes, numbers, table)
    pool = table.sum(axis=0)
    crowd = np.maximum.accumulate((pool[:, 1] + 0.5) / (pool[:, 0] + 1.0))
    own = (table[:, :, 1] + shrink * crowd) / (table[:, :, 0] + shrink)
    return np.clip(own, FLOOR, 1 - FLOOR)


def _bit_counts(cells: int) -> Ints:
    return np.array([state.bit_count() for state in range(1 << cells)], dtype=np.int64)
