"""The organiser's sign-in: one password, hashed by argon2; sessions that the server can end."""

import hashlib
import secrets

from sqlalchemy import Connection, delete, select

from earmark.ask.live.shared import read_shared, write_shared
from earmark.ask.live.tables import SESSIONS

PASSWORD = "organiser's password"
SESSION_SECONDS = 12 * 3600.0


def set_password(connection: Connection, password: str) -> None:
    """Store the hash of the organiser's password; sessions that another one started end."""
    from argon2 import PasswordHasher

    if not is_password(connection, password):
        write_shared(connection, PASSWORD, PasswordHasher().hash(password))
        connection.execute(delete(SESSIONS))


def is_password(connection: Connection, password: str) -> bool:
    """Return whether this is the organiser's password."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    stored = read_shared(connection, PASSWORD)
    if not isinstance(stored, str):
        return False
    try:
        return PasswordHasher().verify(stored, password)
    except (Argon2Error, InvalidHashError):
        return False


def start_session(connection: Connection, *, now: float) -> str:
    """Return the cookie of a new session; only its digest is stored."""
    connection.execute(delete(SESSIONS).where(SESSIONS.c.expires <= now))
    cookie = secrets.token_urlsafe(32)
    values = {"digest": _digest(cookie), "started": now, "expires": now + SESSION_SECONDS}
    connection.execute(SESSIONS.insert().values(**values))
    return cookie


def is_session(connection: Connection, cookie: str, *, now: float) -> bool:
    """Return whether a cookie is that of a session that has not ended."""
    row = select(SESSIONS.c.expires).where(SESSIONS.c.digest == _digest(cookie))
    expires = connection.execute(row).scalar()
    return expires is not None and expires > now


def end_session(connection: Connection, cookie: str) -> None:
    """End a session."""
    connection.execute(delete(SESSIONS).where(SESSIONS.c.digest == _digest(cookie)))


def _digest(cookie: str) -> str:
    return hashlib.sha256(cookie.encode()).hexdigest()
