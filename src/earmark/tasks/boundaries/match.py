"""Texts whose words differ, brought onto one text's words before anything is compared."""

from dataclasses import dataclass

from earmark.tasks.boundaries.formats.marked import MarkedText
from earmark.tasks.boundaries.values import Boundaries
from earmark.text.align import Alignment, align
from earmark.values.errors import InputError

MOST_ERRORS = 0.3
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Matched:
    """Boundaries on another text's words, and what that cost.

    `lost` boundaries stood before the first word of that text; `near_errors` is the share that
    stands next to a word which was replaced, deleted or inserted.
    """

    boundaries: Boundaries
    error_rate: float
    replaced: int = 0
    deleted: int = 0
    inserted: int = 0
    after_inserted: int = 0
    lost: int = 0
    near_errors: float = 0.0

    def as_json(self) -> dict[str, object]:
        """What a report says of the alignment."""
        return {
            "word_error_rate": self.error_rate,
            "replaced_words": self.replaced,
            "deleted_words": self.deleted,
            "inserted_words": self.inserted,
            "boundaries_after_inserted_words": self.after_inserted,
            "boundaries_lost": self.lost,
            "share_of_boundaries_near_errors": self.near_errors,
        }


def match(
    base: MarkedText,
    other: MarkedText,
    boundaries: Boundaries,
    *,
    at: object,
    most_errors: float = MOST_ERRORS,
) -> Matched:
    """The other text's boundaries on the base's words.

    A boundary moves to the last word of the base that is aligned with its own word or one before
    it; where both texts have times, these settle what the words leave open. Above `most_errors`,
    the share of words that differ, it is an error: such texts do not speak of the same talk.
    """
    if not base.has_words or not other.has_words:
        return _by_count(base, boundaries, at=at)
    if base.words == other.words:
        return Matched(boundaries, 0.0)
    both = (base.times, other.times) if base.times and other.times else None
    found = align(base.words, other.words, times=both)
    if found.error_rate > most_errors:
        raise _too_different(base, other, found, at=at, most_errors=most_errors)
    return place_boundaries(found, boundaries)


def place_boundaries(found: Alignment, boundaries: Boundaries) -> Matched:
    """Boundaries carried along an alignment."""
    places = [found.place[at] for at in sorted(boundaries.after)]
    moved = frozenset(place for place in places if place >= 0)
    near = sum(1 for at in boundaries.after if _near_error(found, at))
    on_base = Boundaries(found.reference_words, moved)
    if boundaries.length - 1 in boundaries.after:
        on_base = on_base.with_final()
    return Matched(
        on_base,
        found.error_rate,
        replaced=found.replaced_words,
        deleted=found.deleted_words,
        inserted=found.inserted_words,
        after_inserted=sum(1 for at in boundaries.after if found.inserted[at]),
        lost=sum(1 for place in places if place < 0),
        near_errors=near / len(places) if places else 0.0,
    )


def _near_error(found: Alignment, at: int) -> bool:
    """Whether the word before or after the boundary is wrong, or words were left out there."""
    if found.wrong[at]:
        return True
    if at + 1 == len(found.place):
        return found.place[at] + 1 < found.reference_words
    return found.wrong[at + 1] or found.place[at + 1] > found.place[at] + 1


def _by_count(base: MarkedText, boundaries: Boundaries, *, at: object) -> Matched:
    if boundaries.length != len(base.words):
        raise InputError(
            "files without words must speak of the same number of words",
            at=at,
            got=f"{boundaries.length}",
            want=f"{len(base.words)}",
        )
    return Matched(boundaries, 0.0)


def _too_different(
    base: MarkedText, other: MarkedText, found: Alignment, *, at: object, most_errors: float
) -> InputError:
    first = next(
        (
            n
            for n, pair in enumerate(zip(base.words, other.words, strict=False))
            if len({*pair}) > 1
        ),
        min(len(base.words), len(other.words)),
    )
    ours = " ".join(base.words[first : first + SHOWN])
    theirs = " ".join(other.words[first : first + SHOWN])
    return InputError(
        "files must hold the same words, or nearly so",
        at=at,
        got=f"{found.error_rate:.0%} of the words differ, first at word {first + 1}: "
        f"'{theirs}' where the first reference has '{ours}'",
        want=f"at most {most_errors:.0%}",
        fix="name files of the same talk, or pass --force",
    )
