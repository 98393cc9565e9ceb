"""ROUGE-L: the longest common subsequence of candidate and reference."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from earmark.score.metric import Metric, count_one, mean
from earmark.stats.rates import proportion
from earmark.task.options import changed, option
from earmark.tasks.captions.score.ngrams.blocks import Block, Blocks
from earmark.values.counts import Mean

Tokens = Sequence[Hashable]


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeOptions:
    """How ROUGE-L weighs recall."""

    rouge_beta: float = option(1.2, "Weight of recall relative to precision.")


def rouge_l(options: RougeOptions = RougeOptions(), **changes: Any) -> Metric:
    """Build the F of the longest common subsequence: best precision, best recall.

    Definition
    ----------
    P = max over references of LCS / words of the candidate, R = max of LCS / words of the
    reference; (1 + beta^2) P R / (R + beta^2 P), averaged over items.

    Undefined
    ---------
    Never: a candidate without words scores 0.

    Notes
    -----
    Lin 2004; the same numbers as pycocoevalcap 1.2. Higher is better; 0 to 1. Precision and
    recall may come from different references, so a value of 1 does not mean that any reference
    was matched.
    """
    beta = changed(options, changes).rouge_beta

    def count(blocks: Blocks) -> dict[str, Mean]:
        scores: dict[str, Mean] = {}
        for block in blocks:
            rows = zip(block.items, _by_item(block), block.candidates.lists(), strict=True)
            scores.update(
                (item, Mean.of(rouge(refs, words, beta=beta))) for item, refs, words in rows
            )
        return scores

    return Metric(
        task="captions",
        name="rouge_l",
        count=count_one(Blocks, count),
        prepare=Blocks,
        count_prepared=count,
        rate=mean,
        options={"rouge_beta": beta},
        average="macro",
    )


def _by_item(block: Block) -> Iterator[list[list[int]]]:
    """Yield the references of each item, as lists of word keys."""
    references = block.references.lists()
    return (list(islice(references, size)) for size in np.bincount(block.item_of).tolist())


def rouge(references: Sequence[Tokens], words: Tokens, *, beta: float = 1.2) -> float:
    """Return ROUGE-L of one candidate.

    Examples
    --------
    >>> round(rouge((("a", "dog", "barks"),), ("a", "dog", "runs", "off")), 4)
    0.5865
    """
    bits = positions(words)
    common = [
        (common_length(bits, len(words), reference), len(reference)) for reference in references
    ]
    longest = max(length for length, _ in common)
    if not longest:
        return 0.0
    precision = proportion(longest, of=len(words))
    recall = max(proportion(length, of=size) for length, size in common if size)
    return (1 + beta**2) * precision * recall / (recall + beta**2 * precision)


def positions(words: Tokens) -> dict[Hashable, int]:
    """Return for each word an integer with bit k set where it is word k of the caption."""
    bits: dict[Hashable, int] = {}
    for index, word in enumerate(words):
        bits[word] = bits.get(word, 0) | (1 << index)
    return bits


def common_length(bits: dict[Hashable, int], size: int, other: Tokens) -> int:
    """Return the length of the longest common subsequence of a caption of `size` words and `other`.

    `bits` are the `positions` of that caption. The classic algorithm fills a table row by row, in
    which neighbouring cells differ by 0 or 1. Here a row is one integer with a bit for each cell: a
    zero bit marks a step by 1, so that one addition updates the whole row (Hyyro 2004), and the
    zeros of the last row count the length.

    Examples
    --------
    >>> common_length(positions(("a", "b", "c")), 3, ("a", "c", "b"))
    2
    """
    full = (1 << size) - 1
    row = full
    for word in other:
        matches = row & bits.get(word, 0)
        row = ((row + matches) | (row - matches)) & full
    return size - row.bit_count()
