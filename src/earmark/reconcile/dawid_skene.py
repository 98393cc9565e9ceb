"""Labels and confusion together (Dawid and Skene, Applied Statistics 28, 1979).

Every person has a table of P(answer | true label); tables, label shares and labels are fitted by
EM from the vote shares.
"""

from dataclasses import dataclass

import numpy as np

from earmark.reconcile.ballots import Coded, Floats
from earmark.reconcile.fit import Fit
from earmark.reconcile.vote import majority
from earmark.values.errors import InputError


@dataclass(frozen=True, slots=True)
class Recipe:
    """`smoothing` is added to every cell of every confusion table, so that no answer is impossible.

    Fitting stops after `iterations`, or when the log-likelihood grows by less than `tolerance`.
    """

    iterations: int = 100
    smoothing: float = 0.01
    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.smoothing <= 0:
            raise InputError(
                "Dawid-Skene needs an iteration and smoothing above 0",
                got=f"{self.iterations} iterations, smoothing {self.smoothing}",
            )


def dawid_skene(answers: Coded, recipe: Recipe | None = None, *, plain: bool = False) -> Fit:
    """Labels, label shares and confusion tables by EM; competence is P(answer = truth).

    Parameters
    ----------
    answers
        Who said what.
    recipe
        How to fit.
    plain
        Use the slow version that is easier to read; it gives the same numbers.
    """
    recipe = recipe or Recipe()
    size = len(answers.labels)
    cell = answers.person.astype(np.int64) * size + answers.label
    posterior = majority(answers).posterior
    seen = _seen(answers, cell, posterior)
    before = -np.inf
    for _ in range(recipe.iterations):
        prior, confusion = _maximised(posterior, seen, recipe.smoothing)
        posterior = np.repeat(np.log(prior)[None], len(answers.items), axis=0)
        table = np.log(np.transpose(confusion, (0, 2, 1)).reshape(-1, size))
        if plain:
            posterior, seen, now = _plain(answers, cell, table, posterior)
        else:
            seen, now = _compiled(answers, cell, table, posterior)
        if now - before < recipe.tolerance * abs(now):
            break
        before = now
    right = np.einsum("akk,k->a", confusion, prior)
    return Fit(posterior, right, float(now), (("prior", prior), ("confusion", confusion)))


def _seen(answers: Coded, cell: np.ndarray, posterior: Floats) -> Floats:
    """Posterior mass by (person, answer) and true label."""
    size = len(answers.labels)
    cells = len(answers.people) * size
    columns = [
        np.bincount(cell, weights=posterior[answers.item, k], minlength=cells) for k in range(size)
    ]
    return np.stack(columns, axis=1)


def _maximised(posterior: Floats, seen: Floats, smoothing: float) -> tuple[Floats, Floats]:
    size = posterior.shape[1]
    prior = posterior.sum(axis=0) + smoothing
    confusion = np.transpose(seen.reshape(-1, size, size), (0, 2, 1)) + smoothing
    return prior / prior.sum(), confusion / confusion.sum(axis=2, keepdims=True)


def _plain(answers: Coded, cell, table, posterior):  # type: ignore[no-untyped-def]
    np.add.at(posterior, answers.item, table[cell])
    top = posterior.max(axis=1, keepdims=True)
    weights = np.exp(posterior - top)
    mass = weights.sum(axis=1, keepdims=True)
    posterior = weights / mass
    return posterior, _seen(answers, cell, posterior), float(np.sum(top + np.log(mass)))


def _compiled(answers: Coded, cell, table, posterior):  # type: ignore[no-untyped-def]
    from earmark.reconcile.kernels import confusion_expectation

    seen = np.zeros_like(table)
    now = confusion_expectation(answers.starts, cell, np.ascontiguousarray(table), posterior, seen)
    return seen, float(now)
