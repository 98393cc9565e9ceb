"""BLEU: the share of the candidate's runs of words that stand in a reference."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.score.metric import Metric
from earmark.tasks.captions.score.ngrams import counts as ngrams
from earmark.tasks.captions.score.ngrams.blocks import Blocks, Sides
from earmark.tasks.captions.values import Captions

# pycocoevalcap's own constants, kept so that the numbers are the same to the last digit.
TINY, SMALL = 1e-15, 1e-9


@dataclass(frozen=True, slots=True)
class RunCounts:
    """Runs of one to four words: how many stand in a reference, how many there are; lengths."""

    right: tuple[float, float, float, float] = (0, 0, 0, 0)
    made: tuple[float, float, float, float] = (0, 0, 0, 0)
    length: float = 0
    wanted: float = 0

    def __add__(self, other: "RunCounts") -> "RunCounts":
        return RunCounts.from_row(
            tuple(a + b for a, b in zip(self.row(), other.row(), strict=True))
        )

    def row(self) -> tuple[float, ...]:
        """The ten numbers."""
        return (*self.right, *self.made, self.length, self.wanted)

    @classmethod
    def from_row(cls, row: tuple[float, ...]) -> "RunCounts":
        """The counts of a row."""
        a, b, c, d, e, f, g, h, length, wanted = row
        return cls((a, b, c, d), (e, f, g, h), length, wanted)


def bleu_1() -> Metric:
    """BLEU of single words.

    Definition
    ----------
    As `bleu_4`, with n = 1 alone.

    Undefined
    ---------
    Never.
    """
    return _metric(1)


def bleu_2() -> Metric:
    """BLEU of runs up to two words.

    Definition
    ----------
    As `bleu_4`, with n = 1, 2.

    Undefined
    ---------
    Never.
    """
    return _metric(2)


def bleu_3() -> Metric:
    """BLEU of runs up to three words.

    Definition
    ----------
    As `bleu_4`, with n = 1, 2, 3.

    Undefined
    ---------
    Never.
    """
    return _metric(3)


def bleu_4() -> Metric:
    """Share of the candidate's runs of up to four words that a reference holds.

    Definition
    ----------
    The geometric mean over n = 1..4 of (runs that stand in a reference, each as often as there) /
    (runs of the candidate), times exp(1 - wanted / length) when the candidates are shorter than
    the references nearest in length. Counts are summed over items before they are divided.

    Undefined
    ---------
    Never: without a single run the value is 0, as in pycocoevalcap.

    Notes
    -----
    Papineni et al. 2002; the same numbers as pycocoevalcap 1.2. Higher is better; 0 to 1.
    """
    return _metric(4)


def _metric(order: int) -> Metric:
    def rate(counts: RunCounts) -> float:
        return bleu(counts, order=order)

    return Metric(
        task="captions",
        name=f"bleu_{order}",
        count=lambda reference, output: count_runs({"item": reference}, {"item": output})["item"],
        count_all=count_runs,
        rate=rate,
    )


def bleu(counts: RunCounts, *, order: int = 4) -> float:
    """BLEU of summed counts.

    Examples
    --------
    >>> round(bleu(RunCounts((2, 1, 0, 0), (4, 3, 2, 1), length=4, wanted=4), order=2), 3)
    0.408
    """
    product = 1.0
    for right, made in list(zip(counts.right, counts.made, strict=True))[:order]:
        product *= (right + TINY) / (made + SMALL)
    value = float(product ** (1 / order))
    ratio = (counts.length + TINY) / (counts.wanted + SMALL)
    return value * math.exp(1 - 1 / ratio) if ratio < 1 else value


def count_runs(
    references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, RunCounts]:
    """The counts of each item."""
    counts: dict[str, RunCounts] = {}
    for block in Blocks(references, outputs):
        rows = map(tuple, _rows(block).tolist())
        counts.update(zip(block.items, map(RunCounts.from_row, rows), strict=True))
    return counts


def _rows(block: Sides) -> NDArray[np.float64]:
    theirs, ours = ngrams.count(block.references), ngrams.count(block.candidates)
    keys, most = ngrams.highest(ngrams.within(block.of[theirs.caption], theirs.key), theirs.times)
    met = ngrams.look_up(ngrams.within(ours.caption, ours.key), keys, most)
    size = len(block.items)
    right = np.bincount(
        ours.caption * ngrams.ORDER + ours.order,
        weights=np.minimum(met, ours.times),
        minlength=size * ngrams.ORDER,
    ).reshape(size, ngrams.ORDER)
    made = np.maximum(ours.lengths[:, None] - np.arange(ngrams.ORDER), 0)
    return np.column_stack([right, made, ours.lengths, _nearest(block)])


def _nearest(block: Sides) -> NDArray[np.int64]:
    """The length of the reference nearest in length; the shorter of two equally near."""
    lengths = block.references.lengths
    apart = np.abs(lengths - block.candidates.lengths[block.of])
    order = np.lexsort((lengths, apart, block.of))
    first = np.searchsorted(block.of[order], np.arange(len(block.items)))
    return lengths[order][first]
