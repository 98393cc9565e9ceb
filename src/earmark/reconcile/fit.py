"""What a way of reconciling gives: how likely each label is, and how far each person is trusted."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats
from earmark.stats.information import entropy


@dataclass(frozen=True, slots=True)
class Fit:
    """`posterior` is items by labels; `competence` one number a person.

    `tables` holds what the model learned besides, by name: strategies, guess terms, confusions.
    """

    posterior: Floats
    competence: Floats
    log_likelihood: float = math.nan
    tables: tuple[tuple[str, Floats], ...] = ()

    def table(self, name: str) -> Floats:
        """What the model learned under that name."""
        return dict(self.tables)[name]

    def chosen(self) -> NDArray[np.int64]:
        """The most likely label of each item; the first of equals."""
        return np.asarray(np.argmax(self.posterior, axis=1))

    def entropy(self) -> Floats:
        """How undecided each item is, in nats."""
        return entropy(self.posterior)

    def doubt(self) -> Floats:
        """Entropy as a share of what it can be: 0 sure, 1 no idea."""
        size = self.posterior.shape[1]
        return np.clip(self.entropy() / math.log(size), 0.0, 1.0) if size > 1 else self.entropy()

    def surest(self, share: float) -> NDArray[np.bool_]:
        """The `share` of items with the lowest entropy; equals of the last one stay in.

        This is the threshold of Hovy et al. 2013: answer only where the model is sure.
        """
        bits = self.entropy()
        size = min(len(bits), max(1, math.ceil(share * len(bits))))
        return np.asarray(bits <= np.sort(bits)[size - 1])
