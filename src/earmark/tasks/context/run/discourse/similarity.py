"""Features of similarity: how much a noun has to do with the words around it, by their vectors."""

import numpy as np

from earmark.arrays import Ints
from earmark.stats.vectors import unit_rows
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.discourse.local import Feature
from earmark.tasks.context.run.discourse.rival_similarity import RIVAL_SPAN, rival_similarity
from earmark.tasks.context.run.discourse.vectors import Vectors, common_vectors, encoder_vectors
from earmark.tasks.context.run.hashing import Hashes

# A sentence, a few sentences, a paragraph: tokens on each side of the noun. And how many nouns
# away the most similar other noun is looked for. Chosen by hand, not tuned.
SPANS = (8, 25, 60)
NEAR_NOUNS = 12
# Below every cosine of interest; stands for "no other noun".
NO_NOUN = -1.0


def similarity_features(corpus: CorpusArrays, rows: Ints) -> dict[str, Feature]:
    """Return cosines of nouns with the words around them, by both kinds of vectors.

    `rows` are indices into `corpus.nouns`. Documents are taken one by one, so that memory stays
    small.
    """
    features: dict[str, Feature] = {}
    for name, table in (("pieces", encoder_vectors(corpus)), ("common", common_vectors(corpus))):
        parts = [_in_document(corpus, d, table) for d in range(len(corpus.starts) - 1)]
        for feature in parts[0]:
            features[f"{name} {feature}"] = np.concatenate([p[feature] for p in parts])[rows]
    return features


def _in_document(corpus: CorpusArrays, document: int, table: Vectors) -> dict[str, Feature]:
    """Return the similarity of every noun of a document to what is around it; (nouns,) each.

    `table` has a vector per word type. Sums over a span are differences of cumulative sums, from
    which the noun's own vector is taken out.
    """
    low, high = corpus.starts[document], corpus.starts[document + 1]
    vectors = table[corpus.types[low:high]] * corpus.content[low:high, None]
    first, last = np.searchsorted(corpus.nouns, [low, high])
    nouns = corpus.nouns[first:last] - low
    own = unit_rows(vectors[nouns])
    zero = np.zeros((1, vectors.shape[1]), vectors.dtype)
    sums = np.concatenate([zero, np.cumsum(vectors, axis=0)])
    features = {}
    for span in SPANS:
        begin, end = np.maximum(nouns - span, 0), np.minimum(nouns + span + 1, high - low)
        features[f"within {span}"] = _cosines(own, sums[end] - sums[begin] - vectors[nouns])
    _, index, times = np.unique(
        corpus.types[low:high][nouns], return_inverse=True, return_counts=True
    )
    everything_else = sums[-1] - vectors[nouns] * times[index][:, None]
    features["document"] = _cosines(own, everything_else)
    stems = corpus.stems[low:high][nouns]
    begin, end = np.maximum(nouns - RIVAL_SPAN, 0), np.minimum(nouns + RIVAL_SPAN + 1, high - low)
    around = sums[end] - sums[begin] - vectors[nouns]
    return {
        **features,
        **_most_similar(own, stems),
        **rival_similarity(nouns, stems, own, around),
    }


def _most_similar(own: Vectors, stems: Hashes) -> dict[str, Feature]:
    """Return the cosine of the most similar other noun nearby, before and after, and of all."""
    count = len(own)
    gap = np.arange(count)[:, None] - np.arange(count)[None, :]
    cosines = own @ own.T  # (nouns, nouns)
    other = stems[:, None] != stems[None, :]
    near = other & (np.abs(gap) <= NEAR_NOUNS)
    before = np.where(near & (gap > 0), cosines, NO_NOUN)
    after = np.where(near & (gap < 0), cosines, NO_NOUN)
    everywhere = np.where(other, cosines, NO_NOUN)
    return {
        "likest before": before.max(axis=1, initial=NO_NOUN),
        "likest after": after.max(axis=1, initial=NO_NOUN),
        "likest sum": np.maximum(before, 0).sum(axis=1) + np.maximum(after, 0).sum(axis=1),
        "likest of all": everywhere.max(axis=1, initial=NO_NOUN),
    }


def _cosines(units: Vectors, others: Vectors) -> Feature:
    lengths = np.linalg.norm(others, axis=1)
    products: Feature = np.einsum("ij,ij->i", units, others)
    return np.asarray(products / np.maximum(lengths, 1e-9))
