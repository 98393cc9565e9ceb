"""Compiled forward and backward passes of the window HMM.

A state says which of the last `cells` cells are active, the newest in the lowest bit. The next
window's state is the old one moved by a bit, with a new lowest bit.
"""

import numpy as np
from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def _first(begin, move, cells, prior) -> None:  # type: ignore[no-untyped-def]
    """The chance of every state of a recording's first window."""
    for state in range(len(prior)):
        bit = (state >> (cells - 1)) & 1
        chance = begin[bit]
        for k in range(cells - 2, -1, -1):
            after = (state >> k) & 1
            chance *= move[bit, after]
            bit = after
        prior[state] = chance


@njit(cache=True)  # type: ignore[untyped-decorator]
def _forward(likelihood, counts, chain, alpha) -> float:  # type: ignore[no-untyped-def]
    """Fill `alpha`, each step scaled to 1; the log-likelihood."""
    begin, move = chain
    windows, states = alpha.shape
    cells = likelihood.shape[1] - 1
    high = states >> 1
    total = 0.0
    for t in range(windows):
        mass = 0.0
        if t == 0:
            _first(begin, move, cells, alpha[0])
        for state in range(states):
            if t > 0:
                bit, old = state & 1, state >> 1
                alpha[t, state] = alpha[t - 1, old] * move[old & 1, bit]
                alpha[t, state] += alpha[t - 1, old | high] * move[(old | high) & 1, bit]
            alpha[t, state] *= likelihood[t, counts[state]]
            mass += alpha[t, state]
        for state in range(states):
            alpha[t, state] /= mass
        total += np.log(mass)
    return total


@njit(cache=True)  # type: ignore[untyped-decorator]
def smooth(likelihood, counts, chain, on, moved):  # type: ignore[no-untyped-def]
    """Chance that each cell is active, and of each number of active cells in each window.

    `on` (windows + cells - 1) is filled, expected moves between off and on are added to `moved`.
    """
    begin, move = chain
    windows, sizes = likelihood.shape
    cells = sizes - 1
    states = 1 << cells
    alpha = np.empty((windows, states))
    total = _forward(likelihood, counts, chain, alpha)
    beta, older = np.ones(states), np.empty(states)
    numbers = np.zeros((windows, sizes))
    for t in range(windows - 1, -1, -1):
        mass = 0.0
        for state in range(states):
            older[state] = alpha[t, state] * beta[state]
            mass += older[state]
        for state in range(states):
            share = older[state] / mass
            numbers[t, counts[state]] += share
            if state & 1:
                on[t + cells - 1] += share
            moved[(state >> 1) & 1, state & 1] += share
            if t == 0:
                for k in range(1, cells):
                    on[cells - 1 - k] += share * ((state >> k) & 1)
                for k in range(1, cells - 1):
                    moved[(state >> (k + 1)) & 1, (state >> k) & 1] += share
        if t == 0:
            break
        top = 0.0
        for old in range(states):
            after = (old << 1) & (states - 1)
            older[old] = move[old & 1, 0] * likelihood[t, counts[after]] * beta[after]
            older[old] += move[old & 1, 1] * likelihood[t, counts[after | 1]] * beta[after | 1]
            top = max(top, older[old])
        for old in range(states):
            beta[old] = older[old] / top
    return total, numbers


@njit(cache=True)  # type: ignore[untyped-decorator]
def add_up(window, person, yes, numbers, table) -> None:  # type: ignore[no-untyped-def]
    """Expected answers by person and number of active cells: `table[..., 0]` all, `[..., 1]` yes."""
    labels, sizes = numbers.shape[1], numbers.shape[2]
    for k in range(len(window)):
        for label in range(labels):
            for n in range(sizes):
                weight = numbers[window[k], label, n]
                table[person[k], n, 0] += weight
                if yes[k, label]:
                    table[person[k], n, 1] += weight


@njit(cache=True)  # type: ignore[untyped-decorator]
def weigh(window, person, yes, logs, scores) -> None:  # type: ignore[no-untyped-def]
    """Log-likelihood of the answers to each window and label, by number of active cells."""
    for k in range(len(window)):
        for label in range(yes.shape[1]):
            answer = 1 if yes[k, label] else 0
            for n in range(scores.shape[2]):
                scores[window[k], label, n] += logs[person[k], n, answer]
