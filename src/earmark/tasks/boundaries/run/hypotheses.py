"""One stretch of a text, read by a language model with the marks decided so far.

After each word three ways to go on are compared over the next words: a full stop and a capital, a
comma, and nothing. The most probable one stays in the text before the words that follow.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from earmark.text.causal_model import CausalModel
from earmark.text.llama_cache import LaneReading, Request

# Pieces that end a sentence, and those that only interrupt it, with quotes and brackets after them.
ENDING = re.compile(r"""[.?!;…]+["'”’)\]]*\s*""")
PAUSING = re.compile(r"""\s?[,:—–-]+["'”’)\]]*\s*""")
FIRST_PERSON = re.compile(r"i(['’].*)?", re.DOTALL)
# Below this probability of any ending mark after a word, the words that follow are not asked:
# chosen on development talks, where it changes no decision in a hundred and saves half the time.
UNLIKELY = math.log(0.002)
LOOK_AHEAD = 3
# What a model reads before the text, so that it expects a talk with marks: the F1 of ends on nine
# development talks rose from .70 to .75. Made up.
OPENING = (
    "Thank you very much. It's great to be here. I want to tell you a story. And I'll keep it "
    "short. So why are we here? Because it matters.\n\n"
)


class WordPieces:
    """Words as the model's pieces: in small letters but for the first person, or capitalised."""

    def __init__(self, model: CausalModel) -> None:
        self.model = model
        self.stop = model.pieces(".")
        self.comma = model.pieces(",")
        self.opening = model.pieces(OPENING)
        self.ending = model.pieces_where(lambda text: bool(ENDING.fullmatch(text)))
        self.pausing = model.pieces_where(lambda text: bool(PAUSING.fullmatch(text)))
        self._pieces: dict[tuple[str, bool, bool], list[int]] = {}

    def of(self, word: str, *, capital: bool = False, space: bool = True) -> list[int]:
        """Return the pieces of a word, after a space."""
        key = word, capital, space
        if key not in self._pieces:
            written = word.lower().replace("’", "'")
            if capital or FIRST_PERSON.fullmatch(written):
                written = written[:1].upper() + written[1:]
            self._pieces[key] = self.model.pieces(f" {written}" if space else written)
        return self._pieces[key]


class Ways(NamedTuple):
    """How the ways to go on are written and compared."""

    pieces: WordPieces
    margin: float  # log odds from which on a sentence ends
    look_ahead: int = LOOK_AHEAD


@dataclass(slots=True)
class Stretch:
    """Words that are read in order; `log_odds` of an end after each, as far as it has come."""

    words: Sequence[str]
    judged: int  # of the words, from the first; those after them are looked at only
    ways: Ways
    log_odds: list[float] = field(default_factory=list)
    _pending: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        start = self.pieces.of(self.words[0], capital=True, space=False)
        self._pending = [*self.pieces.opening, *start]

    @property
    def is_done(self) -> bool:
        """Whether every word is judged, but for the last of a text, after which it ends."""
        return len(self.log_odds) >= min(self.judged, len(self.words) - 1)

    @property
    def pieces(self) -> WordPieces:
        """How words are written."""
        return self.ways.pieces

    def request(self) -> Request:
        """Return what is read next: the word to judge, and three ways to go on."""
        pieces, here = self.pieces, len(self.log_odds)
        first, *others = self.words[here + 1 : here + 1 + self.ways.look_ahead]
        rest = [piece for word in others for piece in pieces.of(word)]
        small = [*pieces.of(first), *rest]
        branches = (
            [*pieces.stop, *pieces.of(first, capital=True), *rest],
            small,
            [*pieces.comma, *small],
        )
        return Request(tuple(self._pending), branches)

    def take(self, reading: LaneReading) -> None:
        """Judge the word, write down the way that was chosen, and go on to the next doubt."""
        ending, pausing = reading.watched
        end, on, comma = (sum(branch.pieces) for branch in reading.branches)
        # any ending mark counts, and what follows is judged after a full stop; commas alike
        end += ending - reading.branches[0].pieces[0]
        comma += pausing - reading.branches[2].pieces[0]
        odds = end - math.log(math.exp(on - max(on, comma)) + math.exp(comma - max(on, comma)))
        odds -= max(on, comma)
        self.log_odds.append(odds)
        ends = odds >= self.ways.margin
        chosen = 0 if ends else 1 if on >= comma else 2
        mark = (self.pieces.stop, [], self.pieces.comma)[chosen]
        here = len(self.log_odds)
        first = self.pieces.of(self.words[here], capital=ends)
        self._pending = [*mark, *first]
        self._skip(reading.branches[chosen].watched, len(self._pending) - 1)

    def _skip(self, watched: list[list[float]], place: int) -> None:
        """Pass over words after which no end is likely, as far as the branch has read."""
        while not self.is_done and place < len(watched) and watched[place][0] < UNLIKELY:
            self.log_odds.append(watched[place][0])
            word = self.pieces.of(self.words[len(self.log_odds)])
            self._pending += word
            place += len(word)
