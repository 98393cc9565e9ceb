"""The time by which leases end: one clock for all machines that share a database."""

import time

from sqlalchemy import Connection, text


def now(connection: Connection) -> float:
    """Return seconds since 1970 by the server's clock; a SQLite file has no other than ours."""
    if connection.dialect.name == "postgresql":
        return float(
            connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one()
        )
    return time.time()
