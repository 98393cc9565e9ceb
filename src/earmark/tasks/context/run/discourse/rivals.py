"""Features of rivals, other nouns said nearby, which might fit the place better.

A swapped noun was said among the last ten nouns, by the way that passages are corrupted, and is
often said again soon. So each of these is tried in the place, between the same neighbours, and the
best of them is compared with the noun that is there. A difference of two words at one place says
the same in a talk as in a book, whatever the corpus that was counted: this is what carries over.
"""

import numpy as np

from earmark.arrays import Bools, Ints
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.discourse.local import WORD_PRIOR, Feature
from earmark.tasks.context.run.discourse.ngram_counts import (
    CONTEXT_OF,
    ContextCounts,
    Counts,
    Neighbourhoods,
)

# How many nouns back, and ahead, rivals are taken from: the corruption's own window.
NOUNS_AWAY = 10
# How much more an n-gram of the document itself counts than one of another document, and how many
# observations the prior is worth. Chosen by hand.
OWN_WEIGHT = 3.0
PRIOR_STRENGTH = 5
# Below every log probability; marks places that have no rival.
NO_RIVAL = -50.0
# The n-grams that a fit is estimated from, the shorter first, which the longer falls back on.
SIDES = {"left": ("lw", "llw"), "right": ("wr", "wrr")}
STEPS = {"back": -1, "ahead": 1}


def rival_features(corpus: CorpusArrays, counts: ContextCounts, rows: Ints) -> dict[str, Feature]:
    """Return how well the noun and its best rivals fit; nan where there is no rival.

    `rows` are indices into `corpus.nouns`. A rival has the same tag and is another word. `pair` is
    the fit by one neighbour on each side, `triple` by two.
    """
    nouns = corpus.nouns[rows]
    document = corpus.document[nouns][:, None]
    around = Neighbourhoods.of(corpus, nouns)
    own_word = around.with_nouns(corpus.hashes[nouns][:, None])
    own = {name: fit[:, 0] for name, fit in _fits(counts, document, own_word, at_place=1).items()}
    features: dict[str, Feature] = {f"fit {name}": fit for name, fit in own.items()}
    for way in STEPS:
        rivals, usable = nouns_away(corpus, rows, way)
        usable &= corpus.hashes[rivals] != corpus.hashes[nouns][:, None]
        words = around.with_nouns(corpus.hashes[rivals])
        for name, fit in _fits(counts, document, words, at_place=0).items():
            best = np.where(usable, fit, NO_RIVAL).max(axis=1)
            exists = best > NO_RIVAL
            features[f"{way} {name}"] = np.where(exists, best, np.nan)
            features[f"{way} {name} ahead"] = np.where(exists, best - own[name], np.nan)
    return features


def nouns_away(corpus: CorpusArrays, rows: Ints, way: str) -> tuple[Ints, Bools]:
    """Return the next nouns that way, and which of them are in the document and of the same tag.

    `rows` are indices into `corpus.nouns`; (rows, NOUNS_AWAY) tokens, the nearest first.
    """
    nouns = corpus.nouns[rows]
    index = rows[:, None] + STEPS[way] * np.arange(1, NOUNS_AWAY + 1)
    others = corpus.nouns[np.clip(index, 0, len(corpus.nouns) - 1)]
    usable = (index >= 0) & (index < len(corpus.nouns))
    usable &= corpus.document[others] == corpus.document[nouns][:, None]
    usable &= corpus.tags[others] == corpus.tags[nouns][:, None]
    return others, usable


def _fits(
    counts: ContextCounts, document: Ints, around: Neighbourhoods, *, at_place: int
) -> dict[str, Feature]:
    """Return log P(word | neighbours) by the left, the right, and both, by pairs and by triples.

    P is estimated from n-grams elsewhere and in the document itself, with a Dirichlet prior: for
    triples the estimate by pairs, for pairs the word's share of all nouns. `at_place` is how often
    the word is at the place itself (1 for the noun that is there), which must not speak for it.
    `both` multiplies the sides as if they were independent given the word; `gain` is that without
    the word's own share. Shapes: (rows, 1) for the document, (rows, words) else.
    """
    share = (counts.elsewhere(document, around.ngrams("w")) + WORD_PRIOR) / counts.corpus.nouns
    fits: dict[str, Feature] = {}
    sides: dict[str, Counts] = dict.fromkeys(SIDES, share)
    for depth, name in enumerate(("pair", "triple")):
        for side, ngrams in SIDES.items():
            ngram = ngrams[depth]
            seen = _with_own(counts, document, around, ngram, at_place)
            places = _with_own(counts, document, around, CONTEXT_OF[ngram], 0)
            sides[side] = (seen + PRIOR_STRENGTH * sides[side]) / (places + PRIOR_STRENGTH)
            fits[f"{name} {side}"] = np.log(sides[side])
        fits[f"{name} both"] = fits[f"{name} left"] + fits[f"{name} right"] - np.log(share)
        fits[f"{name} gain"] = fits[f"{name} both"] - np.log(share)
    return fits


def _with_own(
    counts: ContextCounts, document: Ints, around: Neighbourhoods, name: str, at_place: int
) -> Counts:
    """Return how often an n-gram was seen, in the document itself weighted; that place left out."""
    hashes = around.ngrams(name)
    own = np.maximum(counts.own.look_up(document, hashes) - at_place, 0)
    return np.asarray(counts.elsewhere(document, hashes) + OWN_WEIGHT * own, np.float32)
