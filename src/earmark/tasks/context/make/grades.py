"""How hard a swap is to see: by sound and by meaning, beside frequency and distance."""

import math
from collections.abc import Sequence
from dataclasses import replace

from earmark.tasks.context.values import Swap, Swaps
from earmark.values import checks

KNOWN = ("phonetic", "embedding")


def grade(passages: Sequence[Swaps], wanted: Sequence[str]) -> list[Swaps]:
    """The swaps with the wanted distances between original and substitute filled in."""
    for name in wanted:
        checks.one_of(name, KNOWN, what="grade")
    found = list(passages)
    if "phonetic" in wanted:
        from earmark.text.sounds import words_apart

        found = [
            _with(p, [replace(s, phonetic=_heard(s, words_apart)) for s in p.swaps]) for p in found
        ]
    if "embedding" in wanted:
        found = _by_meaning(found)
    return found


def _with(passage: Swaps, swaps: list[Swap]) -> Swaps:
    return replace(passage, swaps=tuple(swaps))


def _heard(swap: Swap, words_apart) -> float | None:  # type: ignore[no-untyped-def]
    apart = words_apart(swap.was, swap.now)
    return None if apart is None else round(apart, 4)


def _by_meaning(passages: list[Swaps]) -> list[Swaps]:
    """1 - cosine of the two words' static vectors."""
    from earmark.text.static import static_vectors

    words = sorted({w for p in passages for s in p.swaps for w in (s.was, s.now)})
    rows = dict(zip(words, static_vectors(words), strict=True))
    return [
        _with(p, [replace(s, embedding=_apart(rows[s.was], rows[s.now])) for s in p.swaps])
        for p in passages
    ]


def _apart(one, two) -> float | None:  # type: ignore[no-untyped-def]
    cosine = float(one @ two)
    return None if math.isnan(cosine) else round(1 - cosine, 4)
