"""The records of the context task: passages, swaps, flags and scores, one per token."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from earmark.values.errors import InputError
from earmark.values.item import Item

# From a token, up to but not including another.
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Swap:
    """One noun that was taken out and the word that replaced it.

    `at` is the index of the token, `start` of its first character in the original text. `previous`
    is the token of the last earlier mention and `nouns_back` how many nouns ago that was. `frame`
    is the distance in frequency ranks within which the substitute was drawn (0 for sound-alikes).
    Ranks and counts are those of the vocabulary, rarest first. `phonetic` and `embedding` are
    distances between the two words from 0 (alike) on, where they were asked for and are known.
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
            raise InputError("swaps must be in the order of the text, at most one per token")

    @property
    def at(self) -> frozenset[int]:
        """The indices of the swapped tokens."""
        return frozenset(swap.at for swap in self.swaps)

    @property
    def seen(self) -> tuple[Range, ...]:
        """All tokens: the maker knows about every one."""
        return ((0, self.length),)

    def restored(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the tokens of the original text from those of the changed text."""
        original = list(tokens)
        for swap in self.swaps:
            original[swap.at] = swap.was
        return tuple(original)

    @property
    def labels(self) -> tuple[int, ...]:
        """1 for a swapped token, 0 for any other."""
        return labels_of(self.length, self.at)


@dataclass(frozen=True, slots=True)
class Flags:
    """The words that somebody marked as out of context, among those they were shown.

    `at` holds the indices of the marked tokens, `seen` the ranges of tokens that were shown; no
    range means all of them.
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
    """A language model's comparison of two words at one token.

    `first` and `second` are log probabilities (nats) of the two words in the order offered; the
    ranks are the shares of the vocabulary that are less probable there (1 is the most probable).
    """

    at: int
    first: float
    second: float
    rank_first: float | None = None
    rank_second: float | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """A system's score of each token; higher means more probably out of context.

    `threshold` was chosen on development data: a token that reaches it is flagged. `surprise` is
    the surprisal, -log P in nats, of each token where the system is a language model.
    """

    scores: tuple[float, ...]
    threshold: float | None = None
    surprise: tuple[float, ...] | None = None
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        _finite(self.scores, "a score")
        if self.surprise is not None:
            _finite(self.surprise, "a surprisal")
            if len(self.surprise) != len(self.scores):
                raise InputError(
                    "every token must have one score and one surprisal",
                    got=f"{len(self.scores)} scores, {len(self.surprise)} surprisals",
                )
        if self.threshold is not None:
            _finite((self.threshold,), "a threshold")

    @property
    def length(self) -> int:
        """The number of tokens that were scored."""
        return len(self.scores)


@dataclass(frozen=True, slots=True)
class Passage:
    """The tokens of one item and the range of characters of each."""

    id: str
    text: str
    tokens: tuple[str, ...]
    offsets: tuple[Range, ...]
    tags: tuple[str, ...] | None = None

    @classmethod
    def of(cls, item: Item) -> "Passage":
        """Return the passage of an item; raise InputError if the item has none."""
        flat = item.details.get("offsets")
        if item.text is None or not isinstance(flat, tuple | list):
            raise InputError(
                "a passage must have a text and the offsets of its tokens",
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


# The records that a study's files hold, by the names in their `is` field.
KINDS: tuple[type, ...] = (Swap, Swaps, Flags, Choice, Scores)


def labels_of(length: int, at: frozenset[int]) -> tuple[int, ...]:
    """Return a label for every token: 1 for those at the given indices, 0 for the others."""
    return tuple([1 if index in at else 0 for index in range(length)])


def _inside(places: Iterable[int], length: int) -> None:
    outside = [place for place in places if not 0 <= place < length]
    if outside:
        raise InputError(
            "a marked word must be in the passage",
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


def talks(reference: Mapping[str, object]) -> dict[str, str]:
    """Return the talk of each passage: its name without the way in which `make` corrupted it.

    Examples
    --------
    >>> talks({"monday (clean)": None, "monday (paper)": None, "friday": None})
    {'monday (clean)': 'monday', 'monday (paper)': 'monday', 'friday': 'friday'}
    """
    return {name: re.sub(r" \([^()]*\)$", "", name) for name in reference}
