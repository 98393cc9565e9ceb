"""Who gets which unit: exactly as many opinions as wanted, nothing twice, nothing that overlaps."""

import math
import random
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, func, select, update

from earmark.ask.live.shared import PAUSED, read_shared
from earmark.ask.live.tables import ANSWERED, LEASES, OPEN, PEOPLE, UNITS, DatabaseRow
from earmark.ask.live.terms import LiveTerms

Role = Literal["question", "trial", "gold"]
QUESTION: Role = "question"
TRIAL: Role = "trial"
GOLD: Role = "gold"
DECIDED = "decided"  # the trial is over, and failed

# Units that one person may hold at a time: the one on the page, and one that is loaded ahead.
MOST_OPEN = 2
# Units that are looked at together when a person cannot get the first one.
PAGE = 32
SLACK = 1e-9  # of times that are compared, as in ask/batch.py


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


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a recording that a person got."""

    recording: str
    start: float
    finish: float


def hand_out(
    connection: Connection, terms: LiveTerms, person: str, *, now: float, besides: str = ""
) -> Handed:
    """Return a unit for a person: one that they hold already, or a new one.

    `besides` is a unit that they work on: another one is wanted, to be loaded ahead.
    """
    _lock_person(connection, person)
    row = connection.execute(select(PEOPLE).where(PEOPLE.c.id == person)).one_or_none()
    if row is None:
        return Handed(state="unknown")

    def handed(lease: Lease | None, state: str = "") -> Handed:
        return Handed(lease, state, row.code, row.answers, row.trials)

    if row.state != "active":
        return handed(None, "excluded")
    leases = _leases_of(connection, person)
    open_leases = [lease for lease in leases if lease.state == OPEN and lease.expires > now]
    for lease in open_leases:
        if lease.unit != besides:
            return handed(_as_lease(lease))
    if len(open_leases) >= MOST_OPEN:
        return handed(None, "wait")
    return handed(*_new_lease(connection, terms, row, leases, now))


def _new_lease(
    connection: Connection,
    terms: LiveTerms,
    row: DatabaseRow,
    leases: Sequence[DatabaseRow],
    now: float,
) -> tuple[Lease | None, str]:
    """Return a new lease, or why there is none."""
    role = _role(terms, row, leases)
    ended = "not qualified" if role == DECIDED else _over_cap(terms, role, leases)
    if ended:
        # the last answers may still come, and decide otherwise
        return None, "wait" if any(lease.state == OPEN for lease in leases) else ended
    if read_shared(connection, PAUSED, False):
        return None, "wait"
    parts = _parts(connection, leases)
    known = None if role == QUESTION else _known_unit(connection, terms, role, parts, leases)
    if known is not None:
        return _lease(connection, terms, row.id, known, role, now), ""
    for unit in _needed(connection, terms):
        if _is_free(unit, parts, terms.options.apart) and _take(connection, unit.id):
            return _lease(connection, terms, row.id, unit.id, QUESTION, now), ""
    return None, "wait" if _may_come(connection, terms, parts) else "finished"


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


def _lock_person(connection: Connection, person: str) -> None:
    """Let nobody else hand out units to this person before the transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(person))))


def _leases_of(connection: Connection, person: str) -> Sequence[DatabaseRow]:
    """Return the open and answered leases of a person, the oldest first."""
    rows = select(LEASES).where(LEASES.c.person == person, LEASES.c.state.in_((OPEN, ANSWERED)))
    return connection.execute(rows.order_by(LEASES.c.given)).all()


def _as_lease(row: DatabaseRow) -> Lease:
    return Lease(row.id, row.unit, row.role, row.expires)


def _parts(connection: Connection, leases: Sequence[DatabaseRow]) -> list[_Part]:
    """Return the parts of recordings that leases are about."""
    if not leases:
        return []
    columns = select(UNITS.c.recording, UNITS.c.start, UNITS.c.finish)
    rows = connection.execute(columns.where(UNITS.c.id.in_([lease.unit for lease in leases])))
    return [_Part(*row) for row in rows]


