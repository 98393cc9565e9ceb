"""CIDEr: cosines of n-gram vectors, weighted by tf-idf over the references of all items."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.score.metric import Metric, count_one, mean
from earmark.task.options import changed, option
from earmark.tasks.captions.score.ngrams.blocks import Block, Blocks, Keys
from earmark.tasks.captions.score.ngrams.counts import (
    NgramCounts,
    count_ngrams,
    key_in,
    look_up,
    sum_by_order,
)
from earmark.values.counts import Mean

TOP = 10.0  # pycocoevalcap multiplies by 10, and papers print that


SIGMA_HELP = "Width of the length penalty; a difference of `sigma` costs 40 %."


@dataclass(frozen=True, slots=True, kw_only=True)
class CiderOptions:
    """How CIDEr compares lengths."""

    sigma: float = option(6.0, SIGMA_HELP)


def cider(options: CiderOptions = CiderOptions(), **changes: Any) -> Metric:
    """Build CIDEr: consensus of n-grams of one to four words, weighted by rarity.

    Definition
    ----------
    10 times the mean over n = 1..4 and over references of
    sum(min(c, r) * r) / (|c| |r|) * exp(-(difference of lengths)^2 / (2 sigma^2)), where c and r
    are counts times log(items / items whose references hold the n-gram).

    Undefined
    ---------
    nan with fewer than two items: every n-gram is then as rare as every other.

    Notes
    -----
    Vedantam et al. 2015. Higher is better; 0 to 10. The same numbers as pycocoevalcap 1.2, whose
    CIDEr clips counts and penalises differences of length, and so is the paper's CIDEr-D; hence
    `cider_d` gives the same. The weights come from the references of this call: scores of
    different sets of items cannot be compared.
    """
    return _metric("cider", changed(options, changes))


def cider_d(options: CiderOptions = CiderOptions(), **changes: Any) -> Metric:
    """Build CIDEr-D (Vedantam et al. 2015, section 5); the same numbers as `cider`.

    Definition
    ----------
    That of `cider`.

    Undefined
    ---------
    nan with fewer than two items.
    """
    return _metric("cider_d", changed(options, changes))


def _metric(name: str, options: CiderOptions) -> Metric:
    def count(blocks: Blocks) -> dict[str, Mean]:
        scores = cider_scores(blocks, sigma=options.sigma).tolist()
        return {item: Mean.of(score) for item, score in zip(blocks.items, scores, strict=True)}

    return Metric(
        task="captions",
        name=name,
        count=count_one(Blocks, count),
        prepare=Blocks,
        count_prepared=count,
        rate=mean,
        options={"sigma": options.sigma},
        average="macro",
        high=TOP,
        separable=False,
        undefined="CIDEr weighs words by their rarity among items: there must be two items or more",
    )


def cider_scores(blocks: Blocks, *, sigma: float = 6.0) -> Floats:
    """Return the score of each item, in two passes over the blocks: frequencies, then scores."""
    if len(blocks.items) < 2:
        return np.full(len(blocks.items), np.nan)
    frequencies = document_frequencies(blocks)
    return np.concatenate([_block_scores(block, frequencies, sigma) for block in blocks])


@dataclass(frozen=True, slots=True, eq=False)
class DocumentFrequencies:
    """In how many items' references each n-gram occurs."""

    key: Keys  # (n-grams,), sorted
    occurrences: Ints  # (n-grams,)
    items: int

    def weights(self, ngrams: NgramCounts) -> Floats:
        """Return the tf-idf weight of each row: its count times log(items / occurrences)."""
        occurrences = look_up(ngrams.key, self.key, self.occurrences)
        weights: Floats = ngrams.times * (
            float(np.log(self.items)) - np.log(np.maximum(1.0, occurrences))
        )
        return weights


def document_frequencies(blocks: Blocks) -> DocumentFrequencies:
    """Count, block by block, the items whose references hold each n-gram.

    An item counts once however many of its references hold the n-gram. The tables of the blocks
    are added into one sorted table, the only thing that grows with the number of items.
    """
    key: Keys = np.zeros(0, dtype=np.uint64)
    occurrences: Floats = np.zeros(0)
    for block in blocks:
        ngrams = count_ngrams(block.references)
        in_item = key_in(block.item_of[ngrams.caption], ngrams.key)
        _, first = np.unique(in_item, return_index=True)
        block_key, block_occurrences = np.unique(ngrams.key[first], return_counts=True)
        key, row = np.unique(np.concatenate([key, block_key]), return_inverse=True)
        both = np.concatenate([occurrences, block_occurrences])
        occurrences = np.bincount(row, weights=both, minlength=len(key)).astype(float)
    return DocumentFrequencies(key, occurrences.astype(np.int64), len(blocks.items))


def _block_scores(block: Block, frequencies: DocumentFrequencies, sigma: float) -> Floats:
    """Return the scores of a block's items, of shape (items,).

    Every reference is compared with the candidate of its item. The candidate's weight of a
    reference's n-gram is found by looking up the pair (item, n-gram) in a sorted table of the
    candidates' pairs. Cosines are then sums over the rows of the n-gram tables, by reference and
    order.
    """
    item_of = block.item_of  # (references,)
    references, candidates = count_ngrams(block.references), count_ngrams(block.candidates)
    reference_weights = frequencies.weights(references)  # (rows of references,)
    candidate_weights = frequencies.weights(candidates)  # (rows of candidates,)

    table = key_in(candidates.caption, candidates.key)
    by_key = np.argsort(table)
    shared = look_up(  # (rows of references,): what the candidate gives the same n-gram, or 0
        key_in(item_of[references.caption], references.key),
        table[by_key],
        candidate_weights[by_key],
    )

    def by_reference(values: Floats) -> Floats:  # (references, 4)
        size = len(block.references)
        return sum_by_order(references.caption, references.order, values, captions=size)

    products = by_reference(np.minimum(shared, reference_weights) * reference_weights)
    reference_norms = np.sqrt(by_reference(reference_weights**2))
    squares = sum_by_order(
        candidates.caption, candidates.order, candidate_weights**2, captions=len(block.items)
    )
    norms = reference_norms * np.sqrt(squares)[item_of]  # (references, 4)
    cosines = np.divide(products, norms, out=np.zeros_like(products), where=norms != 0)
    cosines *= _length_penalty(candidates.lengths[item_of], references.lengths, sigma)[:, None]
    totals = np.bincount(item_of, weights=cosines.mean(axis=1), minlength=len(block.items))
    scores: Floats = TOP * totals / np.bincount(item_of, minlength=len(block.items))
    return scores


def _length_penalty(candidate: Ints, reference: Ints, sigma: float) -> Floats:
    """Return the Gaussian penalty of differences of length, of shape (references,).

    pycocoevalcap takes the number of 2-grams for the length; so do we, to agree with it.
    """
    difference = np.maximum(candidate - 1, 0) - np.maximum(reference - 1, 0)
    penalty: Floats = np.exp(-(difference.astype(np.float64) ** 2) / (2 * sigma**2))
    return penalty
