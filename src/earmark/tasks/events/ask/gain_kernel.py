"""Compiled passes that say what one more answer about a window would tell about its cells.

The model, its states and its shapes are those of `reconcile/hmm_kernel`.
"""

from typing import NamedTuple

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.kernels import njit
from earmark.tasks.events.reconcile.hmm_kernel import (
    LabelChain,
    _first_states,
    _next_states,
    _previous_states,
    _times_answers,
    _times_forward,
    cells_of,
)


class NextAnswers(NamedTuple):
    """What is expected of one more answer about each window of a recording."""

    yes: Floats  # (windows,): probability of a yes
    active: Floats  # (windows, C): probability that each cell of the window is active
    yes_and_active: Floats  # (windows, C): probability of both


@njit(cache=True)  # type: ignore[untyped-decorator]
def next_answers(
    likelihood: Floats, says_yes: Floats, column_of: Ints, chain: LabelChain
) -> NextAnswers:
    """Run both passes over one label of one recording.

    `likelihood` (windows, levels, saliences) is that of the answers there are, `says_yes`, of the
    same shape, the probability that the next one is a yes, each given the window's column.
    """
    windows, levels, _ = likelihood.shape
    patterns, cells = len(column_of), cells_of(column_of)
    forward = np.empty((windows, levels, patterns))
    _first_states(chain, forward[0])
    _times_answers(forward[0], likelihood[0], column_of)
    for t in range(1, windows):
        _next_states(forward[t - 1], chain, forward[t])
        _times_answers(forward[t], likelihood[t], column_of)
    expected = NextAnswers(
        np.zeros(windows), np.zeros((windows, cells)), np.zeros((windows, cells))
    )
    backward = np.ones((levels, patterns))
    posterior = np.empty((levels, patterns))
    for t in range(windows - 1, -1, -1):
        posterior[:] = backward
        posterior /= _times_forward(posterior, forward[t])
        expected.yes[t] = _add_cells(
            posterior, says_yes[t], column_of, expected.active[t], expected.yes_and_active[t]
        )
        if t > 0:
            _times_answers(backward, likelihood[t], column_of)
            _previous_states(backward, chain, posterior)
            backward, posterior = posterior, backward
    return expected


@njit(cache=True)  # type: ignore[untyped-decorator]
def _add_cells(
    posterior: Floats, says_yes: Floats, column_of: Ints, active: Floats, yes_and_active: Floats
) -> float:
    """Add a window's probabilities to `active` and `yes_and_active` (C,); return that of a yes.

    Patterns are folded at their oldest cell, then at the next, so that all cells cost no more than
    two sums over the patterns.
    """
    patterns = posterior.shape[1]
    any_answer, yes = np.zeros(patterns), np.zeros(patterns)
    for level in range(posterior.shape[0]):
        for pattern in range(patterns):
            probability = posterior[level, pattern]
            any_answer[pattern] += probability
            yes[pattern] += probability * says_yes[level, column_of[pattern]]
    half = patterns >> 1
    for cell in range(len(active)):
        for pattern in range(half):
            active[cell] += any_answer[pattern + half]
            yes_and_active[cell] += yes[pattern + half]
            any_answer[pattern] += any_answer[pattern + half]
            yes[pattern] += yes[pattern + half]
        half >>= 1
    return float(yes[0])
