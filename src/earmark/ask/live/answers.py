"""Answers as they arrive: each counts once, late ones are kept and marked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from earmark.ask.live.assignment import GOLD, TRIAL
from earmark.ask.live.tables import (
    ANSWERED,
    ANSWERS,
    EXPIRED,
    LEASES,
    OPEN,
    PEOPLE,
    UNITS,
    DatabaseRow,
)

COUNTED, SAME_KEY = "counted", "same key"
LATE, AGAIN, NOT_ASKED, OTHER_KEY = "late", "answered already", "not asked", "key of another answer"
GONE = "no such person"


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What a person sent: the form, the seconds that it took, and the key of this one answer."""

    unit: str
    person: str
    key: str
    value: Mapping[str, Any]
    seconds: float | None
    is_right: bool | None = None  # where the right answer is known


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an answer; `why` is one of the words above."""

    why: str
    number: int = 0
    stored: Mapping[str, Any] | None = None  # the value that is kept, for the same key

    @property
    def counts(self) -> bool:
        """Whether it counts."""
        return self.why == COUNTED


def record_answer(connection: Connection, answer: GivenAnswer, *, now: float) -> Receipt:
    """Store an answer; it counts if the person holds the unit.

    A key that was used before changes nothing: the reply to the first time was lost on its way.
    """
    columns = select(ANSWERS.c.number, ANSWERS.c.unit, ANSWERS.c.value, ANSWERS.c.why)
    earlier = connection.execute(
        columns.where(ANSWERS.c.person == answer.person, ANSWERS.c.key == answer.key)
    ).first()
    if earlier is not None:
        if earlier.unit != answer.unit:
            return Receipt(OTHER_KEY)
        return Receipt(earlier.why or SAME_KEY, earlier.number, earlier.value)
    lease = _lease(connection, answer)
    if lease is not None and lease.state == OPEN:
        number = _store(connection, answer, lease.role, now, why="")
        _count(connection, answer, lease)
        return Receipt(COUNTED, number)
    known = select(PEOPLE.c.id).where(PEOPLE.c.id == answer.person)
    if connection.execute(known).first() is None:
        return Receipt(GONE)
    if lease is None:
        why, role = NOT_ASKED, "question"
    else:
        why, role = (LATE if lease.state == EXPIRED else AGAIN), lease.role
    return Receipt(why, _store(connection, answer, role, now, why=why))


def _lease(connection: Connection, answer: GivenAnswer) -> DatabaseRow | None:
    """Return the person's latest lease of the unit, a live one before others, locked."""
    rows = (
        select(LEASES.c.id, LEASES.c.role, LEASES.c.state)
        .where(LEASES.c.person == answer.person, LEASES.c.unit == answer.unit)
        .order_by(LEASES.c.given.desc())
        .with_for_update()
    )
    leases = connection.execute(rows).all()
    live = [lease for lease in leases if lease.state in (OPEN, ANSWERED)]
    return next(iter(live or leases), None)


def _store(connection: Connection, answer: GivenAnswer, role: str, now: float, *, why: str) -> int:
    result: Any = connection.execute(
        ANSWERS.insert().values(
            unit=answer.unit,
            person=answer.person,
            key=answer.key,
            role=role,
            value=dict(answer.value),
            seconds=answer.seconds,
            given=now,
            counts=not why,
            why=why,
            is_right=answer.is_right,
        )
    )
    return int(result.inserted_primary_key[0])


def _count(connection: Connection, answer: GivenAnswer, lease: DatabaseRow) -> None:
    """Close the lease, and count the answer for its unit and its person."""
    connection.execute(update(LEASES).where(LEASES.c.id == lease.id).values(state=ANSWERED))
    unit = update(UNITS).where(UNITS.c.id == answer.unit)
    connection.execute(unit.values(counted=UNITS.c.counted + 1))
    right = int(bool(answer.is_right))
    columns = PEOPLE.c
    if lease.role == TRIAL:
        counts = {"trials": columns.trials + 1, "trials_right": columns.trials_right + right}
    else:
        counts = {"answers": columns.answers + 1}
    if lease.role == GOLD:
        counts |= {"gold": columns.gold + 1, "gold_right": columns.gold_right + right}
    connection.execute(update(PEOPLE).where(columns.id == answer.person).values(**counts))
