"""One stretch of a text, read by a language model with the marks decided so far.

After each word the ways to go on are compared over the next words: a full stop and a capital, a
comma, and nothing, where the next word may be a name. The most probable one stays in the text
before the words that follow. What is known of a word beforehand (`prior`) is added, and where it
leaves no doubt the model is not asked.
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
# The largest log odds of an end that the model is trusted with: where they could not change a
# decision, it is not asked.
MOST = 6.0
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
    weight: float = 1.0  # of the model's log odds beside what is known beforehand


@dataclass(slots=True)
class Stretch:
    """Words that are read in order; `log_odds` of an end after each, as far as it has come."""

    words: Sequence[str]
    judged: int  # of the words, from the first; those after them are looked at only
    ways: Ways
    prior: Sequence[float] = ()  # log odds of each word beforehand; none at all is 0
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
        """Return what is read next: the word to judge, and the ways to go on."""
        pieces, here = self.pieces, len(self.log_odds)
        first, *others = self.words[here + 1 : here + 1 + self.ways.look_ahead]
        rest = [piece for word in others for piece in pieces.of(word)]
        small, large = pieces.of(first), pieces.of(first, capital=True)
        branches = (
            [*pieces.stop, *large, *rest],
            [*small, *rest],
            [*pieces.comma, *small, *rest],
            large[:1],  # a name: it costs nothing to look at its first piece
        )
        return Request(tuple(self._pending), branches)

    def take(self, reading: LaneReading) -> None:
        """Judge the word, write down the way that was chosen, and go on to the next doubt."""
        ending, pausing = reading.watched
        stop, small, comma, name = (branch.pieces for branch in reading.branches)
        # any ending mark counts, and what follows is judged after a full stop; commas alike
        end = ending + sum(stop[1:])
        # a name's further pieces are taken to be as probable as after a full stop
        is_new = self._next(capital=True) != self._next()
        on = [sum(small), name[0] + sum(stop[2:]) if is_new else -math.inf]
        pause = pausing + sum(comma[1:])
        odds = end - _log_sum(*on, pause)
        self.log_odds.append(self._known(len(self.log_odds)) + self.ways.weight * odds)
        ends = self.log_odds[-1] >= self.ways.margin
        chosen = 0 if ends else 1 if max(on) >= pause else 2
        mark = (self.pieces.stop, [], self.pieces.comma)[chosen]
        is_name = chosen == 1 and on[1] > on[0]
        here = len(self.log_odds)
        first = self.pieces.of(self.words[here], capital=ends or is_name)
        self._pending = [*mark, *first]
        watched = [] if is_name else reading.branches[chosen].watched
        self._skip(watched, len(self._pending) - 1)

    def _next(self, *, capital: bool = False) -> list[int]:
        return self.pieces.of(self.words[len(self.log_odds) + 1], capital=capital)

    def _known(self, word: int) -> float:
        """Return the log odds of an end after a word that are known beforehand."""
        return self.prior[word] if len(self.prior) else 0.0

    def _skip(self, watched: list[list[float]], place: int) -> None:
        """Pass over words that leave no doubt.

        By what is known beforehand, or by the model, as far as the branch has read.
        """
        most = self.ways.weight * MOST
        while not self.is_done:
            known = self._known(len(self.log_odds))
            odds = watched[place][0] if place < len(watched) else 0.0
            ends = known - most >= self.ways.margin
            if odds < UNLIKELY:
                self.log_odds.append(known + self.ways.weight * odds)
                ends = False
            elif ends or known + most < self.ways.margin:
                self.log_odds.append(known + most if ends else known - most)
            else:
                break
            if ends:  # the branch has read on without a full stop
                self._pending += self.pieces.stop
                watched = []
            word = self.pieces.of(self.words[len(self.log_odds)], capital=ends)
            self._pending += word
            place += len(word)


def _log_sum(*values: float) -> float:
    """Return the logarithm of a sum of exponentials."""
    most = max(values)
    return most + math.log(sum(math.exp(value - most) for value in values))
