"""How people come to tick a label, in the window HMM: what they hear, mistake, confuse and guess.

A person who attends ticks a label for one of three causes, each of which is at work or not:

- they hear it. An event is heard at all with the probability of its level, its *audibility*; each
  active cell is noticed with a probability that depends on its place in the window, `noticed`, so
  that what touches only a window's edge, or its long forgotten beginning, may escape. Where
  `borders` are told apart, it also depends on whether an event begins or ends in the window:
  people may tick what begins and overlook what has gone on since before;
- they are mistaken, with a probability by label, `false_yes`;
- they take another label that they hear for this one, with a probability by pair, `confused`.

Who does not attend guesses. Audibilities stay apart from mistakes: a level that comes near the rate
of false ticks would turn independent mistakes into events.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.tasks.events.reconcile.hearing_kernel import Tallies, TickModel

# Saliences of a window above 0: the probability to notice its active cells, in tenths.
STEPS = 10

# Probabilities of an answer stay this far from 0 and 1: no single answer rules out a column.
FLOOR = 1e-4
TINY = 1e-12  # in place of a denominator of 0, whose numerator is 0 too

# The faintest level: heard by at least 15 %, and at least three times as often as ticked by
# mistake. Below that, development crowds with independent errors grew events out of false ticks.
FAINTEST, TIMES_MISTAKES = 0.15, 3.0

# How many answers the mean over labels, over places or over pairs weighs in each estimate; chosen
# by hand, large enough to hold an estimate that has next to no data.
MISTAKE_PRIOR, PLACE_PRIOR, CONFUSION_PRIOR, BORDER_PRIOR = 50.0, 20.0, 20.0, 20.0

# What a window shows of an event's borders, as in `borders_of`, and how many such cases there are.
ENDS, BEGINS, BORDERS = 1, 2, 4

# Where people start: who attends, and how often others tick; the prior holds the mean of the first.
ATTENTION, GUESS = 0.9, 0.1

# Small EM loops inside one step, enough for their estimates to settle to two digits.
INNER_STEPS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Hearing:
    """The probabilities from which people's ticks come."""

    audibility: Floats  # (levels,)
    noticed: Floats  # (cells,): by place in the window, the oldest cell first
    false_yes: Floats  # (labels,)
    confused: Floats  # (labels, labels): heard, ticked
    attention: Floats  # (people,)
    guesses: Floats  # (people, labels)
    heard: Floats  # (windows, labels): how probably somebody hears the label, for confusions
    borders: Floats | None = None  # (BORDERS,): by `borders_of`, the highest 1; None: all alike

    def column_of(self) -> Ints:
        """Return the salience of each pattern: (2**cells,)."""
        noticed = noticing(self.noticed)
        if self.borders is not None:
            noticed = noticed * self.borders[borders_of(len(self.noticed))]
        salience = np.rint(noticed * STEPS).astype(np.int64)
        return np.asarray(np.where(np.arange(len(salience)) > 0, np.maximum(salience, 1), 0))

    def model(self) -> TickModel:
        """Return what the probability of a yes is made of."""
        hears = self.audibility[:, None] * saliences()
        silent = np.clip(1 - hears.ravel(), FLOOR, 1.0)
        quiet = np.prod(1 - self.confused * self.heard[:, :, None], axis=1) * (1 - self.false_yes)
        return TickModel(self.attention, self.guesses, np.ascontiguousarray(quiet), silent)

    def typical_yes(self) -> Floats:
        """Return how probably a typical person ticks: (windows, labels, columns)."""
        model = self.model()
        guess = ((1 - self.attention)[:, None] * self.guesses).mean(axis=0)
        ticks = 1 - model.quiet[:, :, None] * model.silent
        return np.asarray(self.attention.mean() * ticks + guess[None, :, None])

    def competence(self) -> Floats:
        """Return how well each person tells a window full of a clear sound from a silent one.

        The probability to tick the first less that to tick the second; shape (people,).
        """
        clear = self.audibility.max() * noticing(self.noticed)[-1]
        return np.asarray(self.attention * (1 - self.false_yes.mean()) * clear)


def saliences() -> Floats:
    """Return the probability to notice that each salience stands for, from 0 to 1."""
    return np.arange(STEPS + 1) / STEPS


def noticing(noticed: Floats) -> Floats:
    """Return the probability that at least one active cell of each pattern is noticed.

    Examples
    --------
    >>> noticing(np.array([0.5, 0.2])).round(3).tolist()  # none, the newest, the oldest, both
    [0.0, 0.2, 0.5, 0.6]
    """
    overlooked = np.where(places(len(noticed)), 1 - noticed, 1.0)
    return np.asarray(1 - np.prod(overlooked, axis=1))


def places(cells: int) -> Ints:
    """Return which cells of each pattern are active, the oldest first: (2**cells, cells)."""
    patterns = np.arange(1 << cells)[:, None]
    return np.asarray((patterns >> np.arange(cells - 1, -1, -1)) & 1)


@lru_cache(maxsize=4)
def borders_of(cells: int) -> Ints:
    """Return what each pattern shows of an event's borders: ENDS, BEGINS, their sum, or 0.

    Examples
    --------
    >>> borders_of(2).tolist()  # none active, the newest, the oldest, both
    [0, 2, 1, 0]
    """
    change = np.diff(places(cells), axis=1)
    begins, ends = (change > 0).any(axis=1), (change < 0).any(axis=1)
    return np.asarray(BEGINS * begins + ENDS * ends, dtype=np.int64)


