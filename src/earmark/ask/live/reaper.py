"""Leases that ran out: their units are given back, to be handed to others."""

from collections import Counter

from sqlalchemy import Connection, select, update

from earmark.ask.live.assignment import QUESTION
from earmark.ask.live.tables import EXPIRED, LEASES, OPEN, UNITS

# Leases that are given back in one transaction, so that answers do not wait long for it.
AT_ONCE = 500


def reap(connection: Connection, *, now: float) -> int:
    """Give back the units of leases that ran out; return how many there were."""
    rows = (
        select(LEASES.c.id, LEASES.c.unit, LEASES.c.role)
        .where(LEASES.c.state == OPEN, LEASES.c.expires <= now)
        .order_by(LEASES.c.expires)
        .limit(AT_ONCE)
        # several servers, several reapers: each takes what no other is looking at
        .with_for_update(skip_locked=True)
    )
    leases = connection.execute(rows).all()
    if not leases:
        return 0
    ended = update(LEASES).where(LEASES.c.id.in_([lease.id for lease in leases]))
    connection.execute(ended.values(state=EXPIRED))
    give_back(connection, Counter(lease.unit for lease in leases if lease.role == QUESTION))
    return len(leases)


def give_back(connection: Connection, units: "Counter[str]") -> None:
    """Add to what units need. In order of their ids, so that two transactions cannot deadlock."""
    for unit, count in sorted(units.items()):
        change = update(UNITS).where(UNITS.c.id == unit)
        connection.execute(change.values(need=UNITS.c.need + count))
