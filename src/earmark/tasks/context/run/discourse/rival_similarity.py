"""Whether a noun said nearby has more to do with the words around a place than the noun there."""

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.tasks.context.run.discourse.local import Feature
from earmark.tasks.context.run.discourse.rivals import NOUNS_AWAY, STEPS
from earmark.tasks.context.run.discourse.vectors import Vectors
from earmark.tasks.context.run.hashing import Hashes

# The words on each side that a noun is compared with: a few sentences.
RIVAL_SPAN = 25
# Below every cosine: no rival there.
NO_RIVAL = -2.0
SMALL = 1e-6


def rival_similarity(
    nouns: Ints, stems: Hashes, own: Vectors, around: Vectors
) -> dict[str, Feature]:
    """Return by how much the most similar rival is ahead of the noun itself, before and after.

    `nouns` are positions in a document, `own` their unit vectors (nouns, dimensions) and `around`
    the sum of the vectors of the content words within `RIVAL_SPAN`, without the noun at the place.
    Where a rival is said itself among them, that does not speak for it: it is taken out first.
    """
    here = _cosines(nouns, stems, own, around, 0)
    features: dict[str, Feature] = {"fits": here}
    for way, sign in STEPS.items():
        best = np.full(len(nouns), NO_RIVAL)
        for step in range(1, NOUNS_AWAY + 1):
            rival = _away(len(nouns), sign * step)
            usable = (rival >= 0) & (stems[rival] != stems)
            cosines = _cosines(nouns, stems, own, around, sign * step)
            best = np.maximum(best, np.where(usable, cosines, NO_RIVAL))
        features[f"{way} fits"] = np.where(best > NO_RIVAL, best - here, np.nan)
    return features


def _cosines(nouns: Ints, stems: Hashes, own: Vectors, around: Vectors, step: int) -> Floats:
    """Return the cosine of the noun `step` nouns away with the words around each place."""
    rival = np.maximum(_away(len(nouns), step), 0)
    units = own[rival]
    times = _said_within(nouns, stems, stems[rival])
    products = np.einsum("ij,ij->i", units, around)
    sizes = np.einsum("ij,ij->i", units, units)  # 1, or 0 for a word without a vector
    left = np.einsum("ij,ij->i", around, around) - 2 * times * products + times**2 * sizes
    return np.asarray((products - times * sizes) / np.sqrt(np.maximum(left, SMALL)), float)


def _said_within(nouns: Ints, stems: Hashes, asked: Hashes) -> Floats:
    """Return how often the asked word is said within the span of each place, the place left out."""
    times = np.zeros(len(nouns))
    for sign in (-1, 1):
        for step in range(1, RIVAL_SPAN + 1):
            other = _away(len(nouns), sign * step)
            near = (other >= 0) & (np.abs(nouns[other] - nouns) <= RIVAL_SPAN)
            if not near.any():
                break
            times += near & (stems[other] == asked)
    return times


def _away(count: int, step: int) -> Ints:
    """Return the index of the noun `step` nouns away from each; -1 beyond the document."""
    index = np.arange(count) + step
    return np.where((index >= 0) & (index < count), index, -1)
