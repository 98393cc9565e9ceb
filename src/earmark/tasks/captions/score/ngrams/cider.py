"""CIDEr: how alike the runs of words are, weighted by their rarity among the references."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from earmark.score.metric import Metric, mean
from earmark.tasks.captions.score.ngrams import counts as ngrams
from earmark.tasks.captions.score.ngrams.blocks import Blocks, Keys, Sides, Whole
from earmark.tasks.captions.values import Captions
from earmark.values.counts import Mean

Floats = NDArray[np.float64]
TOP = 10.0


def cider(*, sigma: float = 6.0) -> Metric:
    """Consensus of runs of one to four words, weighted by rarity; what papers print as CIDEr.

    Parameters
    ----------
    sigma
        How far apart two lengths may be; a difference of `sigma` costs 40 %.

    Definition
    ----------
    10 times the mean over n = 1..4 and over references of
    sum(min(c, r) * r) / (|c| |r|) * exp(-(difference of lengths)^2 / (2 sigma^2)), where c and r
    are counts times log(items / items whose references hold the run).

    Undefined
    ---------
    nan with fewer than two items: every run is then as rare as every other.

    Notes
    -----
    Vedantam et al. 2015. Higher is better; 0 to 10. The same numbers as pycocoevalcap 1.2, whose
    CIDEr clips counts and punishes lengths, and so is the paper's CIDEr-D; hence `cider_d` gives
    the same. The weights come from the references of this call: scores of different sets of items
    cannot be compared.
    """
    return _metric("cider", sigma)


def cider_d(*, sigma: float = 6.0) -> Metric:
    """CIDEr-D (Vedantam et al. 2015, section 5); the same numbers as `cider`.

    Parameters
    ----------
    sigma
        How far apart two lengths may be; a difference of `sigma` costs 40 %.

    Definition
    ----------
    That of `cider`.

    Undefined
    ---------
    nan with fewer than two items.
    """
    return _metric("cider_d", sigma)


def _metric(name: str, sigma: float) -> Metric:
    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        blocks = Blocks(references, outputs)
        scores = cider_scores(blocks, sigma=sigma)
        return {item: Mean.of(float(s)) for item, s in zip(blocks.items, scores, strict=True)}

    def count(reference: Captions, output: Captions) -> Mean:
        return count_all({"item": reference}, {"item": output})["item"]

    return Metric(
        task="captions",
        name=name,
        count=count,
        count_all=count_all,
        rate=mean,
        options={"sigma": sigma},
        average="macro",
        high=TOP,
        undefined="CIDEr weighs words by their rarity among items: there must be two items or more",
    )


def cider_scores(blocks: Blocks, *, sigma: float = 6.0) -> Floats:
    """The score of each item."""
    size = len(blocks.items)
    if size < 2:
        return np.full(size, np.nan)
    keys, documents = document_frequencies(blocks)
    log_size = float(np.log(size))

    def weights(grams: ngrams.Grams) -> Floats:
        seen = ngrams.look_up(grams.key, keys, documents)
        value: Floats = grams.times * (log_size - np.log(np.maximum(1.0, seen)))
        return value

    return np.concatenate([_block(block, weights, sigma) for block in blocks])


def document_frequencies(blocks: Blocks) -> tuple[Keys, Whole]:
    """For each run, sorted by its number, how many items' references hold it."""
    keys: Keys = np.zeros(0, dtype=np.uint64)
    times: Floats = np.zeros(0)
    for block in blocks:
        grams = ngrams.count(block.references)
        inside = ngrams.within(block.of[grams.caption], grams.key)
        _, first = np.unique(inside, return_index=True)
        here, seen = np.unique(grams.key[first], return_counts=True)
        keys, back = np.unique(np.concatenate([keys, here]), return_inverse=True)
        counted = np.concatenate([times, seen])
        times = np.bincount(back, weights=counted, minlength=len(keys)).astype(float)
    return keys, times.astype(np.int64)


def _block(block: Sides, weights: Callable[[ngrams.Grams], Floats], sigma: float) -> Floats:
    items, size = block.of, len(block.items)
    theirs, ours = ngrams.count(block.references), ngrams.count(block.candidates)
    w_theirs, w_ours = weights(theirs), weights(ours)
    key = ngrams.within(ours.caption, ours.key)
    order = np.argsort(key)
    met = ngrams.look_up(
        ngrams.within(items[theirs.caption], theirs.key), key[order], w_ours[order]
    )
    cell = theirs.caption * ngrams.ORDER + theirs.order
    shape = (len(block.references), ngrams.ORDER)
    dots = _sums(cell, np.minimum(met, w_theirs) * w_theirs, shape)
    norms = np.sqrt(_sums(cell, w_theirs**2, shape))
    own = np.sqrt(_sums(ours.caption * ngrams.ORDER + ours.order, w_ours**2, (size, ngrams.ORDER)))[
        items
    ]
    both = norms * own
    alike = np.divide(dots, both, out=np.zeros_like(dots), where=both != 0)
    # pycocoevalcap takes the number of word pairs for the length; so do we, to agree with it.
    apart = np.maximum(ours.lengths[items] - 1, 0) - np.maximum(theirs.lengths - 1, 0)
    alike *= np.exp(-(apart.astype(np.float64) ** 2) / (2 * sigma**2))[:, None]
    totals = np.bincount(items, weights=alike.mean(axis=1), minlength=size)
    value: Floats = TOP * totals / np.bincount(items, minlength=size)
    return value


def _sums(cell: NDArray[np.int64], values: Floats, shape: tuple[int, int]) -> Floats:
    sums: Floats = np.bincount(cell, weights=values, minlength=shape[0] * shape[1]).astype(float)
    return sums.reshape(shape)
