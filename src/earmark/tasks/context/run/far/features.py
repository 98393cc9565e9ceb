"""Features of nouns from a causal language model that has read the passage up to them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.arrays import Floats
from earmark.tasks.context.run.discourse.corpus import CorpusArrays
from earmark.tasks.context.run.discourse.mentions import mention_features
from earmark.tasks.context.values import Passage
from earmark.text.causal_model import CausalModel
from earmark.text.surprisal import PieceReading, pieces_of_tokens, read_pieces

# How many distinct nouns before and after a place are tried in it: a swapped noun was said among
# the last ten, and is often said again.
BACK, AHEAD = 15, 10
# How far behind the noun itself the best other is taken to be where there is none to try.
NO_OTHER = -12.0
# Words after the noun whose surprisal is averaged, near and in all; as many before it.
NEAR, NEXT = 3, 8
MENTIONS = ("stem said", "stem before", "stem after", "word said", "word before")
FEATURES = (
    *("log p", "first piece", "entropy", "log p + entropy", "pieces"),
    *("back ahead", "back second", "back top", "after ahead"),
    *("next near", "next", "before"),
    *MENTIONS,
    *("proper", "nouns so far"),
)
Matrix = NDArray[np.float32]


class _Noun(NamedTuple):
    """A noun: the places of its pieces, and the numbers of other nouns to try there."""

    token: int
    pieces: list[int]
    back: list[int]
    ahead: list[int]


def language_features(model: CausalModel, passage: Passage, corpus: CorpusArrays) -> Matrix:
    """Return a row of features for each noun of a passage, of which `corpus` holds the arrays."""
    pieces, spans = model.spans(passage.text)
    owned = pieces_of_tokens(passage.offsets, spans)
    tokens = corpus.nouns.tolist()
    nouns = _nouns(tokens, corpus.stems[corpus.nouns].tolist(), owned)
    first = [_first_piece(model, passage.tokens[token]) for token in tokens]
    asked = {
        noun.pieces[0]: [first[other] for other in (*noun.back, *noun.ahead)]
        for noun in nouns
        if noun.pieces
    }
    reading = read_pieces(model, pieces, asked)
    of_tokens = np.array([-reading.logs[own].sum() for own in owned])  # surprisal of each token
    rows = [_row(noun, nouns, reading, of_tokens) for noun in nouns]
    mentions = mention_features(corpus, np.arange(len(tokens)))
    columns = [
        np.array(rows, float).reshape(len(tokens), -1),
        *(np.asarray(mentions[name], float) for name in MENTIONS),
        np.array([passage.tokens[token][:1].isupper() for token in tokens], float),
        np.log1p(np.arange(len(tokens))),
    ]
    return np.column_stack(columns).astype(np.float32)


def _first_piece(model: CausalModel, word: str) -> int:
    """Return the first piece of a word after a space that is not that space alone."""
    pieces = model.pieces(" " + word)
    return next((piece for piece in pieces if model.texts[piece].strip()), pieces[0])


def _nouns(tokens: list[int], stems: list[int], owned: Sequence[list[int]]) -> list[_Noun]:
    return [
        _Noun(
            token,
            owned[token],
            _distinct(stems, range(number - 1, -1, -1), stems[number], BACK),
            _distinct(stems, range(number + 1, len(tokens)), stems[number], AHEAD),
        )
        for number, token in enumerate(tokens)
    ]


def _distinct(stems: list[int], order: Sequence[int], own: int, most: int) -> list[int]:
    """Return the nearest nouns of as many other words, in the order given."""
    seen = {own}
    nearest: list[int] = []
    for number in order:
        if stems[number] not in seen:
            seen.add(stems[number])
            nearest.append(number)
            if len(nearest) == most:
                break
    return nearest


def _row(
    noun: _Noun, nouns: Sequence[_Noun], reading: PieceReading, of_tokens: Floats
) -> list[float]:
    """Return what the model says of a noun and of the words around it."""
    if not noun.pieces:
        return [0.0] * (len(FEATURES) - len(MENTIONS) - 2)
    own = float(reading.logs[noun.pieces].sum())
    place = noun.pieces[0]
    tried = reading.others.get(place, np.zeros(0))
    # the pieces after the first are taken to be as probable as where the other noun was said
    rest = np.array(
        [reading.logs[nouns[other].pieces[1:]].sum() for other in (*noun.back, *noun.ahead)]
    )
    ahead = tried + rest - own
    back = np.sort(np.append(ahead[: len(noun.back)], [NO_OTHER, NO_OTHER]))[::-1]
    after = float(np.max(ahead[len(noun.back) :], initial=NO_OTHER))
    entropy = float(reading.entropies[place])
    token = noun.token
    return [
        *(own, float(reading.logs[place]), entropy, own + entropy, float(len(noun.pieces))),
        *(float(back[0]), float(back[1]), float(back[0]) + own, after),
        _mean(of_tokens[token + 1 : token + 1 + NEAR]),
        _mean(of_tokens[token + 1 : token + 1 + NEXT]),
        _mean(of_tokens[max(0, token - NEXT) : token]),
    ]


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0
