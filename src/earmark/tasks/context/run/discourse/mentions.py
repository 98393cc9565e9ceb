"""Features of a document's own memory: was this noun, and this pair of words, said before."""

import numpy as np

from earmark.arrays import Ints
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.discourse.local import Feature
from earmark.tasks.context.run.discourse.ngram_counts import (
    CONTEXT_OF,
    HashCounts,
    Neighbourhoods,
)
from earmark.tasks.context.run.hashing import Hashes, combine

# The distance in nouns that stands for "never said" and for everything beyond: about all the nouns
# of a talk (TED talks have 520 on average).
NEVER = 500.0


def mention_features(corpus: CorpusArrays, rows: Ints) -> dict[str, Feature]:
    """Return the features of some nouns by name; `rows` are indices into `corpus.nouns`."""
    document = corpus.document[corpus.nouns]
    features = {
        **_mentions(document, corpus.hashes[corpus.nouns], "word"),
        **_mentions(document, corpus.stems[corpus.nouns], "stem"),
        **_repeated_pairs(corpus),
        "place": corpus.position[corpus.nouns] / corpus.lengths[document],
        "length": np.log(corpus.lengths)[document],
    }
    return {name: values[rows] for name, values in features.items()}


def _mentions(document: Ints, words: Hashes, name: str) -> dict[str, Feature]:
    """Return how often a noun is said in its document, and how many nouns off the nearest are.

    A stable sort by (document, word) puts the mentions of a word next to each other in the order
    of the text, so the distance to the next mention is a difference of neighbours.
    """
    key = combine(document, words)
    order = np.argsort(key, kind="stable")
    index = np.arange(len(key))
    same_word = np.append(key[order][1:] == key[order][:-1], False)
    gap = np.where(same_word, np.append(index[order][1:], 0) - index[order], NEVER)
    after = np.full(len(key), NEVER)
    before = np.full(len(key), NEVER)
    after[order] = np.minimum(gap, NEVER)
    before[order[1:]] = np.minimum(gap[:-1], NEVER)
    return {
        f"{name} said": np.log(HashCounts.of(key).look_up(key)),
        f"{name} before": np.log(before),
        f"{name} after": np.log(after),
        f"{name} near": np.log(np.minimum(before, after)),
    }


def _repeated_pairs(corpus: CorpusArrays) -> dict[str, Feature]:
    """Return how often a noun has the same neighbour elsewhere in its document.

    `own lw` counts the pair of the noun and its left neighbour, `own lw other` that neighbour with
    another noun; the same for the right.
    """
    around = Neighbourhoods.of(corpus, corpus.nouns)
    document = corpus.document[corpus.nouns]
    features: dict[str, Feature] = {}
    for ngram in ("lw", "wr"):
        pair = combine(document, around.ngrams(ngram))
        neighbour = combine(document, around.ngrams(CONTEXT_OF[ngram]))
        again = HashCounts.of(pair).look_up(pair) - 1
        features[f"own {ngram}"] = again
        features[f"own {ngram} other"] = HashCounts.of(neighbour).look_up(neighbour) - 1 - again
    return features
