"""Labels and confusions together (Dawid and Skene, Applied Statistics 28, 1979).

Every person has a table of P(answer | true label); tables, the prior of labels and the labels are
fitted by EM, which starts from the shares of votes.
"""

from dataclasses import dataclass

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.reconcile.ballots import Coded
from earmark.reconcile.fit import FittedLabels
from earmark.reconcile.vote import majority
from earmark.task.options import option
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class DawidSkeneOptions:
    """How Dawid and Skene's model is fitted."""

    iterations: int = option(100, "Steps of the fit, at most.")
    smoothing: float = option(0.01, "Added to every cell of a confusion table, so that none is 0.")
    tolerance: float = option(1e-9, "The fit ends when the log-likelihood gains a smaller share.")

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.smoothing <= 0:
            raise InputError(
                "Dawid-Skene needs iterations > 0 and smoothing > 0",
                got=f"{self.iterations} iterations, smoothing {self.smoothing}",
            )


@dataclass(frozen=True, slots=True)
class _Expected:
    """The outcome of an E-step.

    `posterior` is (items, labels); `counts` (people * labels, labels) sums it by (person, answer)
    and true label.
    """

    posterior: Floats
    counts: Floats
    log_likelihood: float


def dawid_skene(
    answers: Coded, options: DawidSkeneOptions = DawidSkeneOptions(), *, plain: bool = False
) -> FittedLabels:
    """Fit labels, their prior and confusion tables by EM; competence is P(answer = truth).

    `plain` uses a slower version in numpy, which gives the same numbers.
    """
    size = len(answers.labels)
    cell = answers.person.astype(np.int64) * size + answers.label
    step = _plain_step if plain else _compiled_step
    posterior = majority(answers).posterior
    now = _Expected(posterior, _counts(answers, cell, posterior), -np.inf)
    for _ in range(options.iterations):
        before = now.log_likelihood
        prior, confusion = _maximised(now, options.smoothing)
        # (people * labels, labels): by (person, answer) and true label
        table = np.log(np.transpose(confusion, (0, 2, 1)).reshape(-1, size))
        now = step(answers, cell, table, np.log(prior))
        if now.log_likelihood - before < options.tolerance * abs(now.log_likelihood):
            break
    right = np.einsum("akk,k->a", confusion, prior)
    tables = (("prior", prior), ("confusion", confusion))
    return FittedLabels(now.posterior, right, now.log_likelihood, tables)


def _counts(answers: Coded, cell: Ints, posterior: Floats) -> Floats:
    """Return the posterior summed by (person, answer) and true label."""
    size = len(answers.labels)
    cells = len(answers.people) * size
    columns = [
        np.bincount(cell, weights=posterior[answers.item, k], minlength=cells) for k in range(size)
    ]
    return np.stack(columns, axis=1)


def _maximised(expected: _Expected, smoothing: float) -> tuple[Floats, Floats]:
    """Run the M-step: the prior (labels,) and the confusions (people, true labels, answers)."""
    size = expected.posterior.shape[1]
    prior = expected.posterior.sum(axis=0) + smoothing
    confusion = np.transpose(expected.counts.reshape(-1, size, size), (0, 2, 1)) + smoothing
    return prior / prior.sum(), confusion / confusion.sum(axis=2, keepdims=True)


def _plain_step(answers: Coded, cell: Ints, table: Floats, log_prior: Floats) -> _Expected:
    """Run the E-step in numpy, to be read and to be compared with."""
    scores = np.repeat(log_prior[None], len(answers.items), axis=0)
    np.add.at(scores, answers.item, table[cell])
    top = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - top)
    mass = weights.sum(axis=1, keepdims=True)
    posterior = weights / mass
    likelihood = float(np.sum(top + np.log(mass)))
    return _Expected(posterior, _counts(answers, cell, posterior), likelihood)


def _compiled_step(answers: Coded, cell: Ints, table: Floats, log_prior: Floats) -> _Expected:
    """Run the E-step by a compiled loop."""
    from earmark.reconcile.kernels import confusion_expectation

    posterior = np.repeat(log_prior[None], len(answers.items), axis=0)
    counts = np.zeros_like(table)
    likelihood = confusion_expectation(
        answers.starts, cell, np.ascontiguousarray(table), posterior, counts
    )
    return _Expected(posterior, counts, float(likelihood))
