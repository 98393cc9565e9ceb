"""Which windows to ask about again: those whose next answer is expected to inform most.

Active learning by expected information gain: the mutual information between one more yes or no
and what is hidden in the window.
"""

from collections.abc import Iterator

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.stats.information import binary_entropy
from earmark.tasks.events.reconcile.hmm import window_hmm
from earmark.tasks.events.reconcile.hmm_fit import Smoothed
from earmark.tasks.events.reconcile.window_answers import WindowAnswers, window_answers
from earmark.tasks.events.values import Tags
from earmark.values.answer import Ballots

# How much of a neighbour's gain a fully overlapping window takes away; a tenth is left, so that
# every window is ranked in the end. Chosen by hand; not tuned.
TAKEN_AWAY = 0.9


def rank_windows(ballots: Ballots[Tags], *, seed: int) -> Iterator[tuple[str, float]]:
    """Yield window ids, the most informative first, with their expected information gain in bits.

    The seed is that of the window HMM, which holds some answers out.
    """
    answers = window_answers(ballots)
    gain = expected_information_gain(window_hmm(answers, seed=seed))
    ordered = sorted(ballots.items, key=lambda i: (i.group, i.span.start if i.span else 0.0))
    for window in spread_out(answers, gain):
        yield ordered[window].id, float(gain[window])


def expected_information_gain(smoothed: Smoothed) -> Floats:
    """Return the expected information gain of one more answer about each window, in bits.

    Summed over labels: the entropy of a typical person's yes or no as things are, less its
    expected entropy if the window's hidden column (level and salience) were known. Shape
    (windows,).
    """
    return information_gain(smoothed.columns, smoothed.hearing.typical_yes())


def information_gain(columns: Floats, says_yes: Floats) -> Floats:
    """Return the mutual information of columns and a yes or no, in bits, summed over labels.

    `columns` (windows, labels, columns) is how probable each is, `says_yes` the probability of a
    yes given it, of the same shape or (columns,).
    """
    now = binary_entropy((columns * says_yes).sum(axis=-1))
    known = (columns * binary_entropy(says_yes)).sum(axis=-1)
    return np.asarray(np.maximum(now - known, 0.0).sum(axis=1))


def spread_out(answers: WindowAnswers, gain: Floats) -> Iterator[int]:
    """Yield window numbers by gain, putting back those that overlap a window already chosen.

    Neighbours share seconds, so the second of two answers about the same seconds informs less:
    each chosen window lowers a neighbour's gain by the share of it that it covers.
    """
    left_over = gain.astype(np.float64).copy()
    owner = np.repeat(np.arange(len(answers.recordings)), np.diff(answers.starts))
    overlap = 1.0 - np.abs(np.arange(-answers.cells, answers.cells + 1)) / answers.cells
    waiting = np.ones(len(left_over), dtype=np.bool_)
    for _ in range(len(left_over)):
        window = int(np.argmax(np.where(waiting, left_over, -1.0)))
        waiting[window] = False
        yield window
        near = _overlapping(window, answers.cells, owner)
        left_over[near] *= 1.0 - TAKEN_AWAY * overlap[near - window + answers.cells]


def _overlapping(window: int, cells: int, owner: Ints) -> Ints:
    """Return the windows of the same recording that share time with a window."""
    near = np.arange(max(0, window - cells), min(len(owner), window + cells + 1))
    return np.asarray(near[owner[near] == owner[window]])
