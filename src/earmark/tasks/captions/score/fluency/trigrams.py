"""How usual is a run of words? A small model of words and one of shapes, both of runs of three.

A shape keeps little words as they are and makes of every other word its ending (`-ing`, `-s`,
`-ed`, `-ly` or `-`), so that sentences about things never seen before still look usual or not.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from earmark.text.vector_store import key_of

START, END = "<s>", "</s>"
LITTLE = frozenset(
    (
        "a an the this that these those some several many multiple few more other another each "
        "all both two three four his her their its it he she they them there someone something "
        "and or but while as with by of in on at to from into onto over under through during "
        "before after when until for near against along around behind between inside outside up "
        "down off out away then followed is are was were be being been has have had can could "
        "which who what where not no very so too also background distance foreground times "
    ).split()
)
ENDINGS = ("ing", "ed", "ly", "s")


@lru_cache(maxsize=100_000)
def shape(word: str) -> str:
    """The word itself when it is a little one, else its ending.

    Examples
    --------
    >>> [shape(word) for word in ("the", "dogs", "barking", "loudly", "rain")]
    ['the', '-s', '-ing', '-ly', '-']
    """
    if word in LITTLE:
        return word
    return "-" + next((end for end in ENDINGS if word.endswith(end) and len(word) > 3), "")


@dataclass(frozen=True, slots=True)
class Runs:
    """How often runs of one, two and three occur, known by their digests; Witten-Bell smoothing.

    `followers` says how many different words follow a run.
    """

    times: Mapping[int, int]
    followers: Mapping[int, int]
    total: int
    kinds: int

    @classmethod
    def counted(cls, texts: Iterable[Sequence[str]]) -> "Runs":
        """The runs of these texts."""
        times: Counter[int] = Counter()
        followers: Counter[int] = Counter()
        total = 0
        for words in texts:
            row = (START, *words, END)
            total += len(row)
            for at in range(len(row)):
                for size in (1, 2, 3):
                    run = row[at : at + size]
                    if len(run) < size:
                        break
                    key = number(run)
                    if size > 1 and not times[key]:
                        followers[number(run[:-1])] += 1
                    times[key] += 1
        kinds = len({word for words in texts for word in words}) + 2
        return cls(dict(times), dict(followers), total, kinds)

    def log_chances(self, words: Sequence[str]) -> list[float]:
        """The logarithm of each word's chance after the two before it, the end included."""
        row = (START, *words, END)
        return [self._log_chance(row[max(0, at - 2) : at + 1]) for at in range(1, len(row))]

    def _log_chance(self, run: tuple[str, ...]) -> float:
        chance = (self.times.get(number(run[-1:]), 0) + 0.5) / (self.total + 0.5 * self.kinds)
        for size in range(2, len(run) + 1):
            before = number(run[-size:-1])
            kinds = self.followers.get(before, 0)
            if kinds:
                seen = self.times.get(before, 0)
                now = self.times.get(number(run[-size:]), 0)
                chance = (now + kinds * chance) / (seen + kinds)
        return float(np.log(chance))

    def kept(self, least: int) -> "Runs":
        """Without runs that occur fewer than `least` times; the chances change little."""
        times = {key: count for key, count in self.times.items() if count >= least}
        followers = {key: count for key, count in self.followers.items() if key in times}
        return Runs(times, followers, self.total, self.kinds)


@lru_cache(maxsize=50_000)
def number(run: tuple[str, ...]) -> int:
    """A digest of 40 bits."""
    return int.from_bytes(key_of(" ".join(run))[:5], "little")
