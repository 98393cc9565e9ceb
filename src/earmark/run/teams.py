"""Teams and their tokens. A token is shown once; the database has its hash."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from earmark.run.clock import now
from earmark.run.queue_tables import TEAMS
from earmark.values import checks
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Engine

NAME = re.compile(r"[\w][\w .+=@-]{0,63}")
PREFIX = "team-"  # so that a token that leaked somewhere is known for what it is


@dataclass(frozen=True, slots=True)
class Team:
    """One team; `withdrawn` is when it left, None while it takes part."""

    name: str
    created: float
    withdrawn: float | None


def add_team(engine: "Engine", name: str) -> str:
    """Register a team and return its token, which can be shown this once."""
    if not NAME.fullmatch(name) or "--" in name:
        raise InputError(
            "a team's name must consist of at most 64 letters, digits, blanks and . + = @ _ -",
            got=name,
        )
    token = _new_token()
    try:
        with engine.begin() as connection:
            values = {"name": name, "token_hash": token_hash(token), "created": now(connection)}
            connection.execute(insert(TEAMS).values(values))
    except IntegrityError as error:
        raise InputError(
            "there is a team of that name",
            got=name,
            fix=f"choose another, or give it a new token: earmark team STUDY renew {name}",
        ) from error
    return token


def renew_token(engine: "Engine", name: str) -> str:
    """Give a team a new token and return it; the one it had is no longer accepted."""
    token = _new_token()
    _change(engine, name, token_hash=token_hash(token))
    return token


def require_team(engine: "Engine", name: str) -> None:
    """Raise InputError if there is no team of that name."""
    checks.one_of(name, [team.name for team in teams(engine)], what="team")


def restore_team(engine: "Engine", name: str) -> None:
    """Let a team that withdrew take part again."""
    _change(engine, name, withdrawn=None)


def teams(engine: "Engine") -> list[Team]:
    """Return all teams in the order in which they came."""
    columns = (TEAMS.c.name, TEAMS.c.created, TEAMS.c.withdrawn)
    with engine.begin() as connection:
        rows = connection.execute(select(*columns).order_by(TEAMS.c.created, TEAMS.c.name))
        return [Team(*row) for row in rows]


def team_of(engine: "Engine", token: str) -> Team | None:
    """Return the team that a token belongs to; None if it belongs to nobody, or the team left."""
    columns = (TEAMS.c.name, TEAMS.c.created, TEAMS.c.withdrawn)
    query = select(*columns).where(TEAMS.c.token_hash == token_hash(token))
    with engine.connect().execution_options(reads_only=True) as connection:
        row = connection.execute(query).first()
    return Team(*row) if row and row.withdrawn is None else None


def token_hash(token: str) -> str:
    """Return what is stored of a token: 256 random bits need no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def _new_token() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def _change(engine: "Engine", name: str, **values: object) -> None:
    with engine.begin() as connection:
        changed = connection.execute(update(TEAMS).where(TEAMS.c.name == name).values(values))
    if not changed.rowcount:
        require_team(engine, name)
