"""One fit of the window HMM: the model, its E- and M-steps, and draws from it.

`hmm` says from where fits start and which of them wins; `hearing` has what people tick.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from earmark.arrays import Bools, Floats
from earmark.stats.draw import stream
from earmark.tasks.events.reconcile import hearing as hear
from earmark.tasks.events.reconcile.hearing import Hearing
from earmark.tasks.events.reconcile.window_answers import WindowAnswers

if TYPE_CHECKING:
    from earmark.tasks.events.reconcile.hearing_kernel import AnswerRows, Tallies
    from earmark.tasks.events.reconcile.hmm_kernel import LabelChain

# The fit stops when the log-likelihood grows by less than this share of itself.
TOLERANCE = 1e-4

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


def fitted(answers: WindowAnswers, start: Smoothed, *, shrink: float, steps: int) -> Smoothed:
    """Run EM from a model for at most so many E-steps."""
    hearing, chain, before = start.hearing, start.chain, -np.inf
    for _ in range(steps):
        smoothed, next_chain, tally = _expectation(answers, hearing, chain)
        if smoothed.log_likelihood - before < TOLERANCE * abs(smoothed.log_likelihood):
            break
        before = smoothed.log_likelihood
        hearing, chain = _next_hearing(smoothed, *tally(), shrink), next_chain
    return smoothed


def one_step(answers: WindowAnswers, start: Smoothed, *, shrink: float) -> Smoothed:
    """Run one step of EM from a model; what is smoothed is as the step began."""
    smoothed, chain, tally = _expectation(answers, start.hearing, start.chain)
    return replace(smoothed, hearing=_next_hearing(smoothed, *tally(), shrink), chain=chain)


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
    noticed, borders = hear.next_noticed(patterns, now.noticed, audibility, now.borders)
    hears = 1 - now.model().silent
    return Hearing(
        audibility=audibility,
        noticed=noticed,
        borders=borders,
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


def likelihood_blocks(
    answers: WindowAnswers, hearing: Hearing
) -> Iterator[tuple[slice, int, Floats]]:
    """Yield the likelihood of the answers, recording by recording and label by label.

    Each with the windows of the recording and the label; (windows, levels, saliences).
    """
    likelihood, _ = _likelihood(answers, hearing)
    by_level = (-1, len(hearing.audibility), hear.STEPS + 1)
    for first, last in pairwise(answers.starts.tolist()):
        windows = slice(first, last)
        for label in range(len(answers.labels)):
            yield windows, label, np.ascontiguousarray(likelihood[windows, label]).reshape(by_level)


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


def predicted(answers: WindowAnswers, smoothed: Smoothed) -> float:
    """Return the log-probability of answers that the model has not seen."""
    from earmark.tasks.events.reconcile.hearing_kernel import predicted_log_likelihoods

    rows, model = _rows(answers), smoothed.hearing.model()
    return float(predicted_log_likelihoods(rows, model, smoothed.columns).sum())


def _rows(answers: WindowAnswers) -> "AnswerRows":
    from earmark.tasks.events.reconcile.hearing_kernel import AnswerRows

    return AnswerRows(answers.window, answers.person, answers.yes)


def _normalised(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(axis=-1, keepdims=True))
