"""Compiled forward and backward passes of the window HMM.

The model, for one label of one recording. Time is cut into cells (of a second, by default), and
window t covers the C cells t to t + C - 1: from one window to the next the oldest cell drops out
and a new one comes in. Hidden are

- which cells are active: a Markov chain of two states, inactive and active;
- how audible each event is: a level, drawn when the event begins, that is, when a cell is active
  after an inactive one. It stays until the next event begins.

Observed are people's yes or no to each window. They depend on what is hidden only through the
window's *column*: the level, and the *salience*, a whole number that says how well the active cells
of the window are noticed, 0 for none; `column_of` has that of every pattern (see `hearing`).

The state of a window is therefore (level, pattern). A pattern is a number of C bits, one per cell,
1 for active; the newest cell is the lowest bit, the oldest the highest. With C = 4:

    window t       0 1 1 0        pattern 0b0110
    window t + 1     1 1 0 1      pattern 0b1101 = (0b0110 shifted left, oldest bit dropped) + 1

So each pattern has two successors, and two patterns that differ only in the oldest bit have the
same two. That is what makes a step cheap: it costs as much as there are states, not their square.

Shapes: an array of states is (levels, 2**C); `column_of` is (2**C,), the salience of each pattern;
an array of columns is (levels, saliences). Every array that a function fills or changes is named
in its docstring; all others are only read.

The functions are compiled without `fastmath`, which would be faster by a third: it lets the
compiler reorder sums, and then freshly compiled code differs from cached code in the last digit.
"""

from typing import NamedTuple

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.kernels import njit

INACTIVE, ACTIVE = 0, 1

# The two newest cells of a pattern are its two lowest bits: (the cell before) * 2 + the newest.
TWO_NEWEST = 0b11
BEGINS = 0b01
CONTINUES = 0b11


class LabelChain(NamedTuple):
    """Probabilities of one label: of a recording's first cell, of each move, of each level."""

    first: Floats  # (2,)
    move: Floats  # (2, 2): cell before, cell after
    level: Floats  # (levels,)


class ExpectedCounts(NamedTuple):
    """Expected number of moves, of events that begin on each level, of answers to each pattern."""

    moves: Floats  # (2, 2): cell before, cell after
    begins: Floats  # (levels,)
    patterns: Floats  # (levels, 2**C, 2): answers no and yes to windows in that state


class SmoothedRecording(NamedTuple):
    """What all answers together say about one label of one recording."""

    log_likelihood: float
    columns: Floats  # (windows, levels, saliences): probability of each window's column
    active: Floats  # (windows + C - 1,): probability that each cell is active


@njit(cache=True)  # type: ignore[untyped-decorator]
def smooth(
    likelihood: Floats, votes: Floats, column_of: Ints, chain: LabelChain, counts: ExpectedCounts
) -> SmoothedRecording:
    """Run the forward and the backward pass over one label of one recording.

    `likelihood` (windows, levels, saliences) is that of each window's answers given its column,
    `votes` (windows, 2) how many of them say no and yes. What is expected of this recording is
    added to the arrays of `counts`.
    """
    windows, levels, _ = likelihood.shape
    cells = cells_of(column_of)
    # forward[t]: probability of window t's state given the answers up to t, scaled to a sum of 1;
    # the scales multiply to the likelihood of all answers
    forward = np.empty((windows, levels, len(column_of)))
    _first_states(chain, forward[0])
    total = np.log(_times_answers(forward[0], likelihood[0], column_of))
    for t in range(1, windows):
        _next_states(forward[t - 1], chain, forward[t])
        total += np.log(_times_answers(forward[t], likelihood[t], column_of))
    # backward: proportional to the probability of all later answers given window t's state
    backward = np.ones((levels, len(column_of)))
    posterior = np.empty((levels, len(column_of)))
    columns = np.zeros(likelihood.shape)
    active = np.zeros(windows + cells - 1)
    for t in range(windows - 1, -1, -1):
        two_newest = np.zeros((levels, 4))
        posterior[:] = backward
        _scaled_two_newest(posterior, _times_forward(posterior, forward[t]), two_newest)
        _add_posterior(posterior, column_of, votes[t], columns[t], counts.patterns)
        for level in range(levels):
            for pair in range(4):
                counts.moves[pair >> 1, pair & 1] += two_newest[level, pair]
            active[t + cells - 1] += two_newest[level, BEGINS] + two_newest[level, CONTINUES]
            counts.begins[level] += two_newest[level, BEGINS]
        if t == 0:
            _older_cells(posterior, active[:cells], counts.moves)
        else:
            _times_answers(backward, likelihood[t], column_of)
            _previous_states(backward, chain, posterior)
            # what was the posterior's memory now holds the window before; no array is made anew
            backward, posterior = posterior, backward
    return SmoothedRecording(total, columns, active)


@njit(cache=True)  # type: ignore[untyped-decorator]
def cells_of(column_of: Ints) -> int:
    """Return of how many cells a pattern consists."""
    cells = 0
    while 1 << cells < len(column_of):
        cells += 1
    return cells


