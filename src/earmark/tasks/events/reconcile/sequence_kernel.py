"""Compiled passes over a chain of two states: a cell is inactive or active, and that is all.

The sequence models of `sequences` use it; the window HMM's chain of patterns is in `hmm_kernel`.
Weights need not add up to 1, as those of variational Bayes do not.
"""

from typing import NamedTuple

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.kernels import njit


class SmoothedCells(NamedTuple):
    """What all answers together say about the cells of one label in one recording."""

    log_likelihood: float
    active: Floats  # (cells,)
    moves: Floats  # (2, 2): expected number of moves, cell before by cell after


@njit(cache=True)  # type: ignore[untyped-decorator]
def _forward(likelihood: Floats, first: Floats, move: Floats, states: Floats) -> float:
    """Fill `states` (cells, 2) with the filtered probabilities; return the log-likelihood."""
    total = 0.0
    for t in range(len(likelihood)):
        for after in range(2):
            if t == 0:
                weight = first[after]
            else:
                weight = states[t - 1, 0] * move[0, after] + states[t - 1, 1] * move[1, after]
            states[t, after] = weight * likelihood[t, after]
        mass = states[t, 0] + states[t, 1]
        states[t, 0] /= mass
        states[t, 1] /= mass
        total += np.log(mass)
    return total


@njit(cache=True)  # type: ignore[untyped-decorator]
def smooth_cells(likelihood: Floats, first: Floats, move: Floats) -> SmoothedCells:
    """Run the forward and the backward pass; `likelihood` is (cells, 2)."""
    cells = len(likelihood)
    states = np.empty((cells, 2))
    total = _forward(likelihood, first, move, states)
    active, moves = np.empty(cells), np.zeros((2, 2))
    active[cells - 1] = states[cells - 1, 1]
    later = np.ones(2)
    for t in range(cells - 2, -1, -1):
        joint = np.empty((2, 2))
        for before in range(2):
            for after in range(2):
                step = move[before, after] * likelihood[t + 1, after] * later[after]
                joint[before, after] = states[t, before] * step
        mass = joint.sum()
        moves += joint / mass
        active[t] = joint[1].sum() / mass
        for before in range(2):
            later[before] = joint[before].sum() / (states[t, before] * mass)
    return SmoothedCells(total, active, moves)


@njit(cache=True)  # type: ignore[untyped-decorator]
def draw_cells(likelihood: Floats, first: Floats, move: Floats, uniform: Floats) -> Bools:
    """Return joint draws of all cells, shape (draws, cells) as `uniform` has it."""
    draws, cells = uniform.shape
    states = np.empty((cells, 2))
    _forward(likelihood, first, move, states)
    paths = np.zeros((draws, cells), dtype=np.bool_)
    for draw in range(draws):
        later = uniform[draw, cells - 1] < states[cells - 1, 1]
        paths[draw, cells - 1] = later
        for t in range(cells - 2, -1, -1):
            after = 1 if later else 0
            sounding = states[t, 1] * move[1, after]
            silent = states[t, 0] * move[0, after]
            later = uniform[draw, t] * (sounding + silent) < sounding
            paths[draw, t] = later
    return paths
