"""ROUGE-L: the longest common subsequence of candidate and reference."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from earmark.score.metric import Metric, mean
from earmark.stats.rates import proportion
from earmark.tasks.captions.score.ngrams.blocks import Blocks, Sides
from earmark.tasks.captions.values import Captions
from earmark.values.counts import Mean

Tokens = Sequence[Hashable]


def rouge_l(*, rouge_beta: float = 1.2) -> Metric:
    """F of the longest common subsequence: best precision and best recall over the references.

    Parameters
    ----------
    rouge_beta
        How many times recall weighs precision.

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

    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        found: dict[str, Mean] = {}
        for block in Blocks(references, outputs):
            rows = zip(block.items, _grouped(block), block.candidates.lists(), strict=True)
            found.update(
                (item, Mean.of(rouge(refs, words, beta=rouge_beta))) for item, refs, words in rows
            )
        return found

    def count(reference: Captions, output: Captions) -> Mean:
        return count_all({"item": reference}, {"item": output})["item"]

    return Metric(
        task="captions",
        name="rouge_l",
        count=count,
        count_all=count_all,
        rate=mean,
        options={"rouge_beta": rouge_beta},
        average="macro",
    )


def _grouped(block: Sides) -> Iterator[list[list[int]]]:
    """The references of each item."""
    rows = block.references.lists()
    return (list(islice(rows, size)) for size in np.bincount(block.of).tolist())


def rouge(references: Sequence[Tokens], words: Tokens, *, beta: float = 1.2) -> float:
    """ROUGE-L of one candidate.

    Examples
    --------
    >>> round(rouge((("a", "dog", "barks"),), ("a", "dog", "runs", "off")), 4)
    0.5865
    """
    where = positions(words)
    common = [(common_length(where, len(words), them), len(them)) for them in references]
    longest = max(length for length, _ in common)
    if not longest:
        return 0.0
    precision = proportion(longest, of=len(words))
    recall = max(proportion(length, of=size) for length, size in common if size)
    return (1 + beta**2) * precision * recall / (recall + beta**2 * precision)


def positions(words: Tokens) -> dict[Hashable, int]:
    """For each word a number whose bits say where it stands."""
    where: dict[Hashable, int] = {}
    for at, word in enumerate(words):
        where[word] = where.get(word, 0) | (1 << at)
    return where


def common_length(where: dict[Hashable, int], size: int, other: Tokens) -> int:
    """Length of the longest common subsequence, a row of the table held in the bits of a number.

    After Hyyro (2004); a zero bit marks a step of the classic table.

    Examples
    --------
    >>> common_length(positions(("a", "b", "c")), 3, ("a", "c", "b"))
    2
    """
    full = (1 << size) - 1
    row = full
    for word in other:
        met = row & where.get(word, 0)
        row = ((row + met) | (row - met)) & full
    return size - row.bit_count()
