"""How often 95 % intervals of agreement hold the truth: alpha, and Cohen's kappa of two people.

Items are hard or easy, and people say yes or no; of the crowd three of twelve answer each item, and
in groups of five an item is like its neighbours.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from benchmarks.simulate.frame import Row

from earmark.arrays import Floats
from earmark.stats.agreement import (
    alpha_interval,
    cohen_interval,
    cohen_kappa,
    krippendorff_alpha,
)
from earmark.stats.draw import stream
from earmark.values.score import Interval

SETS = 1000  # the standard error of a share of .95 is .007
SIZES = (20, 50, 200)
RESAMPLES = 500
MANY = 300_000  # items that stand for the whole population
YES = 0.3  # the share of items to which the answer is yes


def votes(rng: np.random.Generator, groups: int, size: int = 1) -> Floats:
    """Return yes or no of three people to every item, (items, 3); items of a group are alike."""
    truth = np.repeat(rng.random(groups) < YES, size)
    flipped = rng.random(groups * size) < (0.1 if size > 1 else 0.0)
    hard = np.repeat(rng.beta(1, 5, groups), size)  # how often an answer to it is wrong
    wrong = rng.random((groups * size, 3)) < hard[:, None]
    return np.where(wrong, ~(truth ^ flipped)[:, None], (truth ^ flipped)[:, None]).astype(float)


def _table(said: Floats) -> Floats:
    return np.stack([(1 - said).sum(axis=1), said.sum(axis=1)], axis=1)


def covered(groups: int, *, size: int = 1, cohen: bool = False) -> float:
    """Return the share of the intervals shown that hold the population's agreement."""
    rng = stream(1, "agreement", groups, size)
    many = votes(rng, MANY // size, size)
    truth = cohen_kappa(many[:, 0], many[:, 1]) if cohen else krippendorff_alpha(_table(many))
    hits = []
    for number in range(SETS):
        said = votes(rng, groups, size)
        names = [f"{k // size:04}" for k in range(groups * size)]
        how = {"resamples": RESAMPLES, "seed": number}
        interval = (
            cohen_interval(said[:, 0], said[:, 1], names, **how)
            if cohen
            else alpha_interval(_table(said), names, **how)
        )
        if isinstance(interval, Interval):
            hits.append(interval.low <= truth <= interval.high)
    return float(np.mean(hits))


def rows() -> Iterator[Row]:
    """Yield the table of coverage."""
    kinds = {
        "Krippendorff's alpha, three people": {},
        "Krippendorff's alpha, groups of five items": {"size": 5},
        "Cohen's kappa, two people": {"cohen": True},
    }
    for name, how in kinds.items():
        cells = {str(n): partial(covered, n, **how) for n in SIZES}
        yield Row("coverage of intervals of agreement", name, cells, low=0.93)
