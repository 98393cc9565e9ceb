"""Who gets which unit: exactly as many opinions as wanted, nothing twice, nothing that overlaps."""

import random
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sqlalchemy import JSON, Connection, bindparam, func, insert, select, update

from earmark.ask.live.budget import ending_of, spent
from earmark.ask.live.hot_statements import HotStatement
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
# Units that are looked at together: mostly one of the first is free; a person who has answered many
# cannot get most of them, so each page is larger than the one before.
PAGE, LARGER, LARGEST_PAGE = 4, 4, 4096
FIRST, LAST = -1.0, 1e300  # no unit's place in the order is smaller, or larger
SLACK = 1e-9  # of times that are compared, as in ask/batch.py

_is_paused = select(SHARED.c.value).where(SHARED.c.name == PAUSED).scalar_subquery()
_PERSON = HotStatement(
    select(
        PEOPLE.c.state,
        PEOPLE.c.code,
        PEOPLE.c.answers,
        PEOPLE.c.trials,
        PEOPLE.c.trials_right,
        _is_paused.label("paused"),
    ).where(PEOPLE.c.id == bindparam("person"))
)
_times = (UNITS.c.recording, UNITS.c.start, UNITS.c.finish)
_of_person = (LEASES.c.person == bindparam("person"), LEASES.c.state.in_((OPEN, ANSWERED)))
_given_unit = (LEASES.c.unit, LEASES.c.role, LEASES.c.state, *_times)
# Everything in one row of JSON: a row for each would be handed from the database to Python one by
# one, with a change of threads for each while the server is busy.
_GIVEN = {
    name: HotStatement(
        select(listed.label("units"))
        .join_from(LEASES, UNITS, LEASES.c.unit == UNITS.c.id)
        .where(*_of_person)
    )
    for name, listed in (
        ("sqlite", func.json_group_array(func.json_array(*_given_unit), type_=JSON)),
        ("postgresql", func.json_agg(func.json_build_array(*_given_unit), type_=JSON)),
    )
}
_OPEN = HotStatement(
    select(LEASES.c.id, LEASES.c.unit, LEASES.c.role, LEASES.c.expires)
    .where(LEASES.c.person == bindparam("person"), LEASES.c.state == OPEN)
    .order_by(LEASES.c.given)
)
_needed_units = (
    select(UNITS.c.id, *_times, UNITS.c.draw, UNITS.c.is_known)
    .where(UNITS.c.need > 0, UNITS.c.draw > bindparam("after"), UNITS.c.draw <= bindparam("last"))
    .order_by(UNITS.c.draw)
    .limit(bindparam("page"))
)
_first_batch = (
    select(func.min(UNITS.c.batch)).where(UNITS.c.counted < bindparam("people")).scalar_subquery()
)
_NEEDED, _NEEDED_IN_BATCH = (
    HotStatement(_needed_units),
    HotStatement(_needed_units.where(UNITS.c.batch == _first_batch)),
)
_mine = (UNITS.c.id == bindparam("unit"), UNITS.c.need > 0)
_LOCK_UNIT = HotStatement(select(UNITS.c.id).where(*_mine).with_for_update(skip_locked=True))
_TAKE = HotStatement(update(UNITS).where(*_mine).values(need=UNITS.c.need - 1))
_ADD_LEASE = HotStatement(insert(LEASES), [column.name for column in LEASES.columns])
_LOCK_PERSON = select(func.pg_advisory_xact_lock(func.hashtext(bindparam("person"))))
_KNOWN = select(UNITS).where(UNITS.c.is_known.is_(True))


@dataclass(frozen=True, slots=True)
class Lease:
    """A unit that is reserved for a person until it expires."""

    id: str
    unit: str
    role: str
    expires: float


class GivenUnit(NamedTuple):
    """A unit that a person holds or has answered."""

    unit: str
    role: str
    state: str
    recording: str
    start: float
    finish: float


@dataclass(frozen=True, slots=True)
class Handed:
    """What a person gets: a lease, or none: "wait", or why there will be nothing any more."""

    lease: Lease | None = None
    # "", "wait", "finished", "closed" (before they answered), "cap", "not qualified", "excluded",
    # "unknown"
    state: str = ""
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
    row = _PERSON.first(connection, person=person)
    if row is None:
        return Handed(state="unknown")

    def handed(lease: Lease | None, state: str = "") -> Handed:
        return Handed(lease, state, row.code, row.answers, row.trials)

    if row.state != "active":
        return handed(None, "excluded")
    leases = _given(connection, person)
    is_open = any(lease.state == OPEN for lease in leases)
    rows = _OPEN.all(connection, person=person) if is_open else ()
    open_leases = [lease for lease in rows if lease.expires > now]
    current = next((lease for lease in open_leases if lease.unit != besides), None)
    if current is not None:
        return handed(Lease(current.id, current.unit, current.role, current.expires))
    if len(open_leases) >= MOST_OPEN:
        return handed(None, "wait")
    unit, role_or_state = _choose(connection, terms, row, leases)
    if unit is None:
        return handed(None, ending_of(connection, person, role_or_state))
    return handed(_lease(connection, terms, person, unit, role_or_state, now))


