"""The features of nouns as matrices: the local ones, and all of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Ints
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.discourse.local import local_features
from earmark.tasks.context.run.discourse.mentions import mention_features
from earmark.tasks.context.run.discourse.ngram_counts import ContextCounts
from earmark.tasks.context.run.discourse.rivals import rival_features
from earmark.tasks.context.run.discourse.similarity import similarity_features

Matrix = NDArray[np.float32]
# Trees name columns by number: a model file says which features it was trained with, and others
# are refused. To be raised when a feature is added, left out or computed in another way.
FEATURES = 2


class FeatureMatrices(NamedTuple):
    """A row per noun, a column per feature; trees of a model file refer to columns by number."""

    local: Matrix
    all: Matrix


def feature_matrices(
    corpus: CorpusArrays, counts: ContextCounts, rows: Ints | None = None
) -> FeatureMatrices:
    """Return the features of some nouns, by default all; `rows` are indices into the nouns."""
    chosen = np.arange(len(corpus.nouns)) if rows is None else rows
    local = list(local_features(corpus, counts, chosen).values())
    context = [
        *mention_features(corpus, chosen).values(),
        *rival_features(corpus, counts, chosen).values(),
        *similarity_features(corpus, chosen).values(),
    ]
    as_columns = [np.asarray(column, np.float32) for column in (*local, *context)]
    return FeatureMatrices(np.column_stack(as_columns[: len(local)]), np.column_stack(as_columns))
