"""Which windows to ask about again: those whose next answer is expected to inform most.

Active learning by expected information gain: the mutual information between one more yes or no
about a window and whether each of its seconds is active. What else an answer tells, such as how
audible an event is that is known to be there, changes no timeline and is worth nothing.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.stats.information import binary_entropy
from earmark.tasks.events.reconcile.hmm import window_hmm
from earmark.tasks.events.reconcile.hmm_fit import Smoothed, likelihood_blocks, one_step
from earmark.tasks.events.reconcile.options import MOST_LEVELS, WindowHmmOptions
from earmark.tasks.events.reconcile.window_answers import WindowAnswers, window_answers
from earmark.tasks.events.values import Tags
from earmark.values.answer import Ballots

# How much of a neighbour's gain a fully overlapping window takes away; a tenth is left, so that
# every window is ranked in the end. Chosen by hand; not tuned.
TAKEN_AWAY = 0.9

# The model that ranks has all levels of audibility, however few the answers: one that knows no
# faint events takes the first answers that hear one for mistakes, and never asks about it again.
RANKING = WindowHmmOptions(levels=MOST_LEVELS, restarts=1)

# Fitted from scratch when the answers have grown by this factor; in between, EM goes on by a step
# from where it was, which takes a thirtieth of the time.
ANEW = 2.0

TINY = 1e-12  # in place of a probability of 0, of what then cannot be


def rank_windows(ballots: Ballots[Tags], *, seed: int) -> Iterator[tuple[str, float]]:
    """Yield window ids, the most informative first, with their expected information gain in bits.

    The seed is that of the window HMM, which holds some answers out.
    """
    return WindowRanker()(ballots, seed=seed)


class WindowRanker:
    """Ranks windows again and again as answers come.

    What the model learnt of people and of hearing is where it goes on from.
    """

    def __init__(self) -> None:
        self._model: Smoothed | None = None
        self._people: tuple[str, ...] = ()  # of the model, in its order
        self._answers = 0  # that there were when it was fitted from scratch

    def __call__(self, ballots: Ballots[Tags], *, seed: int) -> Iterator[tuple[str, float]]:
        """Yield windows as `rank_windows` does."""
        answers = window_answers(ballots)
        model = self._fitted(answers, seed)
        self._model, self._people = model, answers.people
        gain = expected_information_gain(answers, model)
        ordered = sorted(ballots.items, key=lambda i: (i.group, i.span.start if i.span else 0.0))
        for window in spread_out(answers, gain):
            yield ordered[window].id, float(gain[window])

    def _fitted(self, answers: WindowAnswers, seed: int) -> Smoothed:
        """Return the model for these answers."""
        if self._model is None or len(answers.window) >= ANEW * self._answers:
            self._answers = len(answers.window)
            return window_hmm(answers, RANKING, seed=seed)
        start = _for_people(self._model, self._people, answers.people)
        return one_step(answers, start, shrink=RANKING.shrink)


def _for_people(model: Smoothed, known: tuple[str, ...], people: tuple[str, ...]) -> Smoothed:
    """Return the model for other people than it knows: who is new is like the mean of all."""
    hearing = model.hearing
    place = {person: k for k, person in enumerate(known)}
    rows = np.array([place.get(person, len(known)) for person in people], dtype=np.int64)
    attention = np.append(hearing.attention, hearing.attention.mean())
    guesses = np.vstack([hearing.guesses, hearing.guesses.mean(axis=0)])
    own = replace(hearing, attention=attention[rows], guesses=guesses[rows])
    return replace(model, hearing=own)


def expected_information_gain(answers: WindowAnswers, model: Smoothed) -> Floats:
    """Return the expected information gain of one more answer about each window, in bits.

    That of a typical person's yes or no about each label and each second of the window, summed.
    Shape (windows,).
    """
    from earmark.tasks.events.ask.gain_kernel import next_answers

    gain = np.zeros(answers.windows)
    column_of, typical = model.hearing.column_of(), model.hearing.typical_yes()
    for windows, label, likelihood in likelihood_blocks(answers, model.hearing):
        says_yes = np.ascontiguousarray(typical[windows, label]).reshape(likelihood.shape)
        expected = next_answers(likelihood, says_yes, column_of, model.chain.of(label))
        gain[windows] += information_gain(*expected)
    return gain


def information_gain(yes: Floats, active: Floats, yes_and_active: Floats) -> Floats:
    """Return the mutual information of a yes or no and each cell, in bits, summed over cells.

    `yes` (windows,) is the probability of a yes, `active` (windows, cells) that of a cell to be
    active, `yes_and_active` that of both.
    """
    either = yes[:, None]
    if_active = np.clip(yes_and_active / np.maximum(active, TINY), 0, 1)
    if_silent = np.clip((either - yes_and_active) / np.maximum(1 - active, TINY), 0, 1)
    known = active * binary_entropy(if_active) + (1 - active) * binary_entropy(if_silent)
    return np.asarray(np.maximum(binary_entropy(either) - known, 0.0).sum(axis=1))


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
