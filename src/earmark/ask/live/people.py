"""People: joining with consent, being excluded with answers kept, withdrawing with all deleted."""

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, select, update

from earmark.ask.live.assignment import QUESTION
from earmark.ask.live.reaper import give_back
from earmark.ask.live.tables import (
    ANSWERED,
    ANSWERS,
    CLOSED,
    LEASES,
    OPEN,
    PEOPLE,
    UNITS,
    WITHDRAWALS,
    DatabaseRow,
)

EXCLUDED = "excluded"
# Letters and digits that nobody mixes up when a code is typed from a screen
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where a person comes from: a crowd market and its id of them, or a plain link."""

    market: str = ""
    outside: str | None = None
    details: Mapping[str, str] = field(default_factory=dict)


def join(connection: Connection, arrival: Arrival, *, consent: str, now: float) -> DatabaseRow:
    """Return the person of an arrival; the same one when a market's id comes again.

    So whoever opens the market's link twice gets neither a second cap nor overlapping windows.
    """
    if arrival.outside:
        same = select(PEOPLE).where(
            PEOPLE.c.market == arrival.market, PEOPLE.c.outside == arrival.outside
        )
        earlier = connection.execute(same).first()
        if earlier is not None:
            return earlier
    person = "p-" + _draw(10).lower()
    connection.execute(
        PEOPLE.insert().values(
            id=person,
            joined=now,
            consent=consent,
            market=arrival.market,
            outside=arrival.outside,
            details=dict(arrival.details),
            code=_draw(10),
        )
    )
    return connection.execute(select(PEOPLE).where(PEOPLE.c.id == person)).one()


def _draw(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def person_row(connection: Connection, person: str) -> DatabaseRow | None:
    """Return what is known of a person, or None."""
    return connection.execute(select(PEOPLE).where(PEOPLE.c.id == person)).one_or_none()


def exclude(connection: Connection, person: str, *, why: str) -> int:
    """Exclude a person: answers are kept, count no longer, and their units are asked again.

    Return how many answers that are.
    """
    if _is_excluded(connection, person) is not False:
        return 0
    mine = ANSWERS.c.person == person
    units = _units(connection, person, counted=True)
    _end_leases(connection, person)
    connection.execute(
        update(ANSWERS).where(mine, ANSWERS.c.counts.is_(True)).values(counts=False, why=EXCLUDED)
    )
    _uncount(connection, units)
    change = update(PEOPLE).where(PEOPLE.c.id == person)
    connection.execute(change.values(state=EXCLUDED, why=why))
    return units.total()


def include_again(connection: Connection, person: str) -> None:
    """Let an excluded person answer again; their answers stay out, others were asked meanwhile."""
    change = update(PEOPLE).where(PEOPLE.c.id == person, PEOPLE.c.state == EXCLUDED)
    connection.execute(change.values(state="active", why=""))


def withdraw(connection: Connection, person: str, *, now: float) -> int | None:
    """Delete a person and all that they answered; a tombstone stays. Return how many answers.

    None if there is no such person.
    """
    if _is_excluded(connection, person) is None:
        return None
    units = _units(connection, person, counted=True)
    _end_leases(connection, person)
    number = connection.execute(delete(ANSWERS).where(ANSWERS.c.person == person)).rowcount
    connection.execute(delete(LEASES).where(LEASES.c.person == person))
    connection.execute(delete(PEOPLE).where(PEOPLE.c.id == person))
    _uncount(connection, units)
    connection.execute(WITHDRAWALS.insert().values(person=person, withdrawn=now, answers=number))
    return int(number)


def _is_excluded(connection: Connection, person: str) -> bool | None:
    """Return whether a person is excluded, None if there is none; locked until the end."""
    row = connection.execute(
        select(PEOPLE.c.state).where(PEOPLE.c.id == person).with_for_update()
    ).first()
    return None if row is None else row.state == EXCLUDED


def _units(connection: Connection, person: str, *, counted: bool) -> "Counter[str]":
    """Return the units of a person's answers that count (or not), trials and gold left out."""
    rows = select(ANSWERS.c.unit).where(
        ANSWERS.c.person == person, ANSWERS.c.counts.is_(counted), ANSWERS.c.role == QUESTION
    )
    return Counter(connection.execute(rows).scalars())


def _end_leases(connection: Connection, person: str) -> None:
    """Give back the units that a person holds; none of their leases is live any more."""
    mine = (LEASES.c.person == person) & LEASES.c.state.in_((OPEN, ANSWERED))
    open_ones = select(LEASES.c.unit).where(mine, LEASES.c.state == OPEN, LEASES.c.role == QUESTION)
    units = Counter(connection.execute(open_ones).scalars())
    connection.execute(update(LEASES).where(mine).values(state=CLOSED))
    give_back(connection, units)


def _uncount(connection: Connection, units: "Counter[str]") -> None:
    for unit, count in sorted(units.items()):
        values = {"counted": UNITS.c.counted - count, "need": UNITS.c.need + count}
        connection.execute(update(UNITS).where(UNITS.c.id == unit).values(**values))
