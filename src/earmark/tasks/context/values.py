"""What the context task hands over: passages, swaps, flags and scores, one per token."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from earmark.values.errors import InputError
from earmark.values.item import Item

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Swap:
    """One noun that was taken out and the word that was put in.

    `at` counts tokens, `start` characters of the original text. `previous` is the token of the
    last earlier mention and `nouns_back` how many nouns ago that was. Ranks and counts are those
    of the vocabulary, rarest first. `phonetic` and `embedding` are distances between the two
    words from 0 (alike) on, where they were asked for and are known.
    """

    at: int
    start: int
    was: str
    now: str
    tag: str
    previous: int
    nouns_back: int
    frame: int
    rank_was: int
    rank_now: int
    count_was: int
    count_now: int
    phonetic: float | None = None
    embedding: float | None = None


@dataclass(frozen=True, slots=True)
class Swaps:
    """Everything that was changed in one passage: the truth, and its stand-off form.

    `before` and `after` are the SHA-256 of the original and of the changed text, so that the
    original and this record alone rebuild the changed text byte for byte. `left_out` counts why
    further candidates were not swapped.
    """

    length: int
    swaps: tuple[Swap, ...]
    before: str = ""
    after: str = ""
    candidates: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _inside([swap.at for swap in self.swaps], self.length)
        if any(one.at >= two.at for one, two in pairwise(self.swaps)):
            raise InputError("swaps stand in the order of the text, one a token")

    @property
    def at(self) -> frozenset[int]:
        """The tokens that were swapped."""
        return frozenset(swap.at for swap in self.swaps)

    @property
    def seen(self) -> tuple[Range, ...]:
        """All tokens: the maker knows about every one."""
        return ((0, self.length),)

    @property
    def labels(self) -> tuple[int, ...]:
        """1 for a swapped token, 0 for any other."""
        return labels_of(self.length, self.at)


@dataclass(frozen=True, slots=True)
class Flags:
    """The words that somebody says do not belong, among those they were shown.

    `seen` holds the ranges of tokens that were shown, from and up to; empty means all of them.
    """

    length: int
    at: frozenset[int]
    seen: tuple[Range, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", frozenset(self.at))
        shown = tuple((int(low), int(high)) for low, high in self.seen) or ((0, self.length),)
        object.__setattr__(self, "seen", shown)
        _inside(self.at, self.length)
        if not all(any(low <= place < high for low, high in shown) for place in self.at):
            raise InputError("only words that were shown can be marked", got=sorted(self.at))

    @property
    def labels(self) -> tuple[int, ...]:
        """1 for a marked token, 0 for any other."""
        return labels_of(self.length, self.at)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a language model makes of one place where two words are offered.

    `first` and `second` are log probabilities (nats) of the two words in the order offered;
    the ranks are shares of the vocabulary that the model likes less (1 is its favourite).
    """

    at: int
    first: float
    second: float
    rank_first: float | None = None
    rank_second: float | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """How strongly a system doubts each token; higher means less in place.

    `threshold` is the cut that was chosen on development data: what reaches it is flagged.
    `surprise` is -log P of each token in nats where the system is a language model.
    """

    scores: tuple[float, ...]
    threshold: float | None = None
    surprise: tuple[float, ...] | None = None
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        _finite(self.scores, "a score")
        if self.surprise is not None:
            _finite(self.surprise, "a surprise")
            if len(self.surprise) != len(self.scores):
                raise InputError(
                    "every token has one score and one surprise",
                    got=f"{len(self.scores)} scores, {len(self.surprise)} surprises",
                )
        if self.threshold is not None:
            _finite((self.threshold,), "a threshold")

    @property
    def length(self) -> int:
        """How many tokens were scored."""
        return len(self.scores)


@dataclass(frozen=True, slots=True)
class Passage:
    """The words of one item and where each stands in its text."""

    id: str
    text: str
    tokens: tuple[str, ...]
    offsets: tuple[Range, ...]
    tags: tuple[str, ...] | None = None

    @classmethod
    def of(cls, item: Item) -> "Passage":
        """The passage that an item holds."""
        flat = item.details.get("offsets")
        if item.text is None or not isinstance(flat, tuple | list):
            raise InputError(
                "a passage has a text and the offsets of its tokens",
                at=f"item {item.id}",
                fix="make it with `earmark make context`",
            )
        offsets = tuple(zip(flat[::2], flat[1::2], strict=True))
        tags = item.details.get("tags")
        return cls(
            item.id,
            item.text,
            tuple(item.text[start:end] for start, end in offsets),
            offsets,
            tuple(tags) if isinstance(tags, tuple | list) else None,
        )


def labels_of(length: int, at: frozenset[int]) -> tuple[int, ...]:
    """0 and 1 for every token."""
    return tuple([1 if index in at else 0 for index in range(length)])


def _inside(places: "frozenset[int] | list[int]", length: int) -> None:
    outside = [place for place in places if not 0 <= place < length]
    if outside:
        raise InputError(
            "a marked word must be one of the passage",
            got=f"token {outside[0]}",
            want=f"0 to {length - 1}",
        )


def _finite(numbers: tuple[float, ...], what: str) -> None:
    for index, number in enumerate(numbers):
        if not math.isfinite(number):
            raise InputError(
                f"{what} must be a finite number",
                at=f"token {index}",
                got=number,
                fix="give a low score to a token that cannot be judged",
            )