def _is_free(unit: DatabaseRow, parts: Sequence[_Part], apart: float) -> bool:
    """Return whether a unit lies `apart` seconds from every part, end to start.

    Units without times are about a whole item: the same one is never given twice, and two units of
    one item may both be given.
    """
    return not any(
        part.recording == unit.recording
        and unit.start < part.finish + apart - SLACK
        and part.start < unit.finish + apart - SLACK
        for part in parts
    )


def _needed(connection: Connection, terms: LiveTerms) -> Iterator[DatabaseRow]:
    """Yield units that need an answer: from a random one on, or the most informative first."""
    columns = select(UNITS.c.id, UNITS.c.recording, UNITS.c.start, UNITS.c.finish, UNITS.c.draw)
    needed = columns.where(UNITS.c.need > 0).order_by(UNITS.c.draw, UNITS.c.id).limit(PAGE)
    if terms.options.one_batch:
        first = select(func.min(UNITS.c.batch)).where(
            UNITS.c.counted < terms.options.people, UNITS.c.is_known.is_(False)
        )
        needed = needed.where(UNITS.c.batch == first.scalar_subquery())
    # a random place to start at, so that two at once rarely want the same unit
    begin = random.random() if terms.options.ask == "random" else 0.0
    for low, high in ((begin, math.inf), (0.0, begin)):
        after, last = low, ""
        while after < high:
            rows = connection.execute(
                needed.where(
                    (UNITS.c.draw > after) | ((UNITS.c.draw == after) & (UNITS.c.id > last)),
                    UNITS.c.draw < min(high, 1e300),
                )
            ).all()
            yield from rows
            if len(rows) < PAGE:
                break
            after, last = rows[-1].draw, rows[-1].id


def _take(connection: Connection, unit: str) -> bool:
    """Take one from what a unit needs; False if somebody was faster."""
    if connection.dialect.name == "postgresql":
        wanted = select(UNITS.c.id).where(UNITS.c.id == unit, UNITS.c.need > 0)
        if connection.execute(wanted.with_for_update(skip_locked=True)).first() is None:
            return False
    change = update(UNITS).where(UNITS.c.id == unit, UNITS.c.need > 0)
    return connection.execute(change.values(need=UNITS.c.need - 1)).rowcount == 1


def _known_unit(
    connection: Connection,
    terms: LiveTerms,
    role: str,
    parts: Sequence[_Part],
    leases: Sequence[DatabaseRow],
) -> str | None:
    """Return a question with a known answer that a person has not had, or None."""
    rows = connection.execute(select(UNITS).where(UNITS.c.is_known.is_(True))).all()
    had = {lease.unit for lease in leases}
    pool = set(terms.trial_units if role == TRIAL else terms.known) - had
    free = [r.id for r in rows if r.id in pool and _is_free(r, parts, terms.options.apart)]
    return random.choice(free) if free else None


def _lease(
    connection: Connection, terms: LiveTerms, person: str, unit: str, role: str, now: float
) -> Lease:
    lease = Lease(secrets.token_hex(8), unit, role, now + terms.lease_seconds)
    connection.execute(
        LEASES.insert().values(
            id=lease.id,
            unit=unit,
            person=person,
            role=role,
            given=now,
            expires=lease.expires,
            state=OPEN,
        )
    )
    return lease


def _may_come(connection: Connection, terms: LiveTerms, parts: Sequence[_Part]) -> bool:
    """Return whether a unit that is not finished may still be handed to this person."""
    unfinished = select(UNITS).where(
        UNITS.c.is_known.is_(False), UNITS.c.counted < terms.options.people
    )
    if terms.options.ask == "doubt":
        settled = (UNITS.c.gain.is_not(None)) & (UNITS.c.gain < terms.options.settled)
        unfinished = unfinished.where(~settled)
    rows = connection.execute(unfinished)
    return any(_is_free(unit, parts, terms.options.apart) for unit in rows)
