"""How often a word appears, its rank among all words, and the tag it mostly carries."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Vocabulary:
    """The words of a corpus from rare to frequent; words of equal count stand in their own order.

    `by_tag` holds, for every tag that was counted, the ranks of the words that carry it more than
    half the time.
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    rank: Mapping[str, int]
    by_tag: Mapping[str, tuple[int, ...]]
    tag_of: Mapping[str, str] = field(default_factory=dict)

    def window(self, rank: int, frame: int, tag: str) -> list[int]:
        """Ranks of the words with that tag in [rank - frame, rank + frame), never below 0."""
        ranks = self.by_tag.get(tag, ())
        return list(ranks[bisect_left(ranks, rank - frame) : bisect_left(ranks, rank + frame)])


def vocabulary(
    documents: Iterable[tuple[Sequence[str], Iterable[tuple[str, str]]]], *, letters: int = 1
) -> Vocabulary:
    """The vocabulary of documents given as (all tokens, pairs of a word and its tag).

    Parameters
    ----------
    documents
        Tokens, and the words whose tags matter (say, the nouns) with those tags.
    letters
        A word kept for its tag has at least this many letters and nothing but letters.
    """
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for tokens, tagged in documents:
        words.update(tokens)
        pairs.update(tagged)
    names = sorted(words)
    times = np.fromiter(map(words.__getitem__, names), np.int64, len(names))
    order = np.argsort(times, kind="stable")
    ordered = tuple([names[index] for index in order.tolist()])
    rank = dict(zip(ordered, range(len(ordered)), strict=True))
    tag_of = _main_tags(words, pairs)
    by_tag: dict[str, list[int]] = {}
    for word, tag in tag_of.items():
        if len(word) >= letters and word.isalpha():
            by_tag.setdefault(tag, []).append(rank[word])
    return Vocabulary(
        ordered,
        tuple(times[order].tolist()),
        rank,
        {tag: tuple(sorted(ranks)) for tag, ranks in by_tag.items()},
        tag_of,
    )


def _main_tags(words: Counter[str], pairs: Counter[tuple[str, str]]) -> dict[str, str]:
    """The tag that a word carries more than half the time, where there is one."""
    best: dict[str, tuple[int, str]] = {}
    for (word, tag), times in pairs.items():
        found = best.get(word)
        if found is None or (times, found[1]) > (found[0], tag):
            best[word] = (times, tag)
    return {word: tag for word, (times, tag) in best.items() if 2 * times > words[word]}
