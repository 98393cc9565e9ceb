"""The window HMM: what was active in each cell, given who ticked what in overlapping windows.

MACE decides windows one by one and stacks them afterwards, which smears borders over a window's
length. Here the cells themselves (seconds, by default) are hidden: a window's answers depend,
person by person, on its column, that is, on how many of its cells are active and on how audible
the event is, which all windows that hold it share. `hmm_kernel` has the passes over one recording;
this module fits the model by EM, each person's table being shrunk towards the crowd's.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.stats.draw import stream
from earmark.stats.information import binary_entropy
from earmark.task.progress import track
from earmark.tasks.events.reconcile.options import WindowHmmOptions
from earmark.tasks.events.reconcile.window_answers import WindowAnswers
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.events.reconcile.hmm_kernel import LabelChain

# A window of 12 cells has 4,096 patterns per level; every further cell doubles time and memory.
MOST_CELLS = 12

# Probabilities of an answer stay this far from 0 and 1: no single answer rules out a column.
FLOOR = 1e-4

# The fit stops when the log-likelihood grows by less than this share of itself.
TOLERANCE = 1e-5

# Where EM starts; chosen by hand on development crowds (seeds 1 to 4).
# Probability to tick a window full of the sound, by level: clear, faint, between. A model of one
# or two levels takes the first ones.
AUDIBILITY = (0.9, 0.3, 0.6)
# Seconds of a sound after which two thirds of that is reached, and probability of a false yes.
NOTICED_AFTER, FALSE_YES = 2.0, 0.01
# Cell before by cell after: with cells of a second, events of 10 s and pauses of 33 s on average.
MOVES = ((0.97, 0.03), (0.1, 0.9))


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """For each label, how probable moves between cells and levels of audibility are."""

    moves: Floats  # (labels, 2, 2): cell before, cell after
    levels: Floats  # (labels, levels)

    def of(self, label: int) -> "LabelChain":
        """Return the chain of one label; its first cell is drawn from the stationary state."""
        from earmark.tasks.events.reconcile.hmm_kernel import ACTIVE, INACTIVE, LabelChain

        ends = self.moves[label, ACTIVE, INACTIVE]
        begins = self.moves[label, INACTIVE, ACTIVE]
        first = np.array([ends, begins]) / (ends + begins)
        return LabelChain(first, self.moves[label], self.levels[label])


@dataclass(frozen=True, slots=True, eq=False)
class Smoothed:
    """The fitted model. Column `level * (C + 1) + n` means n of C active cells on that level."""

    active: Floats  # (all cells, labels): probability that a cell is active
    columns: Floats  # (windows, labels, columns): probability of a window's column
    says_yes: Floats  # (people, columns): probability that a person ticks the label
    chain: Chain
    log_likelihood: float

    def doubt(self) -> Floats:
        """Return the entropy of each cell in bits: 0 certain, 1 undecided."""
        return binary_entropy(self.active)

    def competence(self) -> Floats:
        """Return how well each person tells a window full of a clear sound from a silent one.

        The probability to tick the first less that to tick the second, between 0 and 1; shape
        (people,).
        """
        columns_per_level = self.says_yes.shape[1] // self.chain.levels.shape[1]
        full, silent = self.says_yes[:, columns_per_level - 1], self.says_yes[:, 0]
        return np.clip(full - silent, 0.0, 1.0)


def window_hmm(answers: WindowAnswers, options: WindowHmmOptions = WindowHmmOptions()) -> Smoothed:
    """Fit the HMM by EM and smooth every label of every recording.

    Raise InputError if a window lasts fewer than 2 or more than 12 hops.
    """
    if not 2 <= answers.cells <= MOST_CELLS:
        raise InputError(
            f"the window HMM needs windows of 2 to {MOST_CELLS} hops",
            got=f"{answers.cells} hops",
            fix="ask with another window or hop, or reconcile by mace",
        )
    labels = len(answers.labels)
    everybody = _starting_table(answers, options.levels)
    says_yes = np.repeat(everybody[None], len(answers.people), axis=0)
    chain = Chain(
        np.tile(np.array(MOVES), (labels, 1, 1)),
        np.full((labels, options.levels), 1 / options.levels),
    )
    before = -np.inf
    for _ in track(range(options.iterations), label="window HMM"):
        smoothed, next_chain = _expectation(answers, says_yes, chain)
        if smoothed.log_likelihood - before < TOLERANCE * abs(smoothed.log_likelihood):
            break
        before = smoothed.log_likelihood
        says_yes, chain = _people_tables(answers, smoothed.columns, options), next_chain
    return smoothed


def _starting_table(answers: WindowAnswers, levels: int) -> Floats:
    """Return the probability of a yes in each column from which EM starts: (columns,)."""
    seconds = np.arange(answers.cells + 1) * answers.hop
    noticed = 1 - np.exp(-seconds / NOTICED_AFTER)
    rows = [audibility * noticed + FALSE_YES for audibility in AUDIBILITY[:levels]]
    return np.asarray(np.clip(np.concatenate(rows), FLOOR, 1 - FLOOR))


def _expectation(answers: WindowAnswers, says_yes: Floats, chain: Chain) -> tuple[Smoothed, Chain]:
    """Run the E-step with the parameters as they are; also return the chain for the next one."""
    from earmark.tasks.events.reconcile.hmm_kernel import ExpectedCounts, smooth

    likelihood, scale = _likelihood(answers, says_yes)
    sizes = _sizes(answers.cells)
    by_level = (-1, chain.levels.shape[1], answers.cells + 1)
    starts, labels = answers.cell_starts(), len(answers.labels)
    active, columns = np.zeros((starts[-1], labels)), np.zeros_like(likelihood)
    # one of everything has been seen before: no move and no level ever gets probability 0
    moves, begins = np.ones_like(chain.moves), np.ones_like(chain.levels)
    total = float(scale.sum())
    for k in range(labels):
        for r in range(len(answers.recordings)):
            windows = slice(answers.starts[r], answers.starts[r + 1])
            block = np.ascontiguousarray(likelihood[windows, k]).reshape(by_level)
            recording = smooth(block, sizes, chain.of(k), ExpectedCounts(moves[k], begins[k]))
            columns[windows, k] = recording.columns.reshape(len(block), -1)
            active[starts[r] : starts[r + 1], k] = recording.active
            total += recording.log_likelihood
    smoothed = Smoothed(np.clip(active, 0, 1), columns, says_yes, chain, total)
    return smoothed, Chain(_normalised(moves), _normalised(begins))


def sampled_paths(
    answers: WindowAnswers, smoothed: Smoothed, *, draws: int, seed: int
) -> dict[str, dict[str, Bools]]:
    """Return joint draws of all cells by recording and label, each (draws, cells).

    The parameters are those of the fit; draws come from (seed, recording, label).
    """
    from earmark.tasks.events.reconcile.path_kernel import draw_paths

    likelihood, _ = _likelihood(answers, smoothed.says_yes)
    sizes = _sizes(answers.cells)
    by_level = (-1, smoothed.chain.levels.shape[1], answers.cells + 1)
    paths: dict[str, dict[str, Bools]] = {}
    for r, recording in enumerate(answers.recordings):
        windows = slice(answers.starts[r], answers.starts[r + 1])
        own = paths[recording] = {}
        for k, label in enumerate(answers.labels):
            block = np.ascontiguousarray(likelihood[windows, k]).reshape(by_level)
            uniform = stream(seed, "window-hmm", recording, label).random((draws, len(block)))
            own[label] = draw_paths(block, sizes, smoothed.chain.of(k), uniform)
    return paths


def _likelihood(answers: WindowAnswers, says_yes: Floats) -> tuple[Floats, Floats]:
    """Return the likelihood (windows, labels, columns), and the logarithm it was scaled by.

    The best column of each window and label gets likelihood 1, so that none underflows.
    """
    log_likelihood = _log_likelihood(answers, says_yes)
    scale = log_likelihood.max(axis=2)
    return np.exp(log_likelihood - scale[:, :, None]), scale


def _sizes(cells: int) -> Ints:
    """Return how many cells of each pattern are active."""
    return np.array([n.bit_count() for n in range(1 << cells)], dtype=np.int64)


def _normalised(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def _log_likelihood(answers: WindowAnswers, says_yes: Floats) -> Floats:
    """Return the log-likelihood of all answers about each window: (windows, labels, columns)."""
    from earmark.tasks.events.reconcile.hmm_kernel import add_log_likelihoods

    totals = np.zeros((answers.windows, len(answers.labels), says_yes.shape[1]))
    log_answer = np.log(np.stack([1 - says_yes, says_yes], axis=1))
    add_log_likelihoods(answers.window, answers.person, answers.yes, log_answer, totals)
    return totals


def _people_tables(answers: WindowAnswers, columns: Floats, options: WindowHmmOptions) -> Floats:
    """Run the M-step for people: their own counts, shrunk towards the crowd's.

    Return each person's probability of a yes by column. With no active cell there is nothing to
    hear, so all levels share that column; the crowd says yes no less often the more cells are
    active, on every level.
    """
    from earmark.tasks.events.reconcile.hmm_kernel import YES, add_expected_answers

    flat = np.zeros((len(answers.people), columns.shape[2], 2))
    add_expected_answers(answers.window, answers.person, answers.yes, columns, flat)
    table = flat.reshape(len(answers.people), options.levels, answers.cells + 1, 2)
    table[:, :, 0] = table[:, :, 0].sum(axis=1, keepdims=True)
    pool = table.sum(axis=0)
    # half a yes and half a no more than were counted, so that an empty column has an opinion too
    share = (pool[..., YES] + 0.5) / (pool.sum(axis=-1) + 1.0)
    crowd = np.maximum.accumulate(share, axis=1)
    own = (table[..., YES] + options.shrink * crowd) / (table.sum(axis=-1) + options.shrink)
    return np.asarray(np.clip(own, FLOOR, 1 - FLOOR)).reshape(len(answers.people), -1)
