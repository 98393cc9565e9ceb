"""BLEU: the proportion of the candidate's n-grams that a reference holds."""

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from earmark.arrays import Floats, Ints
from earmark.score.counting import CountTable
from earmark.score.metric import Metric, count_one
from earmark.tasks.captions.score.ngrams.blocks import Block, Blocks
from earmark.tasks.captions.score.ngrams.counts import (
    ORDERS,
    count_ngrams,
    key_in,
    largest_by_key,
    look_up,
    sum_by_order,
)

# pycocoevalcap adds these to numerators and denominators; so do we, to agree to the last digit.
TINY, SMALL = 1e-15, 1e-9

ByOrder = tuple[float, float, float, float]  # of 1-grams to 4-grams


@dataclass(frozen=True, slots=True)
class BleuCounts:
    """What BLEU sums over items.

    `matched`: n-grams of the candidate that a reference holds, each at most as often as there.
    `total`: n-grams of the candidate. `length`: its words. `reference_length`: the words of the
    reference nearest in length.
    """

    matched: ByOrder = (0, 0, 0, 0)
    total: ByOrder = (0, 0, 0, 0)
    length: float = 0
    reference_length: float = 0

    def __add__(self, other: "BleuCounts") -> "BleuCounts":
        pairs = zip(self.row(), other.row(), strict=True)
        return BleuCounts.from_row(tuple(a + b for a, b in pairs))

    def row(self) -> tuple[float, ...]:
        """Return the ten numbers in a row."""
        return (*self.matched, *self.total, self.length, self.reference_length)

    @classmethod
    def from_row(cls, row: tuple[float, ...]) -> "BleuCounts":
        """Return the counts that a row holds."""
        a, b, c, d, e, f, g, h, length, reference_length = row
        return cls((a, b, c, d), (e, f, g, h), length, reference_length)


def bleu_1() -> Metric:
    """Build BLEU of single words.

    Definition
    ----------
    As `bleu_4`, with n = 1 alone.

    Undefined
    ---------
    Never.
    """
    return _metric(1)


def bleu_2() -> Metric:
    """Build BLEU of n-grams up to two words.

    Definition
    ----------
    As `bleu_4`, with n = 1, 2.

    Undefined
    ---------
    Never.
    """
    return _metric(2)


def bleu_3() -> Metric:
    """Build BLEU of n-grams up to three words.

    Definition
    ----------
    As `bleu_4`, with n = 1, 2, 3.

    Undefined
    ---------
    Never.
    """
    return _metric(3)


def bleu_4() -> Metric:
    """Build BLEU: the proportion of n-grams up to four words that a reference holds.

    Definition
    ----------
    The geometric mean over n = 1..4 of (n-grams that a reference holds, each at most as often as
    there) / (n-grams of the candidate), times exp(1 - reference length / length) when the
    candidates are shorter than the references nearest in length. Counts are summed over items
    before they are divided.

    Undefined
    ---------
    Never: without a single n-gram the value is 0, as in pycocoevalcap.

    Notes
    -----
    Papineni et al. 2002; the same numbers as pycocoevalcap 1.2. Higher is better; 0 to 1.
    """
    return _metric(4)


def _metric(order: int) -> Metric:
    return Metric(
        task="captions",
        name=f"bleu_{order}",
        count=count_one(Blocks, count_items),
        prepare=Blocks,
        count_prepared=count_items,
        rate=lambda counts: bleu(counts, order=order),
    )


def bleu(counts: BleuCounts, *, order: int = 4) -> float:
    """Return BLEU of summed counts.

    Examples
    --------
    >>> counts = BleuCounts((2, 1, 0, 0), (4, 3, 2, 1), length=4, reference_length=4)
    >>> round(bleu(counts, order=2), 3)
    0.408
    """
    product: Any = 1.0  # numbers, or columns of them
    for matched, total in zip(counts.matched[:order], counts.total[:order], strict=True):
        product *= (matched + TINY) / (total + SMALL)
    value = product ** (1 / order)
    ratio: Any = (counts.length + TINY) / (counts.reference_length + SMALL)
    if isinstance(ratio, np.ndarray):
        return cast(float, value * np.exp(1 - 1 / np.minimum(ratio, 1.0)))
    return float(value * math.exp(1 - 1 / ratio) if ratio < 1 else value)


def count_items(blocks: Blocks) -> CountTable[BleuCounts]:
    """Return the counts of each item, as rows of one array."""
    rows = np.concatenate([_rows(block) for block in blocks])
    return CountTable(blocks.items, rows, lambda row: BleuCounts.from_row(tuple(row)))


def _rows(block: Block) -> Floats:
    """Return the counts of a block's items as rows of `BleuCounts`, of shape (items, 10)."""
    references, candidates = count_ngrams(block.references), count_ngrams(block.candidates)
    in_item = key_in(block.item_of[references.caption], references.key)
    table, most = largest_by_key(in_item, references.times)
    allowed = look_up(key_in(candidates.caption, candidates.key), table, most)
    matched = sum_by_order(
        candidates.caption,
        candidates.order,
        np.minimum(allowed, candidates.times),
        captions=len(block.items),
    )
    total = np.maximum(candidates.lengths[:, None] - np.arange(ORDERS), 0)  # (items, 4)
    return np.column_stack([matched, total, candidates.lengths, _nearest_lengths(block)])


def _nearest_lengths(block: Block) -> Ints:
    """Return for each item the length of the reference nearest in length; of two, the shorter."""
    lengths = block.references.lengths
    differences = np.abs(lengths - block.candidates.lengths[block.item_of])
    order = np.lexsort((lengths, differences, block.item_of))
    first = np.searchsorted(block.item_of[order], np.arange(len(block.items)))
    return lengths[order][first]
