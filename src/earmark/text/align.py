"""Alignment of two lists of words: which word corresponds to which, and how many differ."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from earmark.stats.rates import proportion

Times = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Alignment:
    """The place of each word of the output in the reference.

    `place[j]` is the reference word that output word j corresponds to, or, where j was inserted,
    the last reference word before it (-1 before the first). `wrong[j]` says that j was inserted or
    replaces another word; `inserted[j]` that it was inserted.
    """

    place: tuple[int, ...]
    wrong: tuple[bool, ...]
    inserted: tuple[bool, ...]
    replaced_words: int
    deleted_words: int
    inserted_words: int
    reference_words: int

    @property
    def errors(self) -> int:
        """Words replaced, deleted and inserted."""
        return self.replaced_words + self.deleted_words + self.inserted_words

    @property
    def error_rate(self) -> float:
        """The word error rate; nan without reference words."""
        return proportion(self.errors, of=self.reference_words)


class _Step(NamedTuple):
    """Words `left` to `left_end` of the reference become `right` to `right_end` of the output."""

    kind: str
    left: int
    left_end: int
    right: int
    right_end: int


def align(
    reference: Sequence[str],
    output: Sequence[str],
    *,
    times: tuple[Times, Times] | None = None,
) -> Alignment:
    """Return the alignment with the fewest words replaced, deleted and inserted.

    Of several such alignments, `times` of both sides' words choose: a word that matches none is
    placed by when it was said.

    Examples
    --------
    >>> alignment = align("a b c d".split(), "a x c d e".split())
    >>> alignment.place, alignment.error_rate
    ((0, 1, 2, 3, 3), 0.5)
    """
    if list(reference) == list(output):
        size = len(reference)
        clean = (False,) * size
        return Alignment(tuple(range(size)), clean, clean, 0, 0, 0, size)
    place, wrong, inserted = [0] * len(output), [False] * len(output), [False] * len(output)
    counted = {"replace": 0, "delete": 0, "insert": 0, "equal": 0}
    steps = _steps(reference, output)
    for kind, left, left_end, right, right_end in steps:
        counted[kind] += max(left_end - left, right_end - right)
        for offset, word in enumerate(range(right, right_end)):
            wrong[word] = kind != "equal"
            inserted[word] = kind == "insert"
            place[word] = left - 1 if kind == "insert" else left + offset
    if times is not None:
        _place_by_time(place, steps, times)
    return Alignment(
        tuple(place),
        tuple(wrong),
        tuple(inserted),
        counted["replace"],
        counted["delete"],
        counted["insert"],
        len(reference),
    )


def _steps(reference: Sequence[str], output: Sequence[str]) -> list[_Step]:
    """Return runs of equal, replaced, deleted and inserted words, in order."""
    from rapidfuzz.distance import Levenshtein

    numbers: dict[str, int] = {}
    left = [numbers.setdefault(word, len(numbers)) for word in reference]
    right = [numbers.setdefault(word, len(numbers)) for word in output]
    return [
        _Step(step.tag, step.src_start, step.src_end, step.dest_start, step.dest_end)
        for step in Levenshtein.opcodes(left, right)
    ]


def _place_by_time(place: list[int], steps: list[_Step], times: tuple[Times, Times]) -> None:
    """Move words between two matches to the reference word spoken at that time; changes `place`."""
    starts = [start for start, _ in times[0]]
    for left, left_end, right, right_end in _gaps(steps):
        for word in range(right, right_end):
            middle = sum(times[1][word]) / 2
            spoken = bisect_right(starts, middle, left, left_end) - 1
            # never before the word before it: places increase
            place[word] = max(spoken, place[word - 1] if word > right else left - 1)


def _gaps(steps: list[_Step]) -> list[tuple[int, int, int, int]]:
    """Return what lies between matches, neighbouring steps taken together."""
    gaps: list[tuple[int, int, int, int]] = []
    fresh = True
    for kind, left, left_end, right, right_end in steps:
        if kind == "equal":
            fresh = True
        elif fresh:
            gaps.append((left, left_end, right, right_end))
            fresh = False
        else:
            gaps[-1] = (gaps[-1][0], left_end, gaps[-1][2], right_end)
    return gaps
