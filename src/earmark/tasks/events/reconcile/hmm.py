"""The window HMM: what was active in each cell, given who ticked what in overlapping windows.

MACE decides windows one by one and stacks them afterwards, which smears borders over a window's
length. Here the cells themselves (seconds, by default) are hidden: a window's answers depend on
which of its cells are active, on how audible the event is, which all windows that hold it share,
and on who answers (`hearing`). `hmm_kernel` has the passes over one recording; this module fits the
model by EM. EM finds the nearest optimum only, so it starts from several ideas of what is noticed
in a window; and levels of audibility are added one at a time, as long as answers that were held out
become more probable by it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.stats.draw import stream
from earmark.stats.information import binary_entropy
from earmark.task.progress import track
from earmark.tasks.events.reconcile import hearing as hear
from earmark.tasks.events.reconcile.hearing import Hearing
from earmark.tasks.events.reconcile.options import MOST_LEVELS, WindowHmmOptions
from earmark.tasks.events.reconcile.window_answers import WindowAnswers
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.tasks.events.reconcile.hearing_kernel import AnswerRows, Tallies
    from earmark.tasks.events.reconcile.hmm_kernel import LabelChain

# A window of 12 cells has 4,096 patterns per level; every further cell doubles time and memory.
MOST_CELLS = 12

# The fit stops when the log-likelihood grows by less than this share of itself.
TOLERANCE = 1e-4

# Share of the answers that are held out while the number of levels is chosen, and by how much more
# levels must raise the mean logarithm of their probability. On development crowds events that
# differ in loudness gain .04 and more, events that do not less than .01.
HELD_OUT, WORTH_A_LEVEL = 0.1, 0.01

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
# Cell before by cell after: with cells of a second, events of 10 s and pauses of 33 s on average.
MOVES = ((0.97, 0.03), (0.1, 0.9))
# How many moves of each label, of either kind, that is worth: a pause shorter than a window leaves
# no trace where everybody ticks whatever sounds in it, so that lengths must not be learnt from
# the answers alone. Without it EM broke a long event that all had heard into pieces.
MOVES_PRIOR = 25.0


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """For each label, how probable moves between cells and levels of audibility are."""

    moves: Floats  # (labels, 2, 2): cell before, cell after
    levels: Floats  # (labels, levels)

    def of(self, label: int) -> "LabelChain":
        """Return the chain of one label; its first cell is drawn from the stationary state."""
        from earmark.tasks.events.reconcile.hmm_kernel import ACTIVE, INACTIVE, LabelChain

        ends = self.moves[label, ACTIVE, INACTIVE]
        begins = self.moves[label, INACTIVE, ACTIVE]
        first = np.array([ends, begins]) / (ends + begins)
        return LabelChain(first, self.moves[label], self.levels[label])


@dataclass(frozen=True, slots=True, eq=False)
class Smoothed:
    """The fitted model. A column is a level and a salience: `level * (STEPS + 1) + salience`."""

    active: Floats  # (all cells, labels): probability that a cell is active
    columns: Floats  # (windows, labels, columns): probability of a window's column
    hearing: Hearing
    chain: Chain
    log_likelihood: float

    def doubt(self) -> Floats:
        """Return the entropy of each cell in bits: 0 certain, 1 undecided."""
        return binary_entropy(self.active)


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
    return _fitted(answers, _for_all(model, answers), options, options.iterations)


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
    """Return the model with the fewest levels that explain held-out answers as well as any.

    With `options.levels`, that of so many levels.
    """
    held_out: Bools = stream(seed, "held-out").random(len(answers.window)) < HELD_OUT
    known, asked = _chosen(answers, ~held_out), _chosen(answers, held_out)
    fits = [_from_best_start(known, options)]
    for _ in range(1, options.levels or MOST_LEVELS):
        fits.append(_fitted(known, _one_level_more(fits[-1]), options, options.iterations))
    if options.levels:
        return fits[-1]
    logs = [_predicted(asked, fit) for fit in fits]
    enough = max(logs) - WORTH_A_LEVEL * len(asked.window)
    return next(fit for fit, log in zip(fits, logs, strict=True) if log >= enough)


def _from_best_start(answers: WindowAnswers, options: WindowHmmOptions) -> Smoothed:
    """Return the likeliest model of one level that EM reaches from several starts."""
    shapes = _shapes(answers)[: options.restarts]
    starts = [
        _fitted(answers, _start(answers, noticed), options, min(FIRST_STEPS, options.iterations))
        for noticed in track(shapes, label="window HMM: starts")
    ]
    likely = sorted(starts, key=lambda each: -each.log_likelihood)[:GO_ON]
    ends = [_fitted(answers, each, options, options.iterations) for each in likely]
    return max(ends, key=lambda each: each.log_likelihood)


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


def _fitted(
    answers: WindowAnswers, start: Smoothed, options: WindowHmmOptions, steps: int
) -> Smoothed:
    """Run EM from a model for at most so many E-steps."""
    hearing, chain, before = start.hearing, start.chain, -np.inf
    for _ in range(steps):
        smoothed, next_chain, tally = _expectation(answers, hearing, chain)
        if smoothed.log_likelihood - before < TOLERANCE * abs(smoothed.log_likelihood):
            break
        before = smoothed.log_likelihood
        hearing, chain = _next_hearing(smoothed, *tally(), options.shrink), next_chain
    return smoothed


def _expectation(
    answers: WindowAnswers, hearing: Hearing, chain: Chain
) -> tuple[Smoothed, Chain, "Callable[[], tuple[Tallies, Floats]]"]:
    """Run the E-step with the parameters as they are.

    Also return the chain for the next one, and what counts people's answers, if that is wanted.
    """
    from earmark.tasks.events.reconcile.hmm_kernel import ExpectedCounts, smooth

    likelihood, scale = _likelihood(answers, hearing)
    column_of, by_level = hearing.column_of(), (-1, len(hearing.audibility), hear.STEPS + 1)
    starts, labels = answers.cell_starts(), len(answers.labels)
    active, columns = np.zeros((starts[-1], labels)), np.zeros_like(likelihood)
    votes = _votes(answers)
    # one event on every level has been seen before, so that none ever gets probability 0
    moves, begins = np.full_like(chain.moves, MOVES_PRIOR) * MOVES, np.ones_like(chain.levels)
    patterns = np.zeros((len(hearing.audibility), len(column_of), 2))
    total = float(scale.sum())
    for k in range(labels):
        counts = ExpectedCounts(moves[k], begins[k], patterns)
        for r in range(len(answers.recordings)):
            windows = slice(answers.starts[r], answers.starts[r + 1])
            block = np.ascontiguousarray(likelihood[windows, k]).reshape(by_level)
            recording = smooth(block, votes[k, windows], column_of, chain.of(k), counts)
            columns[windows, k] = recording.columns.reshape(len(block), -1)
            active[starts[r] : starts[r + 1], k] = recording.active
            total += recording.log_likelihood
    smoothed = Smoothed(np.clip(active, 0, 1), columns, hearing, chain, total)
    next_chain = Chain(_normalised(moves), _normalised(begins))
    return smoothed, next_chain, lambda: (_tallies(answers, smoothed), patterns)


def _votes(answers: WindowAnswers) -> Floats:
    """Return how many people said no and yes: (labels, windows, 2)."""
    ticked, asked = answers.votes()
    return np.ascontiguousarray(np.stack([asked[:, None] - ticked, ticked], axis=2).swapaxes(0, 1))


def _tallies(answers: WindowAnswers, smoothed: Smoothed) -> "Tallies":
    from earmark.tasks.events.reconcile.hearing_kernel import Tallies, add_expected_answers

    people, labels = smoothed.hearing.guesses.shape
    columns = smoothed.columns.shape[2]
    tallies = Tallies(
        attentive=np.zeros(people),
        answers=np.zeros(people),
        guesses=np.zeros((people, labels, 2)),
        heard=np.zeros(columns),
        listened=np.zeros(columns),
        mistakes=np.zeros(labels),
        attended=np.zeros((answers.windows, labels)),
        caused=np.zeros((answers.windows, labels)),
    )
    hearing = smoothed.hearing
    add_expected_answers(
        _rows(answers), hearing.model(), smoothed.columns, hearing.false_yes, tallies
    )
    return tallies


def _next_hearing(
    smoothed: Smoothed, tallies: "Tallies", patterns: Floats, shrink: float
) -> Hearing:
    """Run the M-step for people and what they hear."""
    now = smoothed.hearing
    attention, guesses = hear.next_people(tallies, shrink)
    false_yes = hear.next_mistakes(tallies)
    audibility = hear.next_audibility(tallies, now.audibility, false_yes)
    hears = 1 - now.model().silent
    return Hearing(
        audibility=audibility,
        noticed=hear.next_noticed(patterns, now.noticed, audibility),
        false_yes=false_yes,
        confused=hear.next_confusions(tallies, now.confused, now.heard),
        attention=attention,
        guesses=guesses,
        heard=(smoothed.columns * hears).sum(axis=2),
    )


def sampled_paths(
    answers: WindowAnswers, smoothed: Smoothed, *, draws: int, seed: int
) -> dict[str, dict[str, Bools]]:
    """Return joint draws of all cells by recording and label, each (draws, cells).

    The parameters are those of the fit; draws come from (seed, recording, label).
    """
    from earmark.tasks.events.reconcile.path_kernel import draw_paths

    hearing = smoothed.hearing
    likelihood, _ = _likelihood(answers, hearing)
    column_of, by_level = hearing.column_of(), (-1, len(hearing.audibility), hear.STEPS + 1)
    paths: dict[str, dict[str, Bools]] = {}
    for r, recording in enumerate(answers.recordings):
        windows = slice(answers.starts[r], answers.starts[r + 1])
        own = paths[recording] = {}
        for k, label in enumerate(answers.labels):
            block = np.ascontiguousarray(likelihood[windows, k]).reshape(by_level)
            uniform = stream(seed, "window-hmm", recording, label).random((draws, len(block)))
            own[label] = draw_paths(block, column_of, smoothed.chain.of(k), uniform)
    return paths


def _likelihood(answers: WindowAnswers, hearing: Hearing) -> tuple[Floats, Floats]:
    """Return the likelihood (windows, labels, columns), and the logarithm it was scaled by.

    The best column of each window and label gets likelihood 1, so that none underflows.
    """
    from earmark.tasks.events.reconcile.hearing_kernel import add_log_likelihoods

    model = hearing.model()
    totals = np.zeros((answers.windows, len(answers.labels), len(model.silent)))
    add_log_likelihoods(_rows(answers), model, totals)
    scale = totals.max(axis=2)
    return np.exp(totals - scale[:, :, None]), scale


def _predicted(answers: WindowAnswers, smoothed: Smoothed) -> float:
    """Return the log-probability of answers that the model has not seen."""
    from earmark.tasks.events.reconcile.hearing_kernel import predicted_log_likelihoods

    rows, model = _rows(answers), smoothed.hearing.model()
    return float(predicted_log_likelihoods(rows, model, smoothed.columns).sum())


def _rows(answers: WindowAnswers) -> "AnswerRows":
    from earmark.tasks.events.reconcile.hearing_kernel import AnswerRows

    return AnswerRows(answers.window, answers.person, answers.yes)


def _chosen(answers: WindowAnswers, chosen: Bools) -> WindowAnswers:
    """Return some of the answers; every window and person stays."""
    return replace(
        answers,
        window=answers.window[chosen],
        person=answers.person[chosen],
        yes=answers.yes[chosen],
    )


def _normalised(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))
