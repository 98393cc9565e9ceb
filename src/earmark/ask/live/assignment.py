"""Who gets which unit: exactly as many opinions as wanted, nothing twice, nothing that overlaps.

Statements are built once, at import: building one takes longer than running it.
"""

import random
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, bindparam, func, insert, select, update

from earmark.ask.live.shared import PAUSED
from earmark.ask.live.tables import ANSWERED, LEASES, OPEN, PEOPLE, SHARED, UNITS, DatabaseRow
from earmark.ask.live.terms import LiveTerms

Role = Literal["question", "trial", "gold"]
QUESTION: Role = "question"
TRIAL: Role = "trial"
GOLD: Role = "gold"
DECIDED = "decided"  # the trial is over, and failed

# Units that one person may hold at a time: the one on the page, and one that is loaded ahead.
MOST_OPEN = 2
# Units that are looked at together: a person who has answered many cannot get most of them.
PAGE = 16
FIRST, LAST = -1.0, 1e300  # no unit's place in the order is smaller, or larger
SLACK = 1e-9  # of times that are compared, as in ask/batch.py

_is_paused = select(SHARED.c.value).where(SHARED.c.name == PAUSED).scalar_subquery()
_PERSON = select(PEOPLE, _is_paused.label("paused")).where(PEOPLE.c.id == bindparam("person"))
_LEASES = (
    select(LEASES, UNITS.c.recording, UNITS.c.start, UNITS.c.finish)
    .join_from(LEASES, UNITS, LEASES.c.unit == UNITS.c.id)
    .where(LEASES.c.person == bindparam("person"), LEASES.c.state.in_((OPEN, ANSWERED)))
    .order_by(LEASES.c.given)
)
_NEEDED = (
    select(
        *(UNITS.c.id, UNITS.c.recording, UNITS.c.start, UNITS.c.finish, UNITS.c.draw),
        UNITS.c.is_known,
    )
    .where(UNITS.c.need > 0, UNITS.c.draw > bindparam("after"), UNITS.c.draw <= bindparam("last"))
    .order_by(UNITS.c.draw)
    .limit(PAGE)
)
_first_batch = (
    select(func.min(UNITS.c.batch)).where(UNITS.c.counted < bindparam("people")).scalar_subquery()
)
_NEEDED_IN_BATCH = _NEEDED.where(UNITS.c.batch == _first_batch)
_mine = (UNITS.c.id == bindparam("unit"), UNITS.c.need > 0)
_LOCK_UNIT = select(UNITS.c.id).where(*_mine).with_for_update(skip_locked=True)
_TAKE = update(UNITS).where(*_mine).values(need=UNITS.c.need - 1)
_ADD_LEASE = insert(LEASES)
_LOCK_PERSON = select(func.pg_advisory_xact_lock(func.hashtext(bindparam("person"))))
_KNOWN = select(UNITS).where(UNITS.c.is_known.is_(True))


@dataclass(frozen=True, slots=True)
class Lease:
    """A unit that is reserved for a person until it expires."""

    id: str
    unit: str
    role: str
    expires: float


@dataclass(frozen=True, slots=True)
class Handed:
    """What a person gets: a lease, or none: "wait", or why there will be nothing any more."""

    lease: Lease | None = None
    state: str = ""  # "", "wait", "finished", "cap", "not qualified", "excluded", "unknown"
    code: str = ""
    answers: int = 0
    trials: int = 0


def hand_out(
    connection: Connection, terms: LiveTerms, person: str, *, now: float, besides: str = ""
) -> Handed:
    """Return a unit for a person: one that they hold already, or a new one.

    `besides` is a unit that they work on: another one is wanted, to be loaded ahead.
    """
    if connection.dialect.name == "postgresql":
        # nobody else hands out units to this person before the transaction ends
        connection.execute(_LOCK_PERSON, {"person": person})
    row = connection.execute(_PERSON, {"person": person}).first()
    if row is None:
        return Handed(state="unknown")

    def handed(lease: Lease | None, state: str = "") -> Handed:
        return Handed(lease, state, row.code, row.answers, row.trials)

    if row.state != "active":
        return handed(None, "excluded")
    leases = connection.execute(_LEASES, {"person": person}).all()
    open_leases = _open(leases, now)
    current = next((lease for lease in open_leases if lease.unit != besides), None)
    if current is not None:
        return handed(Lease(current.id, current.unit, current.role, current.expires))
    if len(open_leases) >= MOST_OPEN:
        return handed(None, "wait")
    unit, role_or_state = _choose(connection, terms, row, leases)
    if unit is None:
        return handed(None, role_or_state)
    return handed(_lease(connection, terms, person, unit, role_or_state, now))


def _open(leases: Sequence[DatabaseRow], now: float) -> list[DatabaseRow]:
    return [lease for lease in leases if lease.state == OPEN and lease.expires > now]


