"""Labels and competence together: MACE (Hovy, Berg-Kirkpatrick, Vaswani and Hovy, NAACL 2013).

A person knows an item with a probability of their own (their competence) and then says the true
label; otherwise they guess, and the answer is drawn from a strategy of their own, a distribution
over labels. EM, or its variational form, infers who knows what from how people agree.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from earmark.arrays import Floats
from earmark.reconcile.ballots import Coded
from earmark.reconcile.fit import FittedLabels
from earmark.stats.draw import stream
from earmark.task.options import option
from earmark.task.progress import track
from earmark.values.errors import InputError

GUESS, KNOW = 0, 1  # columns of _Parameters.knows


@dataclass(frozen=True, slots=True, kw_only=True)
class MaceOptions:
    """How MACE is fitted; the defaults are the authors'."""

    inference: Literal["vb", "em"] = option("vb", "Variational with priors, or EM.")
    restarts: int = option(10, "Starts from other draws; the likeliest fit wins.")
    iterations: int = option(50, "Steps of each fit.")
    guess_prior: float = option(0.5, "The authors' alpha: prior count of guessing (vb).")
    know_prior: float = option(0.5, "The authors' beta: prior count of knowing (vb).")
    strategy_prior: float = option(10.0, "Prior count of each label in a strategy (vb).")
    smoothing: float = option(0.01, "Divided by the number of labels, added to every count (em).")
    start: Literal["drawn", "even"] = option(
        "drawn", "1 + 0.5 U, normalised, other draws for every restart; or uniform."
    )

    def __post_init__(self) -> None:
        if self.restarts < 1 or self.iterations < 1:
            raise InputError(
                "MACE needs at least one restart and one iteration",
                got=f"{self.restarts} restarts, {self.iterations} iterations",
            )


@dataclass(frozen=True, slots=True)
class _Parameters:
    """The model: `knows` (people, 2) for guessing and knowing, `strategy` (people, labels).

    Rows add up to 1 under `em`; under `vb` they are exponentials of expected logarithms, which add
    up to less.
    """

    knows: Floats
    strategy: Floats

    def table(self) -> Floats:
        """Return (2, people * labels): log P(answer by guessing), and what knowing adds to it."""
        guessed = self.knows[:, GUESS, None] * self.strategy
        both = guessed + self.knows[:, KNOW, None]
        return np.log(np.stack([guessed.ravel(), (both / guessed).ravel()]))

    def credit(self) -> Floats:
        """Return P(known | the answer is the true label), people by labels."""
        guessed = self.knows[:, GUESS, None] * self.strategy
        known = self.knows[:, KNOW, None]
        return np.asarray(known / (guessed + known))


def mace(
    answers: Coded,
    options: MaceOptions = MaceOptions(),
    *,
    seed: int = 0,
    plain: bool = False,
) -> FittedLabels:
    """Fit MACE from several starts, and return the fit with the highest log-likelihood.

    Restart k draws its start from (seed, k). `plain` uses a slower version in numpy, which gives
    the same numbers.
    """
    step = _PlainStep(answers) if plain else _CompiledStep(answers)
    best: FittedLabels | None = None
    for restart in track(range(options.restarts), label="MACE restarts"):
        start = _start(answers, options, seed, restart)
        fit = _fitted(answers.cells(), options, start, step)
        if best is None or fit.log_likelihood > best.log_likelihood:
            best = fit
    if best is None or math.isnan(best.log_likelihood):
        raise InputError("MACE found no start from which its likelihood is a number")
    return best


def _start(answers: Coded, options: MaceOptions, seed: int, restart: int) -> _Parameters:
    people, size = len(answers.people), len(answers.labels)
    if options.start == "even":
        return _Parameters(np.full((people, 2), 0.5), np.full((people, size), 1.0 / size))
    rng = stream(seed, "mace restart", restart)
    knows, strategy = 1 + 0.5 * rng.random((people, 2)), 1 + 0.5 * rng.random((people, size))
    return _Parameters(_normalised(knows), _normalised(strategy))


