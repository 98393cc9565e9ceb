"""N-grams of one to four words, counted for all captions of a block at once.

An n-gram is a 64-bit key computed from the keys of its words. Counting is sorting: the n-grams of
all captions stand in one array, each with the number of its caption; equal neighbours after a sort
are occurrences of the same n-gram. Two of ten million n-grams share a key with a probability of
3e-6.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats, Ints
from earmark.tasks.captions.score.ngrams.blocks import CaptionWords, Keys

ORDERS = 4  # 1-grams to 4-grams, as in BLEU-4 and CIDEr
# Odd 64-bit constants from the literature (Knuth's golden ratio, xxHash): products with them,
# modulo 2**64, spread similar keys over the whole range. They do not influence any score.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
SALT = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, slots=True, eq=False)
class NgramCounts:
    """The distinct n-grams of each caption of a block, and how often they occur in it.

    One row for each pair of a caption and an n-gram that it holds, in no particular order.
    `order` is n - 1. `lengths` are the captions' numbers of words.
    """

    caption: Ints  # (rows,)
    order: Ints  # (rows,)
    key: Keys  # (rows,)
    times: Ints  # (rows,)
    lengths: Ints  # (captions,)


def count_ngrams(captions: CaptionWords) -> NgramCounts:
    """Count the n-grams of one to four words in each caption.

    The key of an n-gram at word w is built from the (n-1)-gram at w by one multiplication and one
    addition, for all words of the block at once. An n-gram that would reach over the end of its
    caption is dropped.
    """
    words, lengths = captions.keys, captions.lengths
    caption_of = np.repeat(np.arange(len(captions)), lengths)
    # Words from here to the end of the caption, this one included.
    remaining = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(words))
    caption_columns, key_columns, order_columns = [], [], []
    with np.errstate(over="ignore"):
        keys = words
        for order in range(ORDERS):
            if order and len(keys):
                keys = keys[:-1] * GOLDEN + words[order:]
            inside = remaining[: len(keys)] > order
            caption_columns.append(caption_of[: len(keys)][inside])
            key_columns.append(keys[inside] * SALT + np.uint64(order))
            order_columns.append(np.full(len(caption_columns[-1]), order))
    caption, key = np.concatenate(caption_columns), np.concatenate(key_columns)
    combined = key_in(caption, key)
    by_key = np.argsort(combined)
    starts = _run_starts(combined[by_key])
    first = by_key[starts]
    return NgramCounts(
        caption=caption[first],
        order=np.concatenate(order_columns)[first],
        key=key[first],
        times=np.diff(np.append(starts, len(key))),
        lengths=lengths,
    )


def key_in(group: Ints, key: Keys) -> Keys:
    """Return one key for each pair of a group (a caption or an item) and an n-gram."""
    with np.errstate(over="ignore"):
        return key ^ ((group.astype(np.uint64) + np.uint64(1)) * GOLDEN)


def look_up(keys: Keys, table: Keys, values: NDArray[np.generic]) -> Floats:
    """Return the values of `keys` in a table sorted by key; 0 for a key that is not in it."""
    if not len(table):
        return np.zeros(len(keys))
    row = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.where(table[row] == keys, values[row], 0).astype(np.float64)


def largest_by_key(keys: Keys, values: Ints) -> tuple[Keys, Ints]:
    """Return the distinct keys, sorted, and the largest value of each."""
    by_key = np.argsort(keys, kind="stable")
    keys, values = keys[by_key], values[by_key]
    starts = _run_starts(keys)
    if not len(starts):
        return keys, values
    return keys[starts], np.maximum.reduceat(values, starts)


def sum_by_order(caption: Ints, order: Ints, values: Floats, *, captions: int) -> Floats:
    """Return the sums of values of n-grams by caption and order, of shape (captions, 4)."""
    cell = caption * ORDERS + order
    sums = np.bincount(cell, weights=values, minlength=captions * ORDERS).astype(np.float64)
    return sums.reshape(captions, ORDERS)


def _run_starts(column: Keys) -> Ints:
    """Return where a new value begins in a sorted column."""
    if not len(column):
        return np.zeros(0, dtype=np.int64)
    return np.concatenate([[0], np.flatnonzero(column[1:] != column[:-1]) + 1])
