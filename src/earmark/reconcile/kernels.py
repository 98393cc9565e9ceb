"""Compiled loops over answers. Each has a plain version beside its caller that the tests compare.

Imported only inside functions: compiling takes a second once, and the result is cached on disk.

Both kernels are the E-step of an EM algorithm. Answers are sorted by item: those to item k are the
rows `starts[k]` to `starts[k + 1]`. All that an answer contributes depends on its person and its
label alone, so whatever the model says about an answer is computed once per (person, label) before
the loop, in tables that `cell` indexes: `cell[row] = person * labels + label`. The loop then adds
up, item by item, log-probabilities of each possible true label, turns them into a posterior, and
adds that posterior back into a table of expected counts, from which the M-step goes on.
"""

import math

from earmark.arrays import Floats
from earmark.kernels import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def _normalise(row: Floats) -> float:
    """Turn unnormalised log-probabilities into probabilities, in place; return log of their sum."""
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
    """Run the E-step of MACE: fill `posterior` and `known`, and return the log-likelihood.

    `table` is (2, people * labels): `table[0]` the log-probability of an answer by guessing,
    `table[1]` what the possibility of knowing adds to it if the answer is the true label. So an
    item needs one sum of guesses, and each label only what its own answers add to that.
    `posterior` is (items, labels); `known` (people * labels) sums the posterior of the answered
    label by cell. Both are overwritten.
    """
    items, size = posterior.shape
    known[:] = 0.0
    posterior[:] = 0.0
    even = math.log(size)  # the prior of a label is uniform
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
def confusion_expectation(starts, cell, table, posterior, counts) -> float:  # type: ignore[no-untyped-def]
    """Run the E-step of Dawid and Skene; return the log-likelihood.

    `table` is (people * labels, labels): log P(answer | true label) by cell and true label.
    `posterior` (items, labels) comes in as the log prior of every item and is overwritten with the
    posterior; `counts`, shaped as `table`, is overwritten with the posteriors summed by cell.
    """
    items, size = posterior.shape
    counts[:] = 0.0
    total = 0.0
    for item in range(items):
        for row in range(starts[item], starts[item + 1]):
            for k in range(size):
                posterior[item, k] += table[cell[row], k]
        total += _normalise(posterior[item])
        for row in range(starts[item], starts[item + 1]):
            for k in range(size):
                counts[cell[row], k] += posterior[item, k]
    return total
