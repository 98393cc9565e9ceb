"""Local features: what the words right beside a noun say, from counts of other documents."""

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Ints
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.discourse.ngram_counts import (
    CONTEXT_OF,
    KINDS,
    ContextCounts,
    Neighbourhoods,
)

# Added to counts before they are divided or logged, so that what was never seen is rare instead
# of impossible. Chosen by hand; trees split on thresholds, so the exact sizes matter little.
WORD_PRIOR = 0.5
ASSOCIATION_PRIOR = 0.3
CONDITIONAL_PRIOR = 0.1

Feature = NDArray[np.floating]


def local_features(corpus: CorpusArrays, counts: ContextCounts, rows: Ints) -> dict[str, Feature]:
    """Return the local features of some nouns by name; (rows,) each.

    `rows` are indices into `corpus.nouns`. `log` is a count; `gain` the pointwise mutual
    information of noun and context; `share` the probability of the noun in the context. `bursts`
    says how often a noun is repeated within the documents that have it.
    """
    nouns = corpus.nouns[rows]
    around = Neighbourhoods.of(corpus, nouns)
    document = corpus.document[nouns]
    count = {name: counts.elsewhere(document, around.ngrams(name)) for name in KINDS}
    features: dict[str, Feature] = {f"log {name}": np.log1p(count[name]) for name in KINDS}
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
    features["documents"] = np.log1p(documents)
    features["bursts"] = np.log((count["w"] + 1) / (documents + 1))
    return {**features, **_form(corpus, nouns)}


def _form(corpus: CorpusArrays, nouns: Ints) -> dict[str, Feature]:
    """Return tags, capitals and the length of the noun and of its neighbours."""
    last = len(corpus.types) - 1
    before, after = np.maximum(nouns - 1, 0), np.minimum(nouns + 1, last)
    letters = np.array([len(word) for word in corpus.words])
    forms = {
        "tag": corpus.tags[nouns],
        "tag before": corpus.tags[before],
        "tag after": corpus.tags[after],
        "upper": corpus.capitalised[nouns],
        "upper before": corpus.capitalised[before],
        "letters": letters[corpus.types[nouns]],
    }
    return {name: values.astype(np.float32) for name, values in forms.items()}
