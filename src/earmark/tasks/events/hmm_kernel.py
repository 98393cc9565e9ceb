"""Compiled forward and backward passes of the window HMM.

A state says which of the last `cells` cells are active, the newest in the lowest bit (the pattern),
and on which level of audibility the latest event is. The next window's pattern is the old one moved
by a bit, with a new lowest bit; a level is drawn when an event begins and stays until the next one
does. Arrays of states are levels by patterns; `sizes[pattern]` counts its active cells.

`chain` is (begin, move, level): chances of the first cell, of switching, and of each level.
"""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def _first(chain, prior) -> None:  # type: ignore[no-untyped-def]
    """The chance of every state of a recording's first window."""
    begin, move, level = chain
    cells = 0
    while 1 << cells < prior.shape[1]:
        cells += 1
    for pattern in range(prior.shape[1]):
        bit = (pattern >> (cells - 1)) & 1
        chance = begin[bit]
        for k in range(cells - 2, -1, -1):
            after = (pattern >> k) & 1
            chance *= move[bit, after]
            bit = after
        for g in range(len(level)):
            prior[g, pattern] = chance * level[g]


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _step(before, chain, after) -> None:  # type: ignore[no-untyped-def]
    """Chances of the next window's states before its answers are looked at.

    Patterns that differ only in the bit that falls out at the top lead to the same two patterns.
    """
    _, move, level = chain
    half = before.shape[1] >> 1
    for old in range(0, half, 2):
        mass = 0.0
        for g in range(len(level)):
            quiet = before[g, old] + before[g, old + half]
            sounding = before[g, old + 1] + before[g, old + 1 + half]
            mass += quiet
            after[g, 2 * old] = quiet * move[0, 0]
            after[g, 2 * old + 2] = sounding * move[1, 0]
            after[g, 2 * old + 3] = sounding * move[1, 1]
        for g in range(len(level)):
            after[g, 2 * old + 1] = mass * move[0, 1] * level[g]


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _answered(states, likelihood, sizes) -> float:  # type: ignore[no-untyped-def]
    """Multiply in a window's answers and scale to 1; what the scale was."""
    mass = 0.0
    for g in range(states.shape[0]):
        for pattern in range(states.shape[1]):
            states[g, pattern] *= likelihood[g, sizes[pattern]]
            mass += states[g, pattern]
    for g in range(states.shape[0]):
        for pattern in range(states.shape[1]):
            states[g, pattern] /= mass
    return mass


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _back(beta, chain, older) -> None:  # type: ignore[no-untyped-def]
    """From the next window's `beta`, already times its likelihood, to this window's."""
    _, move, level = chain
    half = beta.shape[1] >> 1
    for old in range(0, half, 2):
        begins = 0.0
        for g in range(len(level)):
            begins += level[g] * beta[g, 2 * old + 1]
        for g in range(len(level)):
            quiet = move[0, 0] * beta[g, 2 * old] + move[0, 1] * begins
            sounding = move[1, 0] * beta[g, 2 * old + 2] + move[1, 1] * beta[g, 2 * old + 3]
            older[g, old], older[g, old + half] = quiet, quiet
            older[g, old + 1], older[g, old + 1 + half] = sounding, sounding


@njit(cache=True, fastmath=True)  # type: ignore[untyped-decorator]
def _posterior(alpha, beta, sizes, numbers, last) -> None:  # type: ignore[no-untyped-def]
    """Turn `beta` into the posterior of one window; sum it by size, and by the two newest bits."""
    mass = 0.0
    for g in range(alpha.shape[0]):
        for pattern in range(alpha.shape[1]):
            beta[g, pattern] *= alpha[g, pattern]
            mass += beta[g, pattern]
    for g in range(alpha.shape[0]):
        for pattern in range(alpha.shape[1]):
            beta[g, pattern] /= mass
            numbers[g, sizes[pattern]] += beta[g, pattern]
            last[g, pattern & 3] += beta[g, pattern]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _first_cells(posterior, on, moved) -> None:  # type: ignore[no-untyped-def]
    """What the first window says about the cells before its newest."""
    cells = len(on)
    for g in range(posterior.shape[0]):
        for pattern in range(posterior.shape[1]):
            share = posterior[g, pattern]
            for k in range(1, cells):
                on[cells - 1 - k] += share * ((pattern >> k) & 1)
            for k in range(1, cells - 1):
                moved[(pattern >> (k + 1)) & 1, (pattern >> k) & 1] += share


@njit(cache=True)  # type: ignore[untyped-decorator]
def smooth(likelihood, sizes, chain, on, counts) -> Any:  # type: ignore[no-untyped-def]
    """Chance that each cell is active, and of each (level, size) in each window.

    `likelihood` is windows by levels by sizes. `on` (windows + cells - 1) is filled; expected moves
    and beginnings are added to `counts`.
    """
    windows, levels, _ = likelihood.shape
    cells = len(on) - windows + 1
    moved, begun = counts
    alpha = np.empty((windows, levels, len(sizes)))
    _first(chain, alpha[0])
    total = np.log(_answered(alpha[0], likelihood[0], sizes))
    for t in range(1, windows):
        _step(alpha[t - 1], chain, alpha[t])
        total += np.log(_answered(alpha[t], likelihood[t], sizes))
    beta = np.ones((levels, len(sizes)))
    here = np.empty((levels, len(sizes)))
    numbers = np.zeros(likelihood.shape)
    for t in range(windows - 1, -1, -1):
        last = np.zeros((levels, 4))
        here[:] = beta
        _posterior(alpha[t], here, sizes, numbers[t], last)
        for g in range(levels):
            for pair in range(4):
                moved[pair >> 1, pair & 1] += last[g, pair]
            on[t + cells - 1] += last[g, 1] + last[g, 3]
            begun[g] += last[g, 1]
        if t == 0:
            _first_cells(here, on[:cells], moved)
        else:
            _answered(beta, likelihood[t], sizes)
            _back(beta, chain, here)
            beta, here = here, beta
    return total, numbers


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_up(window, person, yes, numbers, table) -> None:  # type: ignore[no-untyped-def]
    """Expected answers by person and column: `table[..., 0]` all of them, `[..., 1]` the yes."""
    labels, columns = numbers.shape[1], numbers.shape[2]
    for k in range(len(window)):
        for label in range(labels):
            answer = 1 if yes[k, label] else 0
            for n in range(columns):
                table[person[k], n, answer] += numbers[window[k], label, n]


@njit(cache=True)  # type: ignore[untyped-decorator]
def weigh(window, person, yes, logs, scores) -> None:  # type: ignore[no-untyped-def]
    """Log-likelihood of the answers to each window and label, by column."""
    for k in range(len(window)):
        for label in range(yes.shape[1]):
            answer = 1 if yes[k, label] else 0
            for n in range(scores.shape[2]):
                scores[window[k], label, n] += logs[person[k], answer, n]
