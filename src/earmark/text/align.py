"""Two lists of words laid side by side: which word stands for which, and how many differ."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

Times = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Where each word of the output stands in the reference.

    `place[j]` is the reference word that output word j stands for, or, where j was inserted, the
    last reference word before it (-1 before the first). `wrong[j]` says that j was inserted or
    stands for another word; `inserted[j]` that it was inserted.
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
        return self.errors / self.reference_words if self.reference_words else float("nan")


def align(
    reference: Sequence[str],
    output: Sequence[str],
    *,
    times: tuple[Times, Times] | None = None,
) -> Alignment:
    """The alignment with the fewest words replaced, deleted and inserted.

    Of several such alignments, `times` of both sides' words choose: a word that matches none is
    placed by when it was said.

    Examples
    --------
    >>> found = align("a b c d".split(), "a x c d e".split())
    >>> found.place, found.error_rate
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
        for step, at in enumerate(range(right, right_end)):
            wrong[at] = kind != "equal"
            inserted[at] = kind == "insert"
            place[at] = left - 1 if kind == "insert" else left + step
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


def _steps(reference: Sequence[str], output: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    """Runs of equal, replaced, deleted and inserted words, in order."""
    from rapidfuzz.distance import Levenshtein

    numbers: dict[str, int] = {}
    left = [numbers.setdefault(word, len(numbers)) for word in reference]
    right = [numbers.setdefault(word, len(numbers)) for word in output]
    return [
        (step.tag, step.src_start, step.src_end, step.dest_start, step.dest_end)
        for step in Levenshtein.opcodes(left, right)
    ]


def _place_by_time(
    place: list[int], steps: list[tuple[str, int, int, int, int]], times: tuple[Times, Times]
) -> None:
    """Move words between two matches to the reference word that was being said then."""
    starts = [start for start, _ in times[0]]
    for left, left_end, right, right_end in _gaps(steps):
        for at in range(right, right_end):
            middle = sum(times[1][at]) / 2
            found = bisect_right(starts, middle, left, left_end) - 1
            place[at] = max(found, place[at - 1] if at > right else left - 1)


def _gaps(steps: list[tuple[str, int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """What lies between matches, neighbouring steps taken together."""
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
