"""How hard a swap is to see: by sound and by meaning, beside frequency and distance."""

import math
from collections.abc import Sequence
from dataclasses import replace

from earmark.tasks.context.values import Swap, Swaps
from earmark.values import checks

# The fields of a Swap that hold the distance between the original and its substitute.
GRADES = ("phonetic", "embedding")
# Digits of a stored distance.
DIGITS = 4


def grade(passages: Sequence[Swaps], grades: Sequence[str]) -> list[Swaps]:
    """Return the swaps with the wanted distances between original and substitute filled in."""
    for name in grades:
        checks.one_of(name, GRADES, what="grade")
    graded = list(passages)
    if "phonetic" in grades:
        graded = _by_sound(graded)
    if "embedding" in grades:
        graded = _by_meaning(graded)
    return graded


def _by_sound(passages: list[Swaps]) -> list[Swaps]:
    """Fill in the distance of the two words' phones, as a share of the longer word."""
    from earmark.text.pronunciation import word_distance

    def graded(swap: Swap) -> Swap:
        distance = word_distance(swap.was, swap.now)
        return replace(swap, phonetic=None if distance is None else round(distance, DIGITS))

    return [replace(p, swaps=tuple(map(graded, p.swaps))) for p in passages]


def _by_meaning(passages: list[Swaps]) -> list[Swaps]:
    """Fill in 1 - cosine of the two words' static vectors, where both are known."""
    from earmark.text.word_vectors import static_vectors

    words = sorted({word for p in passages for swap in p.swaps for word in (swap.was, swap.now)})
    vectors = dict(zip(words, static_vectors(words), strict=True))

    def graded(swap: Swap) -> Swap:
        cosine = float(vectors[swap.was] @ vectors[swap.now])
        return replace(swap, embedding=None if math.isnan(cosine) else round(1 - cosine, DIGITS))

    return [replace(p, swaps=tuple(map(graded, p.swaps))) for p in passages]
