"""Labels and competence together: MACE (Hovy, Berg-Kirkpatrick, Vaswani and Hovy, NAACL 2013).

Person a knows an item with probability theta_a and then says the truth; otherwise the answer is
drawn from a strategy of their own. The posterior of knowing needs only one table lookup an answer,
because all that an answer contributes depends on its person, its label and its item's posterior.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from earmark.reconcile.ballots import Coded, Floats
from earmark.reconcile.fit import Fit
from earmark.stats.draw import stream
from earmark.task.progress import track
from earmark.values.errors import InputError

GUESS, KNOW = 0, 1


@dataclass(frozen=True, slots=True)
class Recipe:
    """How MACE is fitted; the defaults are the authors'.

    `guess_prior` and `know_prior` are their alpha and beta, `strategy_prior` their 10 a label, used
    by `vb`; `smoothing`, divided by the number of labels, is what `em` adds to every count.
    `start` is `drawn` (1 + 0.5 U, normalised, each restart another draw) or `even` (know = guess =
    0.5, strategies uniform).
    """

    inference: Literal["vb", "em"] = "vb"
    restarts: int = 10
    iterations: int = 50
    guess_prior: float = 0.5
    know_prior: float = 0.5
    strategy_prior: float = 10.0
    smoothing: float = 0.01
    start: Literal["drawn", "even"] = "drawn"

    def __post_init__(self) -> None:
        if self.restarts < 1 or self.iterations < 1:
            raise InputError(
                "MACE needs at least one restart and one iteration",
                got=f"{self.restarts} restarts, {self.iterations} iterations",
            )


@dataclass(frozen=True, slots=True)
class _State:
    """Per person: (guess, know) and the strategy; under `vb` neither needs to sum to 1."""

    knows: Floats
    strategy: Floats

    def table(self) -> Floats:
        """Log-probability of every possible answer by guessing, and what knowing adds to it."""
        guessed = self.knows[:, GUESS, None] * self.strategy
        both = guessed + self.knows[:, KNOW, None]
        return np.log(np.stack([guessed.ravel(), (both / guessed).ravel()]))

    def credit(self) -> Floats:
        """Probability that an answer that equals the truth was known, people by labels."""
        guessed = self.knows[:, GUESS, None] * self.strategy
        known = self.knows[:, KNOW, None]
        return np.asarray(known / (guessed + known))


def mace(
    answers: Coded, recipe: Recipe | None = None, *, seed: int = 0, plain: bool = False
) -> Fit:
    """The best of several fits by log-likelihood.

    Parameters
    ----------
    answers
        Who said what.
    recipe
        How to fit; the authors' defaults when left out.
    seed
        Restart k draws its start from (seed, k).
    plain
        Use the slow version that is easier to read; it gives the same numbers.
    """
    recipe = recipe or Recipe()
    work = _Plain(answers) if plain else _Compiled(answers)
    best: Fit | None = None
    for restart in track(range(recipe.restarts), label="restarts"):
        fit = _fitted(answers.cells(), recipe, _start(answers, recipe, seed, restart), work)
        if best is None or fit.log_likelihood > best.log_likelihood:
            best = fit
    if best is None or math.isnan(best.log_likelihood):
        raise InputError("MACE found no start from which its likelihood is a number")
    return best


def _start(answers: Coded, recipe: Recipe, seed: int, restart: int) -> _State:
    people, size = len(answers.people), len(answers.labels)
    if recipe.start == "even":
        return _State(np.full((people, 2), 0.5), np.full((people, size), 1.0 / size))
    rng = stream(seed, "mace restart", restart)
    knows, strategy = 1 + 0.5 * rng.random((people, 2)), 1 + 0.5 * rng.random((people, size))
    return _State(
        knows / knows.sum(axis=1, keepdims=True), strategy / strategy.sum(axis=1, keepdims=True)
    )


def _fitted(cells: Floats, recipe: Recipe, state: _State, work: "_Plain | _Compiled") -> Fit:
    likelihood = work(state)
    for _ in range(recipe.iterations):
        known = work.known * state.credit()
        state = _maximised(cells - known, known.sum(axis=1), recipe)
        likelihood = work(state)
    tables = (("guess", state.knows[:, GUESS]), ("strategy", state.strategy))
    return Fit(work.posterior.copy(), state.knows[:, KNOW].copy(), likelihood, tables)


def _maximised(guessed: Floats, known: Floats, recipe: Recipe) -> _State:
    """The M-step: section 3.2 of the paper for `em`, its variational version for `vb`."""
    knows = np.stack([guessed.sum(axis=1), known], axis=1)
    if recipe.inference == "em":
        smoothing = recipe.smoothing / guessed.shape[1]
        return _State(_normalised(knows + smoothing), _normalised(guessed + smoothing))
    prior = np.array([recipe.guess_prior, recipe.know_prior])
    return _State(_variational(knows + prior), _variational(guessed + recipe.strategy_prior))


def _normalised(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _variational(counts: Floats) -> Floats:
    from scipy.special import digamma

    return np.asarray(np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True))))


class _Plain:
    """The E-step in numpy, to be read and to be compared with."""

    def __init__(self, answers: Coded) -> None:
        self.answers = answers
        self.posterior = np.zeros((len(answers.items), len(answers.labels)))
        self.known = np.zeros((len(answers.people), len(answers.labels)))

    def __call__(self, state: _State) -> float:
        """Fill posterior and known; give the log-likelihood."""
        answers, (items, size) = self.answers, self.posterior.shape
        cell = answers.person.astype(np.int64) * size + answers.label
        guess, gain = state.table()
        flat = np.zeros(items * size)
        np.add.at(flat, answers.item.astype(np.int64) * size + answers.label, gain[cell])
        base = np.zeros(items)
        np.add.at(base, answers.item, guess[cell])
        scores = flat.reshape(items, size)
        top = scores.max(axis=1)
        weights = np.exp(scores - top[:, None])
        mass = weights.sum(axis=1)
        self.posterior = weights / mass[:, None]
        agreed = self.posterior[answers.item, answers.label]
        known = np.bincount(cell, weights=agreed, minlength=self.known.size)
        self.known = known.reshape(self.known.shape).astype(np.float64)
        return float(np.sum(base + top + np.log(mass / size)))


class _Compiled:
    """The same by a compiled loop."""

    def __init__(self, answers: Coded) -> None:
        size = len(answers.labels)
        self.starts, self.label = answers.starts, answers.label
        self.cell = answers.person * np.int32(size) + answers.label.astype(np.int32)
        self.posterior = np.zeros((len(answers.items), size))
        self.known = np.zeros((len(answers.people), size))

    def __call__(self, state: _State) -> float:
        """Fill posterior and known; give the log-likelihood."""
        from earmark.reconcile.kernels import mace_expectation

        table = np.ascontiguousarray(state.table())
        flat = self.known.reshape(-1)
        return float(
            mace_expectation(self.starts, self.cell, self.label, table, self.posterior, flat)
        )
