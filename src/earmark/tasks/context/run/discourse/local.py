"""Local features: what the words right beside a noun say, from counts of other documents."""

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Ints
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.discourse.ngram_counts import (
    CONTEXT_OF,
    KINDS,
    ContextCounts,
    Counts,
    Neighbourhoods,
)

# Added to counts before they are divided or logged, so that what was never seen is rare instead
# of impossible. Chosen by hand; trees split on thresholds, so the exact sizes matter little.
WORD_PRIOR = 0.5
ASSOCIATION_PRIOR = 0.3
CONDITIONAL_PRIOR = 0.1
RATE_PRIOR = 0.3
# Counts are given per million nouns, so that they mean the same whatever was counted.
MILLION = 1e6

Feature = NDArray[np.floating]


def local_features(corpus: CorpusArrays, counts: ContextCounts, rows: Ints) -> dict[str, Feature]:
    """Return the local features of some nouns by name; (rows,) each.

    `rows` are indices into `corpus.nouns`. `log` is a rate; `gain` the pointwise mutual
    information of noun and context; `share` the probability of the noun in the context. `bursts`
    says how often a noun is repeated within the documents that have it.
    """
    nouns = corpus.nouns[rows]
    around = Neighbourhoods.of(corpus, nouns)
    document = corpus.document[nouns]
    count = {name: counts.elsewhere(document, around.ngrams(name)) for name in KINDS}
    features: dict[str, Feature] = {f"log {name}": _rate(count[name], counts) for name in KINDS}
    word_share = (count["w"] + WORD_PRIOR) / counts.corpus.nouns
    for ngram, context in CONTEXT_OF.items():
        expected = count[context] * word_share
        features[f"gain {ngram}"] = np.log(
            (count[ngram] + ASSOCIATION_PRIOR) / (expected + ASSOCIATION_PRIOR)
        )
        features[f"share {ngram}"] = np.log(
            (count[ngram] + CONDITIONAL_PRIOR) / (count[context] + 1)
        )
    documents = counts.other_documents(document, around)
    features["documents"] = _rate(documents, counts)
    features["bursts"] = np.log((count["w"] + 1) / (documents + 1))
    return {**features, **_form(corpus, nouns)}


def _rate(count: Counts, counts: ContextCounts) -> Feature:
    return np.asarray(np.log((count + RATE_PRIOR) / counts.corpus.nouns * MILLION))


def _form(corpus: CorpusArrays, nouns: Ints) -> dict[str, Feature]:
    """Return capitals and the length of the noun.

    Tags are not among them: those of a corpus are numbered by that corpus, and trees that learnt
    one numbering would misread another.
    """
    letters = np.array([len(word) for word in corpus.words])
    forms = {
        "upper": corpus.capitalised[nouns],
        "upper before": corpus.capitalised[np.maximum(nouns - 1, 0)],
        "letters": letters[corpus.types[nouns]],
    }
    return {name: values.astype(np.float32) for name, values in forms.items()}
