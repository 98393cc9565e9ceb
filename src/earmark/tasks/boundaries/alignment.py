"""Texts whose words differ, brought onto one text's words before anything is compared."""

from dataclasses import dataclass

from earmark.stats.rates import proportion
from earmark.tasks.boundaries.formats import MarkedText, Units
from earmark.tasks.boundaries.values import Boundaries
from earmark.text.align import Alignment, align
from earmark.values.errors import InputError
from earmark.values.score import number

# Recognised speech with 14 % of the words wrong keeps 98 % of its boundaries in place (IWSLT
# test2011); at 30 % two files are rather different talks. Chosen by hand.
MOST_ERRORS = 0.3
SHOWN_WORDS = 5


@dataclass(frozen=True, slots=True)
class PlacedBoundaries:
    """Boundaries on another text's words, and what that cost.

    `lost` boundaries came before the first word of that text; `near_errors` is the share that is
    next to a word which was replaced, deleted or inserted, nan without boundaries.
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
        """Return what `details` says of the alignment."""
        return {
            "word_error_rate": self.error_rate,
            "replaced_words": self.replaced,
            "deleted_words": self.deleted,
            "inserted_words": self.inserted,
            "boundaries_after_inserted_words": self.after_inserted,
            "boundaries_lost": self.lost,
            "share_of_boundaries_near_errors": number(self.near_errors),
        }


def place_on_words(
    words: tuple[str, ...], text: MarkedText, *, at: object, units: Units | None = None
) -> Boundaries:
    """Return a text's boundaries on the words of a transcript, from which its own may differ."""
    base = MarkedText(words, ("",) * len(words))
    return place(base, text, text.boundaries(units=units), at=at).boundaries


def place(
    base: MarkedText,
    other: MarkedText,
    boundaries: Boundaries,
    *,
    at: object,
    most_errors: float = MOST_ERRORS,
) -> PlacedBoundaries:
    """Return the other text's boundaries on the base's words.

    A boundary moves to the last word of the base that is aligned with its own word or one before
    it; where both texts have times, these settle what the words leave open.

    Raises
    ------
    InputError
        If more than `most_errors`, a share, of the words differ: such texts are different talks.
    """
    if not base.has_words or not other.has_words:
        return _place_by_count(base, boundaries, at=at)
    if base.words == other.words:
        return PlacedBoundaries(boundaries, 0.0)
    times = (base.times, other.times) if base.times and other.times else None
    alignment = align(base.words, other.words, times=times)
    if alignment.error_rate > most_errors:
        raise _too_different(base, other, alignment, at=at, most_errors=most_errors)
    return place_along(alignment, boundaries)


def place_along(alignment: Alignment, boundaries: Boundaries) -> PlacedBoundaries:
    """Return the boundaries carried along an alignment."""
    places = [alignment.place[word] for word in sorted(boundaries.after)]
    near = sum(1 for word in boundaries.after if _is_near_error(alignment, word))
    placed = Boundaries(alignment.reference_words, frozenset(p for p in places if p >= 0))
    if boundaries.length - 1 in boundaries.after:
        placed = placed.with_final()
    return PlacedBoundaries(
        placed,
        alignment.error_rate,
        replaced=alignment.replaced_words,
        deleted=alignment.deleted_words,
        inserted=alignment.inserted_words,
        after_inserted=sum(1 for word in boundaries.after if alignment.inserted[word]),
        lost=sum(1 for place in places if place < 0),
        near_errors=proportion(near, of=len(places)),
    )


def _is_near_error(alignment: Alignment, word: int) -> bool:
    """Return whether the word before or after a boundary is wrong, or words are missing there."""
    if alignment.wrong[word]:
        return True
    if word + 1 == len(alignment.place):
        return alignment.place[word] + 1 < alignment.reference_words
    return alignment.wrong[word + 1] or alignment.place[word + 1] > alignment.place[word] + 1


def _place_by_count(base: MarkedText, boundaries: Boundaries, *, at: object) -> PlacedBoundaries:
    if boundaries.length != len(base.words):
        raise InputError(
            "files without words must have the same number of words",
            at=at,
            got=f"{boundaries.length}",
            want=f"{len(base.words)}",
        )
    return PlacedBoundaries(boundaries, 0.0)


def _too_different(
    base: MarkedText, other: MarkedText, alignment: Alignment, *, at: object, most_errors: float
) -> InputError:
    pairs = zip(base.words, other.words, strict=False)
    differing = (word for word, (ours, theirs) in enumerate(pairs) if ours != theirs)
    first = next(differing, min(len(base.words), len(other.words)))
    ours = " ".join(base.words[first : first + SHOWN_WORDS])
    theirs = " ".join(other.words[first : first + SHOWN_WORDS])
    return InputError(
        "files must hold the same words, or nearly so",
        at=at,
        got=f"{alignment.error_rate:.0%} of the words differ, first at word {first + 1}: "
        f"'{theirs}' where the first reference has '{ours}'",
        want=f"at most {most_errors:.0%}",
        fix="name files of the same talk, or pass --force",
    )
