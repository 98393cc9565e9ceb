"""Answers: who said what about which item."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from earmark.values.errors import InputError
from earmark.values.item import Item

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Answer(Generic[V]):
    """One person's answer to one question. `person` is a pseudonym; `given_at` is ISO 8601."""

    item: str
    person: str
    value: V
    seconds_taken: float | None = None
    given_at: str | None = None


@dataclass(frozen=True, slots=True)
class Ballots(Generic[V]):
    """All answers to a study's questions, with the questions they answer.

    `items` are the unit questions (windows, pairs, transcripts), `material` what they were cut
    from. Built once, checked once: every answer names a known item, and nobody answers an item
    twice.
    """

    items: tuple[Item, ...]
    answers: tuple[Answer[V], ...]
    material: tuple[Item, ...] = ()

    def __post_init__(self) -> None:
        known = {item.id for item in self.items}
        seen: set[tuple[str, str]] = set()
        for answer in self.answers:
            if answer.item not in known:
                raise InputError(
                    "an answer must be about an item that was asked",
                    at=f"person {answer.person}",
                    got=answer.item,
                    fix="ask that item first, or correct the id",
                )
            if (answer.item, answer.person) in seen:
                raise InputError(
                    "a person answers an item once",
                    at=f"item {answer.item}, person {answer.person}",
                    fix="keep one of the two answers",
                )
            seen.add((answer.item, answer.person))

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who answered, sorted."""
        return tuple(sorted({answer.person for answer in self.answers}))

    def of(self, item: str) -> Iterator[Answer[V]]:
        """Yield the answers to one item."""
        return (answer for answer in self.answers if answer.item == item)
