"""The queue of submissions: what is handed in, who runs it, and what became of it.

A worker takes a submission for the length of a lease and extends it while it works. Whatever it
writes is written only while the lease is its own: a worker that was thought dead and comes back
finds that it has lost it (`LeaseLost`), and nothing is counted twice. Every change of state is an
event in the same transaction.
"""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, delete, func, insert, or_, select, update

from earmark.run.clock import now
from earmark.run.owners import is_dead
from earmark.run.phases import ENDED
from earmark.run.queue_tables import EVENTS, STEPS, SUBMISSIONS, TEAMS
from earmark.run.tries import HandedIn, count, is_waiting, require_room
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

# A worker that said nothing for so long is taken for dead; it says so three times in that time.
LEASE_SECONDS = 30.0
# A submission that so many workers had in vain, one after the other, without one step being done,
# is stopped: something of ours is broken, and others wait.
MOST_ATTEMPTS = 8
Row = Mapping[str, Any]


class LeaseLost(Exception):
    """A worker no longer has the submission that it works on."""


class Queue:
    """The submissions in a database."""

    def __init__(self, engine: "Engine", *, lease_seconds: float = LEASE_SECONDS) -> None:
        self.engine = engine
        self.lease_seconds = lease_seconds

    # handing in

    def submit(self, arrival: HandedIn, identity: str | None = None) -> str:
        """Add a submission and return its id; raise InputError if its phase takes none now."""
        identity = identity or new_id()
        with self.engine.begin() as connection:
            time = now(connection)
            require_room(connection, arrival, time)
            values = {
                "id": identity,
                "team": arrival.team,
                "phase": arrival.phase.name,
                "file": arrival.file,
                "bytes": arrival.bytes,
                "submitted": time,
                "state": "submitted",
                "reason": "",
                "is_try": True,
                "not_before": time,
                "attempts": 0,
            }
            connection.execute(insert(SUBMISSIONS).values(values))
            _event(connection, identity, time, "submitted", "")
        return identity

    def require_room(self, arrival: HandedIn) -> None:
        """Raise InputError if a submission would not be taken now: before it is uploaded."""
        with self.engine.begin() as connection:
            require_room(connection, arrival, now(connection))

    # working

    def claim(self, owner: str) -> Row | None:
        """Take the oldest submission that nobody works on; None if there is none."""
        with self.engine.begin() as connection:
            time = now(connection)
            self._free_the_dead(connection, time)
            query = (
                select(SUBMISSIONS)
                .where(
                    is_waiting(),
                    SUBMISSIONS.c.not_before <= time,
                    or_(SUBMISSIONS.c.lease_until.is_(None), SUBMISSIONS.c.lease_until <= time),
                )
                .order_by(SUBMISSIONS.c.submitted, SUBMISSIONS.c.id)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            row = connection.execute(query).mappings().first()
            if row is None:
                return None
            values = {
                "owner": owner,
                "lease_until": time + self.lease_seconds,
                "attempts": row["attempts"] + 1,
                "started": row["started"] or time,
            }
            connection.execute(_one(row["id"]).values(values))
            return {**row, **values}

    def _free_the_dead(self, connection: "Connection", time: float) -> None:
        """End the leases of processes of this machine that have ended."""
        query = select(SUBMISSIONS.c.id, SUBMISSIONS.c.owner).where(
            is_waiting(), SUBMISSIONS.c.owner.is_not(None), SUBMISSIONS.c.lease_until > time
        )
        for identity, owner in connection.execute(query).all():
            if is_dead(owner):
                freed = _one(identity).where(SUBMISSIONS.c.owner == owner)
                connection.execute(freed.values(lease_until=time))

    def extend(self, identity: str, owner: str) -> None:
        """Say that the worker is alive; raise LeaseLost if it no longer has the submission."""
        with self._own(identity, owner) as (connection, time):
            values = {"lease_until": time + self.lease_seconds}
            connection.execute(_one(identity).values(values))

    def check(self, identity: str, owner: str, facts: Mapping[str, Any]) -> None:
        """Note that a submission was looked over, with `facts`: digest, key, steps, parts, ..."""
        self._move(identity, owner, "checked", "", facts)

    def begin(self, identity: str, owner: str, key: str) -> bool:
        """Note that a submission runs, unless one whose scores follow from the same runs or ended.

        Return whether it runs. So the same content is run once, however many hand it in at once.
        """
        with self._own(identity, owner) as (connection, time):
            if connection.dialect.name == "postgresql":
                lock = func.pg_advisory_xact_lock(func.hashtext(key))
                connection.execute(select(lock))
            same = and_(SUBMISSIONS.c.key == key, SUBMISSIONS.c.id != identity)
            if count(connection, same, SUBMISSIONS.c.state.in_(("running", "scored"))):
                return False
            connection.execute(_one(identity).values(state="running"))
            _event(connection, identity, time, "running", "")
            return True

    def store_step(self, identity: str, owner: str, number: int, result: Mapping[str, Any]) -> None:
        """Store what a step gave; from then on it is never run again."""
        with self._own(identity, owner) as (connection, time):
            row = {"submission": identity, "number": number, "ended": time, "result": result}
            connection.execute(insert(STEPS).values(row))
            values = {"attempts": 1, "lease_until": time + self.lease_seconds}
            connection.execute(_one(identity).values(values))

    def score(self, identity: str, owner: str, facts: Mapping[str, Any], reason: str = "") -> None:
        """End a submission with scores; `facts` are its result and scores."""
        self._move(identity, owner, "scored", reason, facts)

    def fail(
        self,
        identity: str,
        owner: str,
        reason: str,
        *,
        is_try: bool,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """End a submission without scores, and say whether it was one of the team's tries."""
        self._move(identity, owner, "failed", reason, {**(facts or {}), "is_try": is_try})

    def release(self, identity: str, owner: str, trouble: str, *, seconds: float) -> None:
        """Give a submission back after a failure of ours; it waits so many seconds."""
        with self._own(identity, owner) as (connection, time):
            values = {
                "owner": None,
                "lease_until": None,
                "not_before": time + seconds,
                "trouble": trouble,
            }
            connection.execute(_one(identity).values(values))
            if trouble:
                _event(connection, identity, time, "trouble", trouble)

    def restart(self, identity: str, owner: str) -> None:
        """Forget the steps of a submission: the folder in which they ran is gone."""
        with self._own(identity, owner) as (connection, time):
            connection.execute(delete(STEPS).where(STEPS.c.submission == identity))
            _event(connection, identity, time, "restarted", "the folder of its steps is gone")

    def give_back(self, identity: str, owner: str, *, seconds: float = 0.0) -> None:
        """Give a submission back as it was: the worker stops, or waits for another submission."""
        with self._own(identity, owner) as (connection, time):
            values = {"owner": None, "lease_until": None, "not_before": time + seconds}
            freed = {**values, "attempts": func.greatest(SUBMISSIONS.c.attempts - 1, 0)}
            if connection.dialect.name == "sqlite":
                freed["attempts"] = func.max(SUBMISSIONS.c.attempts - 1, 0)
            connection.execute(_one(identity).values(freed))

    def _move(
        self, identity: str, owner: str, state: str, reason: str, facts: Mapping[str, Any]
    ) -> None:
        with self._own(identity, owner) as (connection, time):
            values = {**facts, "state": state, "reason": reason}
            if state in ENDED:
                values |= {"owner": None, "lease_until": None, "ended": time}
            connection.execute(_one(identity).values(values))
            _event(connection, identity, time, state, reason)

    @contextmanager
    def _own(self, identity: str, owner: str) -> "Iterator[tuple[Connection, float]]":
        """Give the block a transaction in which the submission is the owner's, or LeaseLost."""
        with self.engine.begin() as connection:
            time = now(connection)
            query = select(SUBMISSIONS.c.owner, SUBMISSIONS.c.state).where(
                SUBMISSIONS.c.id == identity
            )
            row = connection.execute(query.with_for_update()).first()
            if row is None or row.owner != owner or row.state in ENDED:
                raise LeaseLost(identity)
            yield connection, time

    # withdrawing

    def withdraw(self, identity: str) -> None:
        """Take a submission off the board; one that waits or runs ends as failed."""
        with self.engine.begin() as connection:
            time = now(connection)
            query = select(SUBMISSIONS).where(SUBMISSIONS.c.id == identity).with_for_update()
            row = connection.execute(query).mappings().first()
            if row is None:
                raise InputError("there is no such submission", got=identity)
            if row["withdrawn"] is not None:
                return
            _withdraw(connection, row, time)

    def withdraw_team(self, team: str) -> None:
        """Take a team off the boards; what it has waiting ends as failed."""
        with self.engine.begin() as connection:
            time = now(connection)
            left = update(TEAMS).where(TEAMS.c.name == team, TEAMS.c.withdrawn.is_(None))
            connection.execute(left.values(withdrawn=time))
            query = select(SUBMISSIONS).where(SUBMISSIONS.c.team == team, is_waiting())
            for row in connection.execute(query.with_for_update()).mappings().all():
                _withdraw(connection, row, time)


def new_id() -> str:
    """Return an id that nobody can guess."""
    return secrets.token_hex(8)


def _withdraw(connection: "Connection", row: Any, time: float) -> None:
    values: dict[str, Any] = {"withdrawn": time}
    if row["state"] not in ENDED:
        values |= {"state": "failed", "reason": "withdrawn by the team", "ended": time}
        values |= {"owner": None, "lease_until": None, "is_try": row["state"] == "running"}
    connection.execute(_one(row["id"]).values(values))
    _event(connection, row["id"], time, "withdrawn", "")


def _one(identity: str) -> Any:
    return update(SUBMISSIONS).where(SUBMISSIONS.c.id == identity)


def _event(connection: "Connection", identity: str, time: float, event: str, detail: str) -> None:
    values = {"submission": identity, "time": time, "event": event, "detail": detail}
    connection.execute(insert(EVENTS).values(values))