def next_people(tallies: Tallies, shrink: float) -> tuple[Floats, Floats]:
    """Return everybody's attention and guesses, `shrink` answers of the crowd's added to each.

    Guesses by label are shrunk towards the person's own mean, and that towards the crowd's.
    """
    weight = 2 * shrink  # attention is shared by all labels, so its prior may weigh more
    attention = (tallies.attentive + weight * ATTENTION) / (tallies.answers + weight)
    yes, total = tallies.guesses[..., 1], tallies.guesses.sum(axis=-1)
    crowd = (yes.sum() + 5 * GUESS) / (total.sum() + 5)
    person = (yes.sum(axis=1) + shrink * crowd) / (total.sum(axis=1) + shrink)
    guesses = (yes + shrink * person[:, None]) / (total + shrink)
    return np.clip(attention, 0.01, 0.995), np.clip(guesses, 1e-3, 1 - 1e-3)


def next_mistakes(tallies: Tallies) -> Floats:
    """Return the probability of a mistake by label, shrunk towards the mean over labels."""
    attentive = tallies.attended.sum(axis=0)
    mean = tallies.mistakes.sum() / attentive.sum()
    share = (tallies.mistakes + MISTAKE_PRIOR * mean) / (attentive + MISTAKE_PRIOR)
    return np.asarray(np.clip(share, FLOOR, 0.5))


def next_audibility(tallies: Tallies, audibility: Floats, false_yes: Floats) -> Floats:
    """Return the audibility of each level, kept apart from mistakes.

    An answer hears when the event is audible to it and a cell is noticed; of those that did not
    hear, some had an audible event of which they noticed no cell.
    """
    salience = saliences()[None, 1:]
    hearers, listened = (
        counts.reshape(len(audibility), -1)[:, 1:] for counts in (tallies.heard, tallies.listened)
    )
    for _ in range(INNER_STEPS):
        hears = audibility[:, None] * salience
        unnoticed = (hears / salience - hears) / np.maximum(1 - hears, 1e-6)
        audible = hearers + (listened - hearers) * unnoticed
        audibility = (audible.sum(axis=1) + 0.5) / (listened.sum(axis=1) + 1.0)
    faintest = max(FAINTEST, TIMES_MISTAKES * float(false_yes.max()))
    return np.asarray(np.clip(audibility, min(faintest, 0.9), 0.999))


def next_noticed(
    patterns: Floats, noticed: Floats, audibility: Floats, borders: Floats | None = None
) -> tuple[Floats, Floats | None]:
    """Return how probably a cell at each place of a window is noticed, and the next `borders`.

    `patterns` (levels, 2**cells, 2) counts the answers no and yes to each pattern. EM for a noisy
    OR: cells are noticed or not, one that is noticed, an audible event and a window that shows of
    it what people go by make a yes.
    """
    active, kind = places(len(noticed)), borders_of(len(noticed))
    asked, yes = patterns.sum(axis=-1), patterns[..., 1]
    false_yes = yes[:, 0].sum() / np.maximum(asked[:, 0].sum(), TINY)
    audible = ATTENTION * audibility[:, None]
    times = (asked.sum(axis=0)[:, None] * active).sum(axis=0)
    shown = np.ones(BORDERS) if borders is None else borders
    for _ in range(INNER_STEPS):
        any_cell, struck = noticing(noticed), shown[kind]
        hears = audible * struck * any_cell
        hearers = yes * hears / np.maximum(false_yes + (1 - false_yes) * hears, TINY)
        deaf = (asked - hearers) / np.maximum(1 - hears, 1e-9)
        per_pattern = hearers / np.maximum(any_cell, 1e-9) + deaf * (1 - audible * struck)
        expected = noticed * (per_pattern.sum(axis=0)[:, None] * active).sum(axis=0)
        if borders is not None:
            shown = _next_borders(hearers + deaf * struck * (1 - audible * any_cell), asked)
        gate = hearers + deaf * audible * (1 - struck * any_cell)
        audible = ((gate[:, 1:].sum(axis=1) + 0.5) / (asked[:, 1:].sum(axis=1) + 1.0))[:, None]
        mean = expected.sum() / times.sum()
        noticed = (expected + PLACE_PRIOR * mean) / (times + PLACE_PRIOR)
        noticed = np.clip(noticed, 0.02, 0.98)
    return np.asarray(noticed), None if borders is None else shown


def _next_borders(struck: Floats, asked: Floats) -> Floats:
    """Return the share of answers that were struck by what a window shows, the highest made 1.

    Both are (levels, 2**cells). What all cases have in common is audibility.
    """
    kind = borders_of(int(asked.shape[1]).bit_length() - 1)[1:]
    hits, total = (
        np.bincount(kind, counts[:, 1:].sum(axis=0), BORDERS) for counts in (struck, asked)
    )
    mean = hits.sum() / np.maximum(total.sum(), TINY)
    shares = (hits + BORDER_PRIOR * mean) / (total + BORDER_PRIOR)
    return np.asarray(shares / shares.max())


def next_confusions(tallies: Tallies, confused: Floats, heard: Floats) -> Floats:
    """Return how probably each heard label makes people tick each other one.

    Whoever hears the first may tick the second: the share of those who heard it that did, given
    that `heard` (windows, labels) is how probably it was heard.
    """
    shares = np.zeros_like(confused)
    for label in range(len(confused)):
        own = heard[:, label : label + 1]
        fires = confused[label] * own
        fired = fires * tallies.caused
        idle = np.maximum(tallies.attended - fired, 0.0)
        exposed = fired + idle * own * (1 - confused[label]) / (1 - fires)
        shares[label] = fired.sum(axis=0) / (exposed.sum(axis=0) + CONFUSION_PRIOR)
    np.fill_diagonal(shares, 0.0)
    return np.clip(shares, 0.0, 0.6)
