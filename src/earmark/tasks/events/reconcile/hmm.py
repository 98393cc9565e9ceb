"""The window HMM: what was active in each cell, given who ticked what in overlapping windows.

MACE decides windows one by one and stacks them afterwards, which smears borders over a window's
length. Here the cells themselves (seconds, by default) are hidden: a window's answers depend on
which of its cells are active, on how audible the event is, which all windows that hold it share,
and on who answers (`hearing`). `hmm_kernel` has the passes over one recording; `hmm_fit` fits the
model by EM. EM finds the nearest optimum only, so it starts from several ideas of what is noticed
in a window; and an event may have as many levels of audibility as held-out answers call for.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.tasks.events.reconcile import hearing as hear
from earmark.tasks.events.reconcile.hearing import BEGINS, BORDERS, ENDS, Hearing
from earmark.tasks.events.reconcile.hmm_fit import MOVES, Chain, Smoothed, fitted, predicted
from earmark.tasks.events.reconcile.options import MOST_LEVELS, WindowHmmOptions
from earmark.tasks.events.reconcile.window_answers import WindowAnswers
from earmark.values.errors import InputError

# A window of 12 cells has 4,096 patterns per level; every further cell doubles time and memory.
MOST_CELLS = 12

# Share of the answers that are held out while the number of levels is chosen, and by how much more
# levels must raise the mean logarithm of their probability. On development crowds events that
# differ in loudness gain .04 and more, events that do not less than .01.
HELD_OUT, WORTH_A_LEVEL = 0.1, 0.01
# By how much telling apart what begins or ends in a window must raise the mean log-likelihood of
# the answers that are not held out: three more numbers for thousands of answers. On development
# crowds that go by it this gains .03 and more, on others at most .011, where all borders come out
# as 1. Held-out answers, which the windows around them give away, hardly differ. Borders that are
# all above ALIKE are not told apart.
WORTH_BORDERS, ALIKE = 0.01, 0.9

# Answers that are enough to choose a model by; the fit itself takes all of them.
ENOUGH = 5000

# Steps after which the less likely starts are left, and how many go on.
FIRST_STEPS, GO_ON = 6, 2

# Where EM starts; chosen by hand on the development crowds of benchmarks/crowds.
# Audibility of the first level, probability of a mistake and of a confusion.
AUDIBILITY, FALSE_YES, CONFUSED = 0.9, 0.01, 0.05
# A second level starts at this share of the first, a third half-way between the two; either takes
# this share of the events.
FAINTER, NEW_SHARE = 0.4, 0.2
# How well what neither begins nor ends in a window is noticed, where borders are told apart.
OVERLOOKED = 0.5


def window_hmm(
    answers: WindowAnswers, options: WindowHmmOptions = WindowHmmOptions(), *, seed: int = 0
) -> Smoothed:
    """Fit the HMM by EM and smooth every label of every recording.

    The seed draws which answers are held out to choose the number of levels. Raise InputError if a
    window lasts fewer than 2 or more than 12 hops.
    """
    if not 2 <= answers.cells <= MOST_CELLS:
        raise InputError(
            f"the window HMM needs windows of 2 to {MOST_CELLS} hops",
            got=f"{answers.cells} hops",
            fix="ask with another window or hop, or reconcile by mace",
        )
    sample = _sample(answers)
    model = _by_held_out_answers(sample, options, seed)
    return fitted(
        answers, _for_all(model, answers), shrink=options.shrink, steps=options.iterations
    )


def _sample(answers: WindowAnswers) -> WindowAnswers:
    """Return the answers about the first recordings, enough to choose a model by."""
    count = np.searchsorted(answers.window, answers.starts[1:])  # answers up to each recording
    last = min(int(np.searchsorted(count, ENOUGH)) + 1, len(answers.recordings))
    end = int(count[last - 1])
    return replace(
        answers,
        recordings=answers.recordings[:last],
        durations=answers.durations[:last],
        starts=answers.starts[: last + 1],
        window=answers.window[:end],
        person=answers.person[:end],
        yes=answers.yes[:end],
    )


def _for_all(model: Smoothed, answers: WindowAnswers) -> Smoothed:
    """Return a model to start from for all answers: what is heard in other windows is not known."""
    hearing = replace(model.hearing, heard=_shares(answers))
    return replace(model, hearing=hearing)


def _shares(answers: WindowAnswers) -> Floats:
    """Return the share of a window's people who ticked each label: (windows, labels)."""
    ticked, asked = answers.votes()
    return np.asarray(ticked / np.maximum(asked, 1.0)[:, None])


