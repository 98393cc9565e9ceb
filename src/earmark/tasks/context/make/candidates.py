"""Which nouns can be swapped: those that the passage leans on, because they were said before."""

from collections.abc import Sequence
from typing import NamedTuple

from earmark.tasks.context.make.recipe import CorruptionRecipe
from earmark.tasks.context.make.tagging import TaggedDocument
from earmark.text.penn_tokens import CLOSERS, ENDS

# Words of the longest bracket that counts as a stage direction, `(Laughter)`, and of the longest
# speaker name, `Chris Anderson:`. Chosen by hand on talks.
LONGEST_DIRECTION = 8
LONGEST_NAME = 3
CLOSING = {"(": ")", "[": "]"}


class Candidate(NamedTuple):
    """A noun that was said before.

    `token` is its index, `order` its number among the nouns, `previous` and `following` are the
    tokens of the nearest mentions before and (within the context) after it, and `nouns_back` says
    how many nouns ago the previous one was.
    """

    token: int
    order: int
    previous: int
    nouns_back: int
    following: int | None = None


def noun_tokens(tagged: TaggedDocument, recipe: CorruptionRecipe) -> list[int]:
    """Return the tokens that count as nouns, in the order of the text."""
    tokens = tagged.tokens_with(recipe.nouns)
    if not recipe.directions:
        return tokens
    excluded = asides(tagged.document.tokens)
    return [token for token in tokens if token not in excluded] if excluded else tokens


def find_candidates(
    nouns: Sequence[str], tokens: Sequence[int], recipe: CorruptionRecipe
) -> list[Candidate]:
    """Return the nouns that are also among the `context` nouns before them.

    `tokens` are the indices of the nouns. Surface forms are compared as written; the window counts
    nouns and crosses sentences (Huber et al. 2018, section 4, stage 3).
    """
    repeated = _repeated(nouns, recipe)
    if not (recipe.strict_last or recipe.evidence):
        return [Candidate(tokens[a], a, tokens[b], a - b) for a, b in repeated]
    following = _following(nouns, recipe.context)
    candidates = []
    for order, before in repeated:
        after = following[order]
        if after is None:
            next_token = None
        elif recipe.strict_last:
            continue
        else:
            next_token = tokens[after]
        candidates.append(
            Candidate(tokens[order], order, tokens[before], order - before, next_token)
        )
    return candidates


def _repeated(nouns: Sequence[str], recipe: CorruptionRecipe) -> list[tuple[int, int]]:
    """Return the numbers of nouns said before within the context, each with that mention's."""
    last: dict[str, int] = {}
    repeated: list[tuple[int, int]] = []
    for order, noun in enumerate(nouns):
        before = last.get(noun)
        last[noun] = order
        if before is not None and order - before <= recipe.context and order >= recipe.first:
            repeated.append((order, before))
    return repeated


def _following(nouns: Sequence[str], context: int) -> list[int | None]:
    """Return for every noun the number of its next mention, if that is within the context."""
    following: list[int | None] = [None] * len(nouns)
    later: dict[str, int] = {}
    for order in range(len(nouns) - 1, -1, -1):
        after = later.get(nouns[order])
        following[order] = after if after is not None and after - order <= context else None
        later[nouns[order]] = order
    return following


def asides(tokens: Sequence[str]) -> frozenset[int]:
    """Return the tokens of stage directions, `(Laughter)`, and of speaker names, `CA:`.

    A direction is a short bracket; a name is up to three capitalised words at the start of a
    sentence with a colon after them.
    """
    return frozenset(_directions(tokens)) | frozenset(_names(tokens))


def _directions(tokens: Sequence[str]) -> set[int]:
    inside: set[int] = set()
    for start, token in enumerate(tokens):
        closer = CLOSING.get(token)
        if closer is None:
            continue
        window = tokens[start + 1 : start + 2 + LONGEST_DIRECTION]
        if closer in window:
            inside.update(range(start, start + 2 + window.index(closer)))
    return inside


def _names(tokens: Sequence[str]) -> set[int]:
    inside: set[int] = set()
    for colon, token in enumerate(tokens):
        if token != ":":
            continue
        start = colon
        while start > 0 and colon - start < LONGEST_NAME and tokens[start - 1][:1].isupper():
            start -= 1
        begins = start == 0 or tokens[start - 1] in ENDS or tokens[start - 1] in CLOSERS
        if start < colon and begins:
            inside.update(range(start, colon))
    return inside
