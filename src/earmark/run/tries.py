"""Whether a team may hand something in now: the phase is open, and it has a try left.

A try is a submission that ran, or waits to. What was refused before it ran, what was scored without
running because the same content had been, and what failed by a mistake of ours is none.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, select

from earmark.run.phases import DAY, WAITING, Phase, utc
from earmark.run.queue_tables import ACTS, SUBMISSIONS, TEAMS
from earmark.values.errors import InputError, StudyError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

# What one team may have waiting, so that it cannot fill the disk.
MOST_WAITING = 20


@dataclass(frozen=True, slots=True)
class HandedIn:
    """What a team hands in: for which phase, the file's name and its size."""

    team: str
    phase: Phase
    file: str
    bytes: int


def require_room(connection: "Connection", arrival: HandedIn, time: float) -> None:
    """Raise InputError if a team's submission is not taken now."""
    # the team's row is locked: of two uploads at once, one is counted before the other
    query = select(TEAMS).where(TEAMS.c.name == arrival.team).with_for_update()
    team = connection.execute(query).mappings().first()
    if team is None:
        raise StudyError(
            "there is no such team",
            got=arrival.team,
            fix=f"register it: earmark team STUDY add {arrival.team}",
        )
    if team["withdrawn"] is not None:
        raise StudyError("this team has withdrawn", got=arrival.team)
    arrival.phase.require_open(time)
    _require_blind(connection, arrival.phase)
    own = and_(SUBMISSIONS.c.team == arrival.team, SUBMISSIONS.c.phase == arrival.phase.name)
    waiting = count(connection, SUBMISSIONS.c.team == arrival.team, is_waiting())
    if waiting >= MOST_WAITING:
        raise InputError(
            f"a team may have {MOST_WAITING} submissions waiting",
            got=waiting,
            fix="wait for one to end",
        )
    _require_tries(connection, arrival.phase, own, time)


def _require_tries(connection: "Connection", phase: Phase, own: Any, time: float) -> None:
    """Raise InputError if a team has no try left; what was a failure of ours is not counted."""
    if phase.tries is not None and count(connection, own, SUBMISSIONS.c.is_try) >= phase.tries:
        raise InputError(
            f"the phase {phase.name} allows {_tries(phase.tries)} in all", got="none is left"
        )
    midnight = time - time % DAY
    if phase.tries_a_day is not None:
        today = count(connection, own, SUBMISSIONS.c.is_try, SUBMISSIONS.c.submitted >= midnight)
        if today >= phase.tries_a_day:
            raise InputError(
                f"the phase {phase.name} allows {_tries(phase.tries_a_day)} a day",
                got=f"{today} today",
                fix=f"try again from {utc(midnight + DAY)}",
            )


def _tries(count: int) -> str:
    return "one try" if count == 1 else f"{count} tries"


def _require_blind(connection: "Connection", phase: Phase) -> None:
    """Raise InputError if a blind phase was unblinded: who hands in now has seen its scores."""
    act = select(ACTS.c.time).where(ACTS.c.phase == phase.name, ACTS.c.act == "unblind")
    time = connection.execute(act).scalar()
    if phase.is_blind and time is not None:
        raise InputError(f"the phase {phase.name} is over: it was unblinded on {utc(time)}")


def tries_left(engine: "Engine", team: str, phase: Phase, time: float) -> int | None:
    """Return how many tries a team has left now; None where there is no limit."""
    own = and_(SUBMISSIONS.c.team == team, SUBMISSIONS.c.phase == phase.name, SUBMISSIONS.c.is_try)
    left = []
    with engine.connect().execution_options(reads_only=True) as connection:
        if phase.tries is not None:
            left.append(phase.tries - count(connection, own))
        if phase.tries_a_day is not None:
            today = SUBMISSIONS.c.submitted >= time - time % DAY
            left.append(phase.tries_a_day - count(connection, own, today))
    return max(0, min(left)) if left else None


def is_waiting() -> Any:
    """Return the condition that a submission has not ended."""
    return SUBMISSIONS.c.state.in_(WAITING)


def count(connection: "Connection", *conditions: Any) -> int:
    """Return how many submissions meet the conditions."""
    query = select(func.count()).select_from(SUBMISSIONS).where(*conditions)
    return int(connection.execute(query).scalar_one())