def _fitted(
    cells: Floats, options: MaceOptions, start: _Parameters, step: "_PlainStep | _CompiledStep"
) -> FittedLabels:
    """Alternate M-steps and E-steps; `cells` (people, labels) counts each person's answers."""
    model = start
    likelihood = step(model)
    for _ in range(options.iterations):
        known = step.agreed * model.credit()
        model = _maximised(cells - known, known.sum(axis=1), options)
        likelihood = step(model)
    tables = (("guess", model.knows[:, GUESS]), ("strategy", model.strategy))
    return FittedLabels(step.posterior.copy(), model.knows[:, KNOW].copy(), likelihood, tables)


def _maximised(guessed: Floats, known: Floats, options: MaceOptions) -> _Parameters:
    """Run the M-step: section 3.2 of the paper for `em`, its variational version for `vb`.

    `guessed` (people, labels) and `known` (people,) are expected counts of answers.
    """
    knows = np.stack([guessed.sum(axis=1), known], axis=1)
    if options.inference == "em":
        smoothing = options.smoothing / guessed.shape[1]
        return _Parameters(_normalised(knows + smoothing), _normalised(guessed + smoothing))
    prior = np.array([options.guess_prior, options.know_prior])
    return _Parameters(_variational(knows + prior), _variational(guessed + options.strategy_prior))


def _normalised(counts: Floats) -> Floats:
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _variational(counts: Floats) -> Floats:
    """Return exp E[log p] of a Dirichlet distribution with these counts, row by row."""
    from scipy.special import digamma

    return np.asarray(np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True))))


class _PlainStep:
    """The E-step in numpy, to be read and to be compared with.

    A call sets `posterior` (items, labels) and `agreed` (people, labels): by person and answer, the
    expected number of items of which that answer is the true label.
    """

    def __init__(self, answers: Coded) -> None:
        self.answers = answers
        self.posterior = np.zeros((len(answers.items), len(answers.labels)))
        self.agreed = np.zeros((len(answers.people), len(answers.labels)))

    def __call__(self, model: _Parameters) -> float:
        """Run the E-step and return the log-likelihood."""
        answers, (items, size) = self.answers, self.posterior.shape
        cell = answers.person.astype(np.int64) * size + answers.label
        guess, gain = model.table()
        flat = np.zeros(items * size)
        np.add.at(flat, answers.item.astype(np.int64) * size + answers.label, gain[cell])
        base = np.zeros(items)
        np.add.at(base, answers.item, guess[cell])
        scores = flat.reshape(items, size)
        top = scores.max(axis=1)
        weights = np.exp(scores - top[:, None])
        mass = weights.sum(axis=1)
        self.posterior = weights / mass[:, None]
        right = self.posterior[answers.item, answers.label]
        agreed = np.bincount(cell, weights=right, minlength=self.agreed.size)
        self.agreed = agreed.reshape(self.agreed.shape).astype(np.float64)
        return float(np.sum(base + top + np.log(mass / size)))


class _CompiledStep:
    """The same by a compiled loop."""

    def __init__(self, answers: Coded) -> None:
        size = len(answers.labels)
        self.starts, self.label = answers.starts, answers.label
        self.cell = answers.person * np.int32(size) + answers.label.astype(np.int32)
        self.posterior = np.zeros((len(answers.items), size))
        self.agreed = np.zeros((len(answers.people), size))

    def __call__(self, model: _Parameters) -> float:
        """Run the E-step and return the log-likelihood."""
        from earmark.reconcile.kernels import mace_expectation

        table = np.ascontiguousarray(model.table())
        flat = self.agreed.reshape(-1)
        return float(
            mace_expectation(self.starts, self.cell, self.label, table, self.posterior, flat)
        )
