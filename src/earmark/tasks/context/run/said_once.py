"""The rule that learns nothing: a floor for every detector on the same passages.

A substitute that must not occur in the document is said there once, and was drawn from words that
other documents repeat. Whoever ranks the nouns said once by how often other documents repeat them
finds some swaps without any understanding; a detector is worth what it has beyond that.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from earmark.arrays import Floats
from earmark.task.task import Training
from earmark.tasks.context.run.discourse.corpus import passage_arrays
from earmark.tasks.context.values import Passage, Scores
from earmark.values.item import Item
from earmark.values.output import Output

NAME = "said-once"


def said_once(
    items: Sequence[Item], *, train_on: Training | None, seed: int
) -> Iterator[Output[Scores]]:
    """Rank nouns said once by their occurrences per document elsewhere: the floor, no learning."""
    del train_on, seed
    passages = [Passage.of(item) for item in items]
    for passage, scores in zip(passages, said_once_scores(passages), strict=True):
        yield Output(NAME, passage.id, Scores(tuple(scores.tolist())))


def said_once_scores(passages: Sequence[Passage]) -> list[Floats]:
    """Return per passage a score per token: of nouns said once, how often others repeat them.

    That is occurrences over documents, counted in the other passages; 0 for every other token.
    """
    corpus = passage_arrays(passages)
    documents, words = corpus.document[corpus.nouns], corpus.types[corpus.nouns]
    pairs, place, times = np.unique(
        documents * len(corpus.words) + words, return_inverse=True, return_counts=True
    )
    word_of_pair = pairs % max(1, len(corpus.words))
    occurrences = np.bincount(word_of_pair, weights=times, minlength=len(corpus.words))
    in_documents = np.bincount(word_of_pair, minlength=len(corpus.words))
    elsewhere = occurrences[words] - times[place]
    others = np.maximum(in_documents[words] - 1, 1)
    scores = np.zeros(len(corpus.types))
    scores[corpus.nouns] = np.where(times[place] == 1, elsewhere / others, 0.0)
    return np.split(scores, corpus.starts[1:-1])
