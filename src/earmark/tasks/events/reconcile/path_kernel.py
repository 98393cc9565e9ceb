"""Compiled draws of whole paths from the window HMM: forward filtering, backward sampling.

The model, its states and its shapes are those of `hmm_kernel`. A path is drawn from its end: the
last window's state from what all answers say about it, then each earlier window's state given the
one after it. Two patterns precede a pattern, alike but for the oldest cell; the level is the same
unless the newest cell begins an event, which draws a new level, so that the earlier one may have
been any. The cells of a path therefore depend on one another as the model says, which draws of
single cells would not.
"""

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.kernels import njit
from earmark.tasks.events.reconcile.hmm_kernel import (
    BEGINS,
    TWO_NEWEST,
    LabelChain,
    _first_states,
    _next_states,
    _times_answers,
    cells_of,
)


@njit(cache=True)  # type: ignore[untyped-decorator]
def draw_paths(likelihood: Floats, column_of: Ints, chain: LabelChain, uniform: Floats) -> Bools:
    """Return which cells are active in each of several draws: (draws, windows + C - 1).

    `likelihood` (windows, levels, saliences) is that of each window's answers given its column;
    `uniform` (draws, windows) are random numbers from 0 to 1.
    """
    windows, levels, _ = likelihood.shape
    cells = cells_of(column_of)
    forward = np.empty((windows, levels, len(column_of)))
    _first_states(chain, forward[0])
    _times_answers(forward[0], likelihood[0], column_of)
    for t in range(1, windows):
        _next_states(forward[t - 1], chain, forward[t])
        _times_answers(forward[t], likelihood[t], column_of)
    paths = np.zeros((len(uniform), windows + cells - 1), dtype=np.bool_)
    for draw in range(len(uniform)):
        level, pattern = _last_state(forward[windows - 1], uniform[draw, windows - 1])
        for k in range(cells):
            paths[draw, windows - 1 + cells - 1 - k] = (pattern >> k) & 1
        for t in range(windows - 2, -1, -1):
            level, pattern = _state_before(forward[t], level, pattern, uniform[draw, t])
            paths[draw, t] = pattern >> (cells - 1)
    return paths


@njit(cache=True)  # type: ignore[untyped-decorator]
def _last_state(states: Floats, uniform: float) -> tuple[int, int]:
    """Return a (level, pattern), drawn by the probabilities in `states`, which add up to 1."""
    total = 0.0
    last = 0, 0
    for level in range(states.shape[0]):
        for pattern in range(states.shape[1]):
            if states[level, pattern] > 0.0:
                total += states[level, pattern]
                last = level, pattern
                if uniform < total:
                    return last
    return last  # rounding left a little above the sum


@njit(cache=True)  # type: ignore[untyped-decorator]
def _state_before(states: Floats, level: int, pattern: int, uniform: float) -> tuple[int, int]:
    """Return the state of the window before, drawn given the (level, pattern) of the one after.

    The move into the newest cell is equally probable from all candidates, so that `states`, what
    the answers up to that window say, is all that weighs.
    """
    newer = pattern >> 1  # the cells that both windows share, and 0 for the oldest
    oldest = states.shape[1] >> 1
    any_level = (pattern & TWO_NEWEST) == BEGINS
    low = 0 if any_level else level
    high = states.shape[0] if any_level else level + 1
    mass = 0.0
    for before in range(low, high):
        mass += states[before, newer] + states[before, newer + oldest]
    total = 0.0
    last = level, newer
    for before in range(low, high):
        for candidate in (newer, newer + oldest):
            if states[before, candidate] > 0.0:
                total += states[before, candidate]
                last = before, candidate
                if uniform * mass < total:
                    return last
    return last
