"""Compiled loops over answers. Each has a plain version beside its caller that the tests compare.

Imported only inside functions: compiling costs a second once, and the result is kept on disk.
"""

import math

from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def _normalise(row) -> float:  # type: ignore[no-untyped-def]
    """Turn log-weights into shares, in place; the log of their sum."""
    top = row[0]
    for k in range(1, len(row)):
        top = max(top, row[k])
    mass = 0.0
    for k in range(len(row)):
        row[k] = math.exp(row[k] - top)
        mass += row[k]
    for k in range(len(row)):
        row[k] /= mass
    return float(top + math.log(mass))


@njit(cache=True)  # type: ignore[untyped-decorator]
def mace_expectation(starts, cell, label, table, posterior, known) -> float:  # type: ignore[no-untyped-def]
    """One pass over all answers; fills `posterior` and `known`, returns the log-likelihood.

    `table[0]` is the log-probability of an answer by guessing, `table[1]` what knowing adds to it;
    both are flat over people and labels, and `cell` is where an answer lies in them. `known` sums
    the posterior of the answered label, by cell.
    """
    items, size = posterior.shape
    known[:] = 0.0
    posterior[:] = 0.0
    even = math.log(size)
    total = 0.0
    for item in range(items):
        base = 0.0
        for row in range(starts[item], starts[item + 1]):
            base += table[0, cell[row]]
            posterior[item, label[row]] += table[1, cell[row]]
        total += base + _normalise(posterior[item]) - even
        for row in range(starts[item], starts[item + 1]):
            known[cell[row]] += posterior[item, label[row]]
    return total


@njit(cache=True)  # type: ignore[untyped-decorator]
def confusion_expectation(starts, cell, table, posterior, seen) -> float:  # type: ignore[no-untyped-def]
    """The same for Dawid and Skene: `table[cell]` holds log P(answer | true label) by true label.

    `posterior` comes in as the log prior of every item and goes out as its posterior; `seen` sums
    the posteriors by cell.
    """
    items, size = posterior.shape
    seen[:] = 0.0
    total = 0.0
    for item in range(items):
        for row in range(starts[item], starts[item + 1]):
            for k in range(size):
                posterior[item, k] += table[cell[row], k]
        total += _normalise(posterior[item])
        for row in range(starts[item], starts[item + 1]):
            for k in range(size):
                seen[cell[row], k] += posterior[item, k]
    return total
