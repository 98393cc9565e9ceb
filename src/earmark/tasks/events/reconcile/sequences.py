"""Sequence models of the field, on cells: HMM-crowd and Bayesian sequence combination.

Both were made for words: a chain of true labels, and for each person a confusion table, P(what they
say | what is true). Here the words are the cells of a recording (seconds, by default), label by
label, and a person who ticks a window says yes to each of its cells. That a tick may come from one
cell of ten they cannot know, which is what the window HMM adds.

- HMM-crowd (Nguyen et al. 2017): chain by maximum likelihood, people's tables by variational Bayes
  with a flat prior, so that nobody's table has a 0.
- BSC (Simpson and Gurevych 2019), with their annotator model CM: chain and tables by variational
  Bayes, with priors that take people for better than guessing. Their model SEQ lets a person's
  answer depend on their answer about the cell before, which is the same within a window: it has
  nothing to learn here.

Neither uses the sound, as their authors' models use the words. Tables are shared by all labels, as
MACE's competence is; each label has a chain of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.tasks.events.reconcile.window_answers import WindowAnswers, activity

# Counts added to every cell of a table by HMM-crowd: one answer, as its authors' smoothing.
FLAT = 1.0

# Counts that BSC's priors are worth: one wrong answer and ten right ones; moves of a chain, of
# which cells that stay as they are count ten times. Chosen by hand on development crowds.
WRONG, RIGHT, MOVE, STAY = 1.0, 10.0, 1.0, 10.0

# The fit stops when no cell's probability changes by more.
SETTLED = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """A fitted chain of cells, and what its parameters weigh."""

    active: Floats  # (all cells, labels)
    likelihood: Floats  # (all cells, labels, 2): of the answers, the likelier state having 1
    first: Floats  # (labels, 2)
    move: Floats  # (labels, 2, 2)
    tables: Floats  # (people, 2, 2): P(answer no or yes | state), by state and answer

    def competence(self) -> Floats:
        """Return P(yes | active) - P(yes | inactive), not below 0; shape (people,)."""
        return np.clip(self.tables[:, 1, 1] - self.tables[:, 0, 1], 0.0, 1.0)


def hmm_crowd(answers: WindowAnswers, *, iterations: int) -> Sequence:
    """Fit HMM-crowd by EM."""

    def parameters(tables: Floats, first: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        # one move of each kind is added, so that a label which never sounds keeps a chain
        return variational(tables + FLAT), shares(first + 1.0), shares(moves + 1.0)

    return _fitted(answers, iterations, parameters)


def bsc(answers: WindowAnswers, *, iterations: int) -> Sequence:
    """Fit Bayesian sequence combination by variational Bayes."""
    right, stay = np.eye(2) * (RIGHT - WRONG) + WRONG, np.eye(2) * (STAY - MOVE) + MOVE

    def parameters(tables: Floats, first: Floats, moves: Floats) -> tuple[Floats, Floats, Floats]:
        return variational(tables + right), variational(first + MOVE), variational(moves + stay)

    return _fitted(answers, iterations, parameters)


def variational(counts: Floats) -> Floats:
    """Return exp(E[log p]) of a Dirichlet distribution with these counts, along the last axis.

    Examples
    --------
    >>> variational(np.array([1.0, 1.0])).round(4).tolist()  # exp(digamma(1) - digamma(2)) = 1 / e
    [0.3679, 0.3679]
    """
    from scipy.special import digamma

    return np.asarray(np.exp(digamma(counts) - digamma(counts.sum(axis=-1, keepdims=True))))


def shares(counts: Floats) -> Floats:
    """Return counts as shares of their sum, along the last axis."""
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))


def _fitted(
    answers: WindowAnswers,
    iterations: int,
    parameters: Callable[[Floats, Floats, Floats], tuple[Floats, Floats, Floats]],
) -> Sequence:
    """Alternate between cells and parameters, from the share of votes for each cell."""
    labels = len(answers.labels)
    active = np.clip(np.nan_to_num(activity(answers, *answers.votes()), nan=0.5), 0.01, 0.99)
    # before anything is smoothed, a cell stays as it is ten times out of eleven
    first, moves = np.zeros((labels, 2)), np.tile(STAY * np.eye(2), (labels, 1, 1))
    for _ in track(range(iterations), label="sequence model"):
        tables, first, move = parameters(table_counts(answers, active), first, moves)
        sequence, first, moves = _smoothed(answers, tables, first, move)
        moved = float(np.abs(sequence.active - active).max())
        active = sequence.active
        if moved < SETTLED:
            break
    return sequence


def table_counts(answers: WindowAnswers, active: Floats) -> Floats:
    """Return how many cells each person said no and yes to, by state: (people, 2, 2)."""
    starts = answers.cell_starts()
    sums = np.zeros((answers.windows, active.shape[1]))
    for r in range(len(answers.recordings)):
        windows = answers.starts[r + 1] - answers.starts[r]
        for k in range(answers.cells):
            sums[answers.starts[r] : answers.starts[r + 1]] += active[
                starts[r] + k : starts[r] + k + windows
            ]
    sounding = sums[answers.window]  # (answers, labels): active cells of the window
    counts = np.zeros((len(answers.people), 2, 2))
    for said, mask in enumerate((~answers.yes, answers.yes)):
        for state, cells in enumerate((answers.cells - sounding, sounding)):
            np.add.at(counts[:, state, said], answers.person, (cells * mask).sum(axis=1))
    return counts


def _smoothed(
    answers: WindowAnswers, tables: Floats, first: Floats, move: Floats
) -> tuple[Sequence, Floats, Floats]:
    """Smooth all cells; also return expected first states (labels, 2) and moves (labels, 2, 2)."""
    from earmark.tasks.events.reconcile.sequence_kernel import smooth_cells

    likelihood = _likelihood(answers, tables)
    active = np.zeros(likelihood.shape[:2])
    begins, moves = np.zeros_like(first), np.zeros_like(move)
    starts = answers.cell_starts()
    for r in range(len(answers.recordings)):
        cells = slice(starts[r], starts[r + 1])
        for k in range(len(answers.labels)):
            block = np.ascontiguousarray(likelihood[cells, k])
            smoothed = smooth_cells(block, first[k], move[k])
            active[cells, k] = smoothed.active
            begins[k] += [1 - smoothed.active[0], smoothed.active[0]]
            moves[k] += smoothed.moves
    return Sequence(active, likelihood, first, move, tables), begins, moves


def _likelihood(answers: WindowAnswers, tables: Floats) -> Floats:
    """Return the likelihood of all answers about each cell, the likelier state having 1."""
    log = np.log(tables)
    per_window = np.zeros((answers.windows, len(answers.labels), 2))
    said = answers.yes.astype(np.int64)
    for state in range(2):
        own = log[answers.person[:, None], state, said]  # (answers, labels)
        np.add.at(per_window[:, :, state], answers.window, own)
    per_cell = answers.sum_over_windows(per_window)
    likelihood = np.exp(per_cell - per_cell.max(axis=2, keepdims=True))
    return np.asarray(np.maximum(likelihood, 1e-300))


def sampled_cells(
    answers: WindowAnswers, sequence: Sequence, *, draws: int, seed: int
) -> dict[str, dict[str, Bools]]:
    """Return joint draws of all cells by recording and label, each (draws, cells)."""
    from earmark.tasks.events.reconcile.sequence_kernel import draw_cells

    starts = answers.cell_starts()
    paths: dict[str, dict[str, Bools]] = {}
    for r, recording in enumerate(answers.recordings):
        own = paths[recording] = {}
        for k, label in enumerate(answers.labels):
            block = np.ascontiguousarray(sequence.likelihood[starts[r] : starts[r + 1], k])
            uniform = stream(seed, "sequence", recording, label).random((draws, len(block)))
            own[label] = draw_cells(block, sequence.first[k], sequence.move[k], uniform)
    return paths