def _choose(
    connection: Connection, terms: LiveTerms, row: DatabaseRow, leases: Sequence[DatabaseRow]
) -> tuple[str | None, str]:
    """Return a unit and its role; or None and why there is none."""
    role = _role(terms, row, leases)
    ended = "not qualified" if role == DECIDED else _over_cap(terms, role, leases)
    if ended:
        # the last answers may still come, and decide otherwise
        return None, "wait" if any(lease.state == OPEN for lease in leases) else ended
    if row.paused:
        return None, "wait"
    known = None if role == QUESTION else _known_unit(connection, terms, role, leases)
    if known is not None:
        return known, role
    for unit in _known_last(_needed(connection, terms)):
        if _is_free(unit, leases, terms.options.apart) and _take(connection, unit.id):
            return unit.id, QUESTION
    return None, "wait" if _may_come(connection, terms, leases) else "finished"


def _over_cap(terms: LiveTerms, role: str, leases: Sequence[DatabaseRow]) -> str:
    """Return "cap" if a person has had as many units as they may, trials apart."""
    cap = terms.options.cap
    given = sum(lease.role != TRIAL for lease in leases)
    return "cap" if role != TRIAL and cap is not None and given >= cap else ""


def _role(terms: LiveTerms, row: DatabaseRow, leases: Sequence[DatabaseRow]) -> str:
    """Return what comes next for a person: trial, gold, question; decided if a trial was failed.

    Nothing but trials is handed out before all of them are answered and marked.
    """
    taken = sum(lease.role == TRIAL for lease in leases)
    if taken < terms.trials:
        return TRIAL
    if row.trials < taken:
        return DECIDED  # the last trial is on the page: wait for it
    if taken and row.trials_right < terms.options.pass_share * taken - SLACK:
        return DECIDED
    asked = sum(lease.role != TRIAL for lease in leases)
    every = terms.options.gold_every
    return GOLD if every and terms.known and asked % every == every - 1 else QUESTION


def _is_free(unit: DatabaseRow, leases: Sequence[DatabaseRow], apart: float) -> bool:
    """Return whether a unit lies `apart` seconds from all that a person was given, end to start.

    Units without times have a recording of their own each: only the same one is never free.
    """
    return not any(
        lease.recording == unit.recording
        and unit.start < lease.finish + apart - SLACK
        and lease.start < unit.finish + apart - SLACK
        for lease in leases
    )


def _needed(connection: Connection, terms: LiveTerms) -> Iterator[DatabaseRow]:
    """Yield units that need an answer: from a random one on, or the most informative first."""
    options = terms.options
    statement = _NEEDED_IN_BATCH if options.one_batch else _NEEDED
    people = {"people": options.people} if options.one_batch else {}
    # a random place to start at, so that two at once rarely want the same unit
    begin = random.random() if options.ask == "random" else FIRST
    for after, last in ((begin, LAST), (FIRST, begin)):
        while True:
            rows = connection.execute(statement, {"after": after, "last": last, **people}).all()
            yield from rows
            if len(rows) < PAGE:
                break
            after = rows[-1].draw


def _known_last(units: Iterator[DatabaseRow]) -> Iterator[DatabaseRow]:
    """Yield units whose answer is known after all others.

    Whoever answers one of these as a question cannot be tested with it any more.
    """
    known = []
    for unit in units:
        if unit.is_known:
            known.append(unit)
        else:
            yield unit
    yield from known


def _take(connection: Connection, unit: str) -> bool:
    """Take one from what a unit needs; False if somebody was faster."""
    if connection.dialect.name == "postgresql":
        if connection.execute(_LOCK_UNIT, {"unit": unit}).first() is None:
            return False
    return connection.execute(_TAKE, {"unit": unit}).rowcount == 1


def _known_unit(
    connection: Connection, terms: LiveTerms, role: str, leases: Sequence[DatabaseRow]
) -> str | None:
    """Return a question with a known answer that a person has not had, or None."""
    pool = set(terms.trial_units if role == TRIAL else terms.known)
    pool -= {lease.unit for lease in leases}
    rows = connection.execute(_KNOWN).all()
    free = [r.id for r in rows if r.id in pool and _is_free(r, leases, terms.options.apart)]
    return random.choice(free) if free else None


def _lease(
    connection: Connection, terms: LiveTerms, person: str, unit: str, role: str, now: float
) -> Lease:
    lease = Lease(secrets.token_hex(8), unit, role, now + terms.lease_seconds)
    row = {"id": lease.id, "unit": unit, "role": role, "expires": lease.expires}
    connection.execute(_ADD_LEASE, {**row, "person": person, "given": now, "state": OPEN})
    return lease


def _may_come(connection: Connection, terms: LiveTerms, leases: Sequence[DatabaseRow]) -> bool:
    """Return whether a unit that is not finished may still be handed to this person."""
    unfinished = select(UNITS).where(UNITS.c.counted < terms.options.people)
    if terms.options.ask == "doubt":
        settled = UNITS.c.gain.is_not(None) & (UNITS.c.gain < terms.options.settled)
        unfinished = unfinished.where(~settled)
    rows = connection.execute(unfinished)
    return any(_is_free(unit, leases, terms.options.apart) for unit in rows)
