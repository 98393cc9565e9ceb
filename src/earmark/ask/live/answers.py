"""Answers as they arrive: each counts once, late ones are kept and marked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from earmark.ask.live.assignment import GOLD, QUESTION, TRIAL
from earmark.ask.live.hot_statements import HotStatement
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

_EARLIER = HotStatement(
    select(ANSWERS.c.number, ANSWERS.c.unit, ANSWERS.c.value, ANSWERS.c.why).where(
        ANSWERS.c.person == bindparam("person"), ANSWERS.c.key == bindparam("key")
    )
)
_LEASE = HotStatement(
    select(LEASES.c.id, LEASES.c.role, LEASES.c.state)
    .where(LEASES.c.person == bindparam("person"), LEASES.c.unit == bindparam("unit"))
    .order_by(LEASES.c.given.desc())
    .with_for_update()
)
_KNOWN_PERSON = HotStatement(select(PEOPLE.c.id).where(PEOPLE.c.id == bindparam("person")))
_ADD = HotStatement(insert(ANSWERS), [c.name for c in ANSWERS.columns if not c.primary_key])
_CLOSE = HotStatement(
    update(LEASES).where(LEASES.c.id == bindparam("lease")).values(state=ANSWERED)
)
_COUNT = HotStatement(
    update(UNITS).where(UNITS.c.id == bindparam("unit_id")).values(counted=UNITS.c.counted + 1)
)
_COUNT_PERSON = HotStatement(
    update(PEOPLE)
    .where(PEOPLE.c.id == bindparam("person"))
    .values(
        answers=PEOPLE.c.answers + bindparam("more"),
        trials=PEOPLE.c.trials + bindparam("trial"),
        trials_right=PEOPLE.c.trials_right + bindparam("trial_right"),
        gold=PEOPLE.c.gold + bindparam("more_gold"),
        gold_right=PEOPLE.c.gold_right + bindparam("more_gold_right"),
    )
)


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
    earlier = _EARLIER.first(connection, person=answer.person, key=answer.key)
    if earlier is not None:
        if earlier.unit != answer.unit:
            return Receipt(OTHER_KEY)
        return Receipt(earlier.why or SAME_KEY, earlier.number, earlier.value)
    lease = _lease(connection, answer)
    if lease is not None and lease.state == OPEN:
        # answers to trial and gold questions tell of the person, and are not part of the reference
        why = "" if lease.role == QUESTION else lease.role
        number = _store(connection, answer, lease.role, now, why=why)
        _count(connection, answer, lease)
        return Receipt(COUNTED, number)
    if _KNOWN_PERSON.first(connection, person=answer.person) is None:
        return Receipt(GONE)
    if lease is None:
        why, role = NOT_ASKED, "question"
    else:
        why, role = (LATE if lease.state == EXPIRED else AGAIN), lease.role
    return Receipt(why, _store(connection, answer, role, now, why=why))


def _lease(connection: Connection, answer: GivenAnswer) -> DatabaseRow | None:
    """Return the person's latest lease of the unit, a live one before others, locked."""
    leases = _LEASE.all(connection, person=answer.person, unit=answer.unit)
    live = [lease for lease in leases if lease.state in (OPEN, ANSWERED)]
    return next(iter(live or leases), None)


def _store(connection: Connection, answer: GivenAnswer, role: str, now: float, *, why: str) -> int:
    number = _ADD.insert(
        connection,
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
    return int(number)


def _count(connection: Connection, answer: GivenAnswer, lease: DatabaseRow) -> None:
    """Close the lease, and count the answer for its unit and its person."""
    _CLOSE.change(connection, lease=lease.id)
    if lease.role == QUESTION:
        _COUNT.change(connection, unit_id=answer.unit)
    counts = {
        "more": int(lease.role != TRIAL),
        "trial": int(lease.role == TRIAL),
        "trial_right": int(lease.role == TRIAL and bool(answer.is_right)),
        "more_gold": int(lease.role == GOLD),
        "more_gold_right": int(lease.role == GOLD and bool(answer.is_right)),
    }
    _COUNT_PERSON.change(connection, person=answer.person, **counts)
