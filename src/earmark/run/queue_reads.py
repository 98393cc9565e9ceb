"""What the queue holds, to read: one submission, all of a team, those that a board counts."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select

from earmark.run.clock import now
from earmark.run.phases import WAITING
from earmark.run.queue_tables import ACTS, BOARDS, EVENTS, STEPS, SUBMISSIONS, TEAMS
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

Row = dict[str, Any]


def _reading(engine: "Engine") -> "Connection":
    return engine.connect().execution_options(reads_only=True)


def database_time(engine: "Engine") -> float:
    """Return the time by the database's clock."""
    with _reading(engine) as connection:
        return now(connection)


def submission(engine: "Engine", identity: str) -> Row:
    """Return one submission; raise InputError if there is none of that id."""
    with _reading(engine) as connection:
        query = select(SUBMISSIONS).where(SUBMISSIONS.c.id == identity)
        row = connection.execute(query).mappings().first()
    if row is None:
        raise InputError("there is no such submission", got=identity)
    return dict(row)


def submissions(
    engine: "Engine", *, team: str | None = None, phase: str | None = None
) -> list[Row]:
    """Return submissions, the newest first; of one team or phase if it is named."""
    query = select(SUBMISSIONS).order_by(SUBMISSIONS.c.submitted.desc(), SUBMISSIONS.c.id)
    if team is not None:
        query = query.where(SUBMISSIONS.c.team == team)
    if phase is not None:
        query = query.where(SUBMISSIONS.c.phase == phase)
    with _reading(engine) as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def on_board(engine: "Engine", phase: str, *, before: float | None = None) -> list[Row]:
    """Return a phase's scored submissions, oldest first, but for those that were withdrawn."""
    query = (
        select(SUBMISSIONS)
        .join(TEAMS, TEAMS.c.name == SUBMISSIONS.c.team)
        .where(
            SUBMISSIONS.c.phase == phase,
            SUBMISSIONS.c.state == "scored",
            SUBMISSIONS.c.withdrawn.is_(None),
            TEAMS.c.withdrawn.is_(None),
        )
        .order_by(SUBMISSIONS.c.submitted, SUBMISSIONS.c.id)
    )
    if before is not None:
        query = query.where(SUBMISSIONS.c.submitted < before)
    with _reading(engine) as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def steps_of(engine: "Engine", row: Mapping[str, Any]) -> list[Row]:
    """Return what the steps of a submission gave; of the one whose scores it reuses, if it does."""
    return step_results(engine, row["reused_from"] or row["id"])


def step_results(engine: "Engine", identity: str) -> list[Row]:
    """Return what the steps of a submission gave so far, in order."""
    query = select(STEPS).where(STEPS.c.submission == identity).order_by(STEPS.c.number)
    with _reading(engine) as connection:
        return [row["result"] for row in connection.execute(query).mappings()]


def events(engine: "Engine", identity: str) -> list[Row]:
    """Return the events of a submission, in order."""
    query = select(EVENTS).where(EVENTS.c.submission == identity).order_by(EVENTS.c.id)
    with _reading(engine) as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def state_counts(engine: "Engine", phase: str | None = None) -> dict[str, int]:
    """Return how many submissions are in each state."""
    query = select(SUBMISSIONS.c.state, func.count()).group_by(SUBMISSIONS.c.state)
    if phase is not None:
        query = query.where(SUBMISSIONS.c.phase == phase)
    with _reading(engine) as connection:
        return {state: int(count) for state, count in connection.execute(query).all()}


def waiting_before(engine: "Engine", submitted: float) -> int:
    """Return how many submissions that were handed in earlier have not ended."""
    query = select(func.count()).where(
        SUBMISSIONS.c.state.in_(WAITING), SUBMISSIONS.c.submitted < submitted
    )
    with _reading(engine) as connection:
        return int(connection.execute(query).scalar_one())


def same_key(engine: "Engine", key: str, *, besides: str) -> Sequence[Row]:
    """Return other submissions whose scores follow from the same, the first handed in first."""
    query = (
        select(SUBMISSIONS)
        .where(SUBMISSIONS.c.key == key, SUBMISSIONS.c.id != besides)
        .order_by(SUBMISSIONS.c.submitted, SUBMISSIONS.c.id)
    )
    with _reading(engine) as connection:
        return [dict(row) for row in connection.execute(query).mappings()]


def unblinding(engine: "Engine", phase: str) -> Row | None:
    """Return when and by whom a phase was unblinded; None if it was not."""
    query = select(ACTS).where(ACTS.c.phase == phase, ACTS.c.act == "unblind").order_by(ACTS.c.id)
    with _reading(engine) as connection:
        row = connection.execute(query).mappings().first()
    return dict(row) if row else None


def unblind(engine: "Engine", phase: str, name: str) -> Row:
    """Record that somebody unblinds a phase, once, and return the record."""
    with engine.begin() as connection:
        query = select(ACTS).where(ACTS.c.phase == phase, ACTS.c.act == "unblind")
        if connection.execute(query).first() is None:
            values = {"phase": phase, "act": "unblind", "time": now(connection), "name": name}
            connection.execute(insert(ACTS).values(values))
        row = connection.execute(query.order_by(ACTS.c.id)).mappings().one()
    return dict(row)


def stored_board(engine: "Engine", phase: str) -> Row | None:
    """Return the board that was made last: its key, when it was made, and its document."""
    with _reading(engine) as connection:
        row = connection.execute(select(BOARDS).where(BOARDS.c.phase == phase)).mappings().first()
    return dict(row) if row else None


def store_board(engine: "Engine", phase: str, key: str, document: Mapping[str, Any]) -> None:
    """Store a phase's board in the place of the one before."""
    with engine.begin() as connection:
        values = {"phase": phase, "key": key, "made": now(connection), "document": document}
        connection.execute(BOARDS.delete().where(BOARDS.c.phase == phase))
        connection.execute(insert(BOARDS).values(values))
