"""Features of rivals, the nouns said just before, which might fit the place better.

A swapped noun was said among the last ten nouns, by the way that passages are corrupted. So each
of these is tried in the place, between the same neighbours, and the best of them is compared with
the noun that is there.
"""

import numpy as np

from earmark.arrays import Ints
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.discourse.local import WORD_PRIOR, Feature
from earmark.tasks.context.run.discourse.ngram_counts import (
    CONTEXT_OF,
    ContextCounts,
    Neighbourhoods,
)

# How many nouns back rivals are taken from: the corruption's own window.
NOUNS_BACK = 10
# How much more an n-gram of the document itself counts than one of another document, and how many
# observations the prior is worth. Chosen by hand.
OWN_WEIGHT = 3.0
PRIOR_STRENGTH = 5
# Below every log probability; marks places that have no rival.
NO_RIVAL = -50.0


def rival_features(corpus: CorpusArrays, counts: ContextCounts, rows: Ints) -> dict[str, Feature]:
    """Return how well the best rival fits, and by how much better; nan where there is none.

    `rows` are indices into `corpus.nouns`. A rival has the same tag and is another word.
    """
    nouns = corpus.nouns[rows]
    document = corpus.document[nouns][:, None]
    back = rows[:, None] - np.arange(1, NOUNS_BACK + 1)
    rivals = corpus.nouns[np.maximum(back, 0)]  # (rows, NOUNS_BACK)
    usable = (back >= 0) & (corpus.document[rivals] == document)
    usable &= corpus.tags[rivals] == corpus.tags[nouns][:, None]
    usable &= corpus.hashes[rivals] != corpus.hashes[nouns][:, None]
    around = Neighbourhoods.of(corpus, nouns)
    own_word = around.with_nouns(corpus.hashes[nouns][:, None])
    own_fit = _fit(counts, document, own_word, at_place=1)
    rival_fit = _fit(counts, document, around.with_nouns(corpus.hashes[rivals]), at_place=0)
    features = {}
    for side, fit in rival_fit.items():
        best = np.where(usable, fit, NO_RIVAL).max(axis=1)
        exists = best > NO_RIVAL
        features[f"rival {side}"] = np.where(exists, best, np.nan)
        features[f"rival {side} ahead"] = np.where(exists, best - own_fit[side][:, 0], np.nan)
    return features


def _fit(
    counts: ContextCounts, document: Ints, around: Neighbourhoods, *, at_place: int
) -> dict[str, Feature]:
    """Return log P(word | neighbour) by the left neighbour, the right one, and both.

    P is estimated from n-grams elsewhere and in the document itself, with a Dirichlet prior whose
    mean is the word's share of all nouns. `at_place` is how often the word is at the place itself
    (1 for the noun that is there), which must not speak for it. `both` multiplies the two as if
    they were independent given the word. Shapes: (rows, 1) for the document, (rows, words) else.
    """
    share = (counts.elsewhere(document, around.ngrams("w")) + WORD_PRIOR) / counts.corpus.nouns
    fit: dict[str, Feature] = {}
    for side, ngram in (("left", "lw"), ("right", "wr")):
        pair, neighbour = around.ngrams(ngram), around.ngrams(CONTEXT_OF[ngram])
        own_pairs = np.maximum(counts.own.look_up(document, pair) - at_place, 0)
        pairs = counts.elsewhere(document, pair) + OWN_WEIGHT * own_pairs
        own_neighbours = counts.own.look_up(document, neighbour)
        neighbours = counts.elsewhere(document, neighbour) + OWN_WEIGHT * own_neighbours
        fit[side] = np.log((pairs + PRIOR_STRENGTH * share) / (neighbours + PRIOR_STRENGTH))
    fit["both"] = fit["left"] + fit["right"] - np.log(share)
    return fit
