"""People beside systems: marks count in the words that a person was shown, and only there."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from earmark.task.people import People
from earmark.values.answer import Ballots

if TYPE_CHECKING:
    from earmark.tasks.context.values import Flags, Range, Swaps


def own_marks(ballots: "Ballots[Flags]", person: str) -> "dict[str, Flags]":
    """Return all marks of a person, passage by passage, with the words that they saw."""
    from earmark.tasks.context.reconcile import by_passage, joined, parents_of

    own = [answer for answer in ballots.answers if answer.person == person]
    return {item: joined(parts) for item, parts in by_passage(own, parents_of(ballots)).items()}


def shown(values: Mapping[str, Any], ballots: "Ballots[Flags]", person: str) -> dict[str, Any]:
    """Return a reference limited to the words that a person saw; a system's scores as they are.

    A metric compares the words that both sides judged: systems judge every word, so what limits
    them to the person's is the reference.
    """
    from earmark.tasks.context.values import Scores

    seen = {item: flags.seen for item, flags in own_marks(ballots, person).items()}
    limited = {
        item: value if isinstance(value, Scores) else _limited(value, seen[item])
        for item, value in values.items()
        if item in seen
    }
    return {item: value for item, value in limited.items() if value is not None}


def _limited(value: "Flags | Swaps", seen: "tuple[Range, ...]") -> "Flags | None":
    """Return what is marked within these ranges; None if nothing of them was judged."""
    from earmark.tasks.context.values import Flags

    ranges = tuple(_shared(value.seen, seen))
    marked = {place for place in value.at if any(low <= place < high for low, high in ranges)}
    return Flags(value.length, frozenset(marked), ranges) if ranges else None


def _shared(first: "tuple[Range, ...]", second: "tuple[Range, ...]") -> "Iterator[Range]":
    for low, high in first:
        for start, end in second:
            if max(low, start) < min(high, end):
                yield max(low, start), min(high, end)


PEOPLE = People(output=own_marks, shown=shown)
