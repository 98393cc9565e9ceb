"""What all server processes of a study share: the signing key, whether asking is paused."""

import secrets
from typing import Any

from sqlalchemy import Connection, delete, select

from earmark.ask.live.tables import SHARED

SIGNING_KEY = "signing key"
PAUSED = "paused"


def read_shared(connection: Connection, name: str, default: Any = None) -> Any:
    """Return a shared value."""
    row = connection.execute(select(SHARED.c.value).where(SHARED.c.name == name)).first()
    return default if row is None else row[0]


def write_shared(connection: Connection, name: str, value: Any) -> None:
    """Set a shared value."""
    connection.execute(delete(SHARED).where(SHARED.c.name == name))
    connection.execute(SHARED.insert().values(name=name, value=value))


def signing_key(connection: Connection) -> str:
    """Return the key that signs this study's tokens, drawn when it is first asked for."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("LOCK TABLE live_shared IN EXCLUSIVE MODE")
    key = read_shared(connection, SIGNING_KEY)
    if key is None:
        key = secrets.token_urlsafe(32)
        write_shared(connection, SIGNING_KEY, key)
    return str(key)