@njit(cache=True)  # type: ignore[untyped-decorator]
def _first_states(chain: LabelChain, states: Floats) -> None:
    """Fill `states` with the probabilities of a recording's first window, before its answers.

    Read from the oldest cell to the newest; whichever event is the latest, its level is drawn.
    """
    cells = 0
    while 1 << cells < states.shape[1]:
        cells += 1
    for pattern in range(states.shape[1]):
        cell = (pattern >> (cells - 1)) & 1
        probability = chain.first[cell]
        for k in range(cells - 2, -1, -1):
            newer = (pattern >> k) & 1
            probability *= chain.move[cell, newer]
            cell = newer
        for level in range(len(chain.level)):
            states[level, pattern] = probability * chain.level[level]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _next_states(before: Floats, chain: LabelChain, after: Floats) -> None:
    """Fill `after` with the probabilities of the next window's states, before its answers.

    `silent` is a pattern whose oldest bit is 0 and whose newest cell is inactive, `silent + 1` the
    same with the newest cell active; adding `oldest` sets the oldest bit of either.
    """
    oldest = before.shape[1] >> 1
    move = chain.move
    for silent in range(0, oldest, 2):
        all_levels = 0.0
        for level in range(len(chain.level)):
            inactive = before[level, silent] + before[level, silent + oldest]
            sounding = before[level, silent + 1] + before[level, silent + 1 + oldest]
            all_levels += inactive
            after[level, 2 * silent] = inactive * move[INACTIVE, INACTIVE]
            after[level, 2 * silent + 2] = sounding * move[ACTIVE, INACTIVE]
            after[level, 2 * silent + 3] = sounding * move[ACTIVE, ACTIVE]
        for level in range(len(chain.level)):
            # an event begins: whatever the level was, a new one is drawn
            after[level, 2 * silent + 1] = all_levels * move[INACTIVE, ACTIVE] * chain.level[level]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _previous_states(later: Floats, chain: LabelChain, earlier: Floats) -> None:
    """Fill `earlier` with the backward values of a window from those of the next.

    `later` already holds the next window's answers. The patterns are those of `_next_states`.
    """
    oldest = later.shape[1] >> 1
    move = chain.move
    for silent in range(0, oldest, 2):
        begins = 0.0
        for level in range(len(chain.level)):
            begins += chain.level[level] * later[level, 2 * silent + 1]
        for level in range(len(chain.level)):
            inactive = (
                move[INACTIVE, INACTIVE] * later[level, 2 * silent]
                + move[INACTIVE, ACTIVE] * begins
            )
            sounding = (
                move[ACTIVE, INACTIVE] * later[level, 2 * silent + 2]
                + move[ACTIVE, ACTIVE] * later[level, 2 * silent + 3]
            )
            earlier[level, silent], earlier[level, silent + oldest] = inactive, inactive
            earlier[level, silent + 1], earlier[level, silent + 1 + oldest] = sounding, sounding


@njit(cache=True)  # type: ignore[untyped-decorator]
def _times_answers(states: Floats, likelihood: Floats, column_of: Ints) -> float:
    """Multiply `states` by the likelihood of a window's answers and scale them to a sum of 1.

    `likelihood` is (levels, saliences). Return the sum before scaling.
    """
    mass = 0.0
    for level in range(states.shape[0]):
        for pattern in range(states.shape[1]):
            states[level, pattern] *= likelihood[level, column_of[pattern]]
            mass += states[level, pattern]
    for level in range(states.shape[0]):
        for pattern in range(states.shape[1]):
            states[level, pattern] /= mass
    return mass


@njit(cache=True)  # type: ignore[untyped-decorator]
def _times_forward(states: Floats, forward: Floats) -> float:
    """Multiply a window's backward values in `states` by the forward ones; return their sum."""
    mass = 0.0
    for level in range(forward.shape[0]):
        for pattern in range(forward.shape[1]):
            states[level, pattern] *= forward[level, pattern]
            mass += states[level, pattern]
    return mass


@njit(cache=True)  # type: ignore[untyped-decorator]
def _add_posterior(
    states: Floats, column_of: Ints, votes: Floats, columns: Floats, patterns: Floats
) -> None:
    """Add the posterior in `states` by column, and the window's votes by state.

    `columns` is (levels, saliences), `patterns` (levels, 2**C, 2), `votes` (2,): no and yes.
    """
    for level in range(states.shape[0]):
        for pattern in range(states.shape[1]):
            probability = states[level, pattern]
            columns[level, column_of[pattern]] += probability
            patterns[level, pattern, 0] += votes[0] * probability
            patterns[level, pattern, 1] += votes[1] * probability


@njit(cache=True)  # type: ignore[untyped-decorator]
def _scaled_two_newest(states: Floats, mass: float, two_newest: Floats) -> None:
    """Divide `states` by their sum `mass`; add them to `two_newest` (levels, 4)."""
    for level in range(states.shape[0]):
        for four in range(0, states.shape[1], 4):
            for pair in range(4):
                states[level, four + pair] /= mass
                two_newest[level, pair] += states[level, four + pair]


@njit(cache=True)  # type: ignore[untyped-decorator]
def _older_cells(posterior: Floats, active: Floats, moves: Floats) -> None:
    """Add what the first window says about all of its cells but the newest.

    Every other cell is the newest of some window; these are not. Their probabilities are added to
    `active` (C,), in order of time, and the moves between them to `moves`.
    """
    cells = len(active)
    for level in range(posterior.shape[0]):
        for pattern in range(posterior.shape[1]):
            probability = posterior[level, pattern]
            for k in range(1, cells):
                active[cells - 1 - k] += probability * ((pattern >> k) & 1)
            for k in range(1, cells - 1):
                moves[(pattern >> (k + 1)) & 1, (pattern >> k) & 1] += probability