def _by_held_out_answers(answers: WindowAnswers, options: WindowHmmOptions, seed: int) -> Smoothed:
    """Return the simplest model that explains answers as well as any.

    Held-out answers choose the number of levels; what begins or ends in a window is told apart from
    what goes on where that makes all other answers likelier.
    """
    held_out: Bools = stream(seed, "held-out").random(len(answers.window)) < HELD_OUT
    known, asked = _chosen(answers, ~held_out), _chosen(answers, held_out)
    starts = [_start(answers, noticed) for noticed in _shapes(answers)[: options.restarts]]
    alike = _from_best_start(known, starts, options)
    apart = _from_best_start(known, _with_borders(alike), options)
    plain = _of_fewest_levels(known, asked, alike, options)
    if apart.hearing.borders is None or apart.hearing.borders.min() > ALIKE:
        return plain
    bordered = _of_fewest_levels(known, asked, apart, options)
    gain = bordered.log_likelihood - plain.log_likelihood
    return bordered if gain >= WORTH_BORDERS * len(known.window) else plain


def _of_fewest_levels(
    known: WindowAnswers, asked: WindowAnswers, first: Smoothed, options: WindowHmmOptions
) -> Smoothed:
    """Return the model with the fewest levels that explain held-out answers as well as any.

    `first` has one level. With `options.levels`, return that of so many levels.
    """
    fits = [first]
    for _ in range(1, options.levels or MOST_LEVELS):
        fits.append(
            fitted(
                known, _one_level_more(fits[-1]), shrink=options.shrink, steps=options.iterations
            )
        )
    if options.levels:
        return fits[-1]
    logs = [predicted(asked, fit) for fit in fits]
    enough = max(logs) - WORTH_A_LEVEL * len(asked.window)
    return next(fit for fit, log in zip(fits, logs, strict=True) if log >= enough)


def _from_best_start(
    answers: WindowAnswers, starts: Sequence[Smoothed], options: WindowHmmOptions
) -> Smoothed:
    """Return the likeliest model of one level that EM reaches from several starts."""
    first = min(FIRST_STEPS, options.iterations)
    begun = [
        fitted(answers, each, shrink=options.shrink, steps=first)
        for each in track(starts, label="window HMM: starts")
    ]
    likely = sorted(begun, key=lambda each: -each.log_likelihood)[:GO_ON]
    ends = [
        fitted(answers, each, shrink=options.shrink, steps=options.iterations) for each in likely
    ]
    return max(ends, key=lambda each: each.log_likelihood)


def _with_borders(smoothed: Smoothed) -> list[Smoothed]:
    """Return models to start from that tell borders apart.

    What does not begin in a window is noticed half as well; or what does not end; or nothing. A
    case that starts at 1 stays there, so that the first two ideas learn what the others are worth
    beside it, and the third is what they have to beat.
    """
    ideas = np.ones((3, BORDERS))
    ideas[0, [0, ENDS]] = ideas[1, [0, BEGINS]] = OVERLOOKED
    return [replace(smoothed, hearing=replace(smoothed.hearing, borders=row)) for row in ideas]


def _shapes(answers: WindowAnswers) -> list[Floats]:
    """Return how probably a cell at each place of a window is noticed, where EM may start.

    Every cell is noticed; every other; not those at the edges; the later the better; the earlier
    the better.
    """
    place = np.linspace(0.0, 1.0, answers.cells)
    from_edge = np.minimum(place, 1 - place)
    edges = np.interp(from_edge, [0.0, 0.12, 0.2], [0.1, 0.3, 0.8])
    late = 0.15 + 0.75 * place
    return [np.full_like(place, 0.95), np.full_like(place, 0.5), edges, late, late[::-1].copy()]


def _start(answers: WindowAnswers, noticed: Floats) -> Smoothed:
    """Return the model from which EM starts, of one level; nothing is smoothed yet."""
    people, labels = len(answers.people), len(answers.labels)
    hearing = Hearing(
        audibility=np.array([AUDIBILITY]),
        noticed=noticed,
        false_yes=np.full(labels, FALSE_YES),
        confused=CONFUSED * (1 - np.eye(labels)),
        attention=np.full(people, hear.ATTENTION),
        guesses=np.full((people, labels), hear.GUESS),
        heard=_shares(answers),
    )
    chain = Chain(np.tile(np.array(MOVES), (labels, 1, 1)), np.ones((labels, 1)))
    nothing = np.zeros((0, labels))
    return Smoothed(nothing, nothing, hearing, chain, -np.inf)


def _one_level_more(smoothed: Smoothed) -> Smoothed:
    """Return a model to start from, with a fainter level or one between the two there are."""
    audibility, levels = smoothed.hearing.audibility, smoothed.chain.levels
    new = FAINTER * audibility[0] if len(audibility) == 1 else audibility.mean()
    shares = np.full((len(levels), 1), NEW_SHARE)
    return replace(
        smoothed,
        hearing=replace(smoothed.hearing, audibility=np.append(audibility, new)),
        chain=Chain(smoothed.chain.moves, np.hstack([levels * (1 - NEW_SHARE), shares])),
    )


def _chosen(answers: WindowAnswers, chosen: Bools) -> WindowAnswers:
    """Return some of the answers; every window and person stays."""
    return replace(
        answers,
        window=answers.window[chosen],
        person=answers.person[chosen],
        yes=answers.yes[chosen],
    )
