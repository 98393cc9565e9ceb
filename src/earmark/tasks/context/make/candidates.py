"""Which nouns can be swapped: those that the passage leans on, because they were said before."""

from collections.abc import Sequence
from typing import NamedTuple

from earmark.tasks.context.make.documents import Tagged
from earmark.tasks.context.make.recipe import Recipe
from earmark.text.tokens import CLOSERS, ENDS

LONGEST_DIRECTION = 8
LONGEST_NAME = 3
OPENERS = {"(": ")", "[": "]"}


class Candidate(NamedTuple):
    """A noun said before: `place` is its token, `order` its number as a noun."""

    place: int
    order: int
    previous: int
    nouns_back: int
    following: int | None = None


def noun_places(tagged: Tagged, recipe: Recipe) -> list[int]:
    """The tokens that count as nouns, in the order of the text."""
    places = tagged.places_of(recipe.nouns)
    if not recipe.directions:
        return places
    aside = asides(tagged.document.tokens)
    return [place for place in places if place not in aside] if aside else places


def find_candidates(words: Sequence[str], places: Sequence[int], recipe: Recipe) -> list[Candidate]:
    """The nouns that also stand among the `context` nouns before them.

    Surface forms are compared as written; the window counts nouns and crosses sentences
    (Huber et al. 2018, section 4, stage 3).
    """
    context, first = recipe.context, recipe.first
    last: dict[str, int] = {}
    again: list[tuple[int, int]] = []
    for order, word in enumerate(words):
        before = last.get(word)
        last[word] = order
        if before is not None and order - before <= context and order >= first:
            again.append((order, before))
    if not (recipe.strict_last or recipe.evidence):
        return [Candidate(places[a], a, places[b], a - b) for a, b in again]
    coming = _following(words, context)
    return [
        Candidate(places[a], a, places[b], a - b, None if (c := coming[a]) is None else places[c])
        for a, b in again
        if not recipe.strict_last or coming[a] is None
    ]


def asides(tokens: Sequence[str]) -> frozenset[int]:
    """Tokens of stage directions, `(Laughter)`, and of speaker names, `CA:`.

    A direction is a short bracket; a name is up to three capitalised words at the start of a
    sentence with a colon behind them.
    """
    return frozenset(_directions(tokens)) | frozenset(_names(tokens))


def _directions(tokens: Sequence[str]) -> set[int]:
    found: set[int] = set()
    for start, token in enumerate(tokens):
        closer = OPENERS.get(token)
        if closer is None:
            continue
        window = tokens[start + 1 : start + 2 + LONGEST_DIRECTION]
        if closer in window:
            found.update(range(start, start + 2 + window.index(closer)))
    return found


def _names(tokens: Sequence[str]) -> set[int]:
    found: set[int] = set()
    for colon, token in enumerate(tokens):
        if token != ":":
            continue
        start = colon
        while start > 0 and colon - start < LONGEST_NAME and tokens[start - 1][:1].isupper():
            start -= 1
        border = start == 0 or tokens[start - 1] in ENDS or tokens[start - 1] in CLOSERS
        if start < colon and border:
            found.update(range(start, colon))
    return found


def _following(words: Sequence[str], context: int) -> list[int | None]:
    """For every noun, the number of its next mention, when that is among the next nouns."""
    coming: list[int | None] = [None] * len(words)
    later: dict[str, int] = {}
    for order in range(len(words) - 1, -1, -1):
        after = later.get(words[order])
        coming[order] = after if after is not None and after - order <= context else None
        later[words[order]] = order
    return coming
