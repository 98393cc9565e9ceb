"""What a model of answers gives: how likely each label is, and how far each person is trusted."""

import math
from dataclasses import dataclass

import numpy as np

from earmark.arrays import Bools, Floats, Ints
from earmark.stats.information import entropy


@dataclass(frozen=True, slots=True, eq=False)
class FittedLabels:
    """The labels of items and the competence of people, as a model inferred them from answers.

    `posterior` is (items, labels), every row adding up to 1; `competence` is (people,), from 0 to
    1. `tables` holds the model's other parameters by name: guess terms, strategies, confusions.
    """

    posterior: Floats
    competence: Floats
    log_likelihood: float = math.nan
    tables: tuple[tuple[str, Floats], ...] = ()

    def table(self, name: str) -> Floats:
        """Return the model's parameters of that name."""
        return dict(self.tables)[name]

    def chosen(self) -> Ints:
        """Return the most likely label of each item; the first of equals."""
        return np.asarray(np.argmax(self.posterior, axis=1))

    def entropy(self) -> Floats:
        """Return the entropy of each item's posterior, in nats."""
        return entropy(self.posterior)

    def doubt(self) -> Floats:
        """Return the entropy of each item as a share of the largest possible, from 0 to 1."""
        size = self.posterior.shape[1]
        return np.clip(self.entropy() / math.log(size), 0.0, 1.0) if size > 1 else self.entropy()

    def lowest_entropy(self, share: float) -> Bools:
        """Return which items belong to the `share` with the lowest entropy; ties stay in.

        This is the threshold of Hovy et al. 2013: answer only where the model is certain.
        """
        nats = self.entropy()
        size = min(len(nats), max(1, math.ceil(share * len(nats))))
        return np.asarray(nats <= np.sort(nats)[size - 1])
