"""Word frequencies of a corpus: counts, ranks, and the tag that a word mostly has."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class WordFrequencies:
    """The words of a corpus from rare to frequent, those of equal count in alphabetical order.

    `rank` is a word's index in `words`. `by_tag` holds, for every tag that was counted, the ranks
    of the words that have it more than half the time; `tag_of` that tag of each such word.
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]
    rank: Mapping[str, int]
    by_tag: Mapping[str, tuple[int, ...]]
    tag_of: Mapping[str, str] = field(default_factory=dict)

    def window(self, rank: int, frame: int, tag: str) -> list[int]:
        """Return the ranks of the words with that tag in [rank - frame, rank + frame)."""
        ranks = self.by_tag.get(tag, ())
        return list(ranks[bisect_left(ranks, rank - frame) : bisect_left(ranks, rank + frame)])


def word_frequencies(
    documents: Iterable[tuple[Sequence[str], Iterable[tuple[str, str]]]], *, letters: int = 1
) -> WordFrequencies:
    """Count the words of documents.

    A document is all its tokens, and those words whose tags matter (say, the nouns) with their
    tags. Only words of at least `letters` letters and nothing else are listed by tag.
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
    return WordFrequencies(
        ordered,
        tuple(times[order].tolist()),
        rank,
        {tag: tuple(sorted(ranks)) for tag, ranks in by_tag.items()},
        tag_of,
    )


def _main_tags(words: Counter[str], pairs: Counter[tuple[str, str]]) -> dict[str, str]:
    """Return the tag that each word has more than half the time, where there is one."""
    best: dict[str, tuple[int, str]] = {}
    for (word, tag), times in pairs.items():
        leader = best.get(word)
        if leader is None or (times, leader[1]) > (leader[0], tag):
            best[word] = (times, tag)
    return {word: tag for word, (times, tag) in best.items() if 2 * times > words[word]}
