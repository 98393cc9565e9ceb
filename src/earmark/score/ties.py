"""Tie groups as letters: systems that share a letter are not shown to differ."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from string import ascii_letters


def letters(order: Sequence[str], different: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return each system's letters, by Piepho's insert-and-absorb algorithm (Piepho 2004).

    Two systems share a letter exactly if their pair is not in `different`. `order` is that of the
    board; the best system has an `a`.

    Examples
    --------
    >>> letters(["A", "B", "C"], {("A", "B")})
    {'A': 'a', 'B': 'b', 'C': 'ab'}
    >>> letters(["A", "B", "C"], {("A", "C"), ("B", "C")})
    {'A': 'a', 'B': 'a', 'C': 'b'}
    """
    place = {name: k for k, name in enumerate(order)}
    groups = [frozenset(order)] if order else []
    for first, second in different:
        split: list[frozenset[str]] = []
        for group in groups:
            both = first in group and second in group
            split += [group - {first}, group - {second}] if both else [group]
        groups = _absorbed(split)
    groups.sort(key=lambda group: sorted(place[name] for name in group))
    named = list(zip(names(), groups, strict=False))
    return {name: "".join(letter for letter, group in named if name in group) for name in order}


def _absorbed(groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return the groups that are not part of another, each once."""
    different = list(dict.fromkeys(groups))
    return [group for group in different if not any(group < other for other in different)]


def names() -> Iterator[str]:
    """Yield a to z, A to Z, then a1 to Z1 and so on: more groups than anybody will read."""
    yield from ascii_letters
    for number in count(1):
        yield from (f"{letter}{number}" for letter in ascii_letters)