def _given(connection: Connection, person: str) -> list[GivenUnit]:
    """Return the units that a person holds or has answered."""
    (row,) = _GIVEN[connection.dialect.name].all(connection, person=person)
    return [GivenUnit(*unit) for unit in row.units or ()]


def _choose(
    connection: Connection, terms: LiveTerms, row: DatabaseRow, leases: Sequence[GivenUnit]
) -> tuple[str | None, str]:
    """Return a unit and its role; or None and why there is none."""
    role = _role(terms, row, leases)
    ended = "not qualified" if role == DECIDED else _over_cap(terms, role, leases)
    if ended:
        # the last answers may still come, and decide otherwise
        return None, "wait" if any(lease.state == OPEN for lease in leases) else ended
    ended = "wait" if row.paused else spent(connection, terms)
    if ended:
        return None, ended
    known = None if role == QUESTION else _known_unit(connection, terms, role, leases)
    if known is not None:
        return known, role
    distances = _Distances(leases, terms.options.apart)
    for unit in _known_last(_needed(connection, terms)):
        if distances.is_free(unit) and _take(connection, unit.id):
            return unit.id, QUESTION
    return None, "wait" if _may_come(connection, terms, leases) else "finished"


def _over_cap(terms: LiveTerms, role: str, leases: Sequence[GivenUnit]) -> str:
    """Return "cap" if a person has had as many units as they may, trials apart."""
    cap = terms.options.cap
    given = sum(lease.role != TRIAL for lease in leases)
    return "cap" if role != TRIAL and cap is not None and given >= cap else ""


def _role(terms: LiveTerms, row: DatabaseRow, leases: Sequence[GivenUnit]) -> str:
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


class _Distances:
    """What a person was given, by recording: thousands of units may be compared with it."""

    def __init__(self, leases: Sequence[GivenUnit], apart: float) -> None:
        self._apart = apart - SLACK
        self._spans: dict[str, list[tuple[float, float]]] = {}
        for lease in leases:
            self._spans.setdefault(lease.recording, []).append((lease.start, lease.finish))

    def is_free(self, unit: DatabaseRow) -> bool:
        """Return whether a unit lies `apart` seconds from all that was given, end to start.

        Units without times have a recording of their own each: only the same one is never free.
        """
        spans = self._spans.get(unit.recording)
        if spans is None:
            return True
        first, last = unit.start - self._apart, unit.finish + self._apart
        return not any(first < finish and start < last for start, finish in spans)


def _needed(connection: Connection, terms: LiveTerms) -> Iterator[DatabaseRow]:
    """Yield units that need an answer: from a random one on, or the most informative first."""
    options = terms.options
    statement = _NEEDED_IN_BATCH if options.one_batch else _NEEDED
    people = {"people": options.people} if options.one_batch else {}
    # a random place to start at, so that two at once rarely want the same unit
    begin = random.random() if options.ask == "random" else FIRST
    for after, last in ((begin, LAST), (FIRST, begin)):
        page = PAGE
        while True:
            named = {"after": after, "last": last, "page": page, **people}
            rows = statement.all(connection, **named)
            yield from rows
            if len(rows) < page:
                break
            after, page = rows[-1].draw, min(page * LARGER, LARGEST_PAGE)


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
        if _LOCK_UNIT.first(connection, unit=unit) is None:
            return False
    return _TAKE.change(connection, unit=unit) == 1


def _known_unit(
    connection: Connection, terms: LiveTerms, role: str, leases: Sequence[GivenUnit]
) -> str | None:
    """Return a question with a known answer that a person has not had, or None."""
    pool = set(terms.trial_units if role == TRIAL else terms.known)
    pool -= {lease.unit for lease in leases}
    rows = connection.execute(_KNOWN).all()
    distances = _Distances(leases, terms.options.apart)
    free = [row.id for row in rows if row.id in pool and distances.is_free(row)]
    return random.choice(free) if free else None


def _lease(
    connection: Connection, terms: LiveTerms, person: str, unit: str, role: str, now: float
) -> Lease:
    lease = Lease(secrets.token_hex(8), unit, role, now + terms.lease_seconds)
    row = {"id": lease.id, "unit": unit, "role": role, "expires": lease.expires}
    _ADD_LEASE.insert(connection, **row, person=person, given=now, state=OPEN)
    return lease


def _may_come(connection: Connection, terms: LiveTerms, leases: Sequence[GivenUnit]) -> bool:
    """Return whether a unit that is not finished may still be handed to this person."""
    unfinished = select(*_times).where(UNITS.c.counted < terms.options.people)
    if terms.options.ask == "doubt":
        settled = UNITS.c.gain.is_not(None) & (UNITS.c.gain < terms.options.settled)
        unfinished = unfinished.where(~settled)
    distances = _Distances(leases, terms.options.apart)
    return any(distances.is_free(unit) for unit in connection.execute(unfinished))
