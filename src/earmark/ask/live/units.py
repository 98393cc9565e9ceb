"""The units of a study in its database: put there once, the same ever after."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from earmark.ask.batch import batches
from earmark.ask.live.tables import ANSWERS, LEASES, OPEN, UNITS
from earmark.ask.live.terms import LiveTerms
from earmark.files.digest import content_digest
from earmark.files.jsonl import dump
from earmark.stats.draw import stream
from earmark.values.errors import StudyError
from earmark.values.item import Item
from earmark.values.names import some

AT_ONCE = 500  # rows of one statement


def place_units(
    connection: Connection, units: Sequence[Item], terms: LiveTerms, *, seed: int
) -> None:
    """Make the database ask these units, with these terms.

    Raise StudyError if one that was answered asked something else then.
    """
    if connection.dialect.name == "postgresql":
        # two servers that start at once
        connection.exec_driver_sql("LOCK TABLE live_units IN EXCLUSIVE MODE")
    rows = {row["id"]: row for row in _rows(units, terms, seed)}
    present = {row.id: row for row in connection.execute(select(UNITS))}
    _refuse_changed(connection, rows, {name: row.digest for name, row in present.items()})
    new = [row for name, row in rows.items() if name not in present]
    for start in range(0, len(new), AT_ONCE):
        connection.execute(insert(UNITS), new[start : start + AT_ONCE])
    _adapt(connection, [name for name in rows if name in present], terms)


def _rows(units: Sequence[Item], terms: LiveTerms, seed: int) -> Iterable[dict[str, Any]]:
    """Yield a row for each unit, in a random order of asking that the seed decides."""
    spans = bool(units) and all(unit.span for unit in units)
    groups = batches(units, apart=terms.options.apart) if spans else (range(len(units)),)
    batch = {position: number for number, group in enumerate(groups) for position in group}
    # between 0 and 1, without 0: looking starts behind a number from 0 on
    draws = 1.0 - stream(seed, "live", "order").random(len(units))
    for position, unit in enumerate(units):
        start, finish = (unit.span.start, unit.span.end) if unit.span else (0.0, 1.0)
        yield {
            "id": unit.id,
            "digest": content_digest(dump([unit.kind, unit.text, unit.parent, start, finish])),
            # a unit without times shares nothing with others: only itself is kept from returning
            "recording": unit.group if unit.span else unit.id,
            "start": start,
            "finish": finish,
            "batch": batch[position],
            "draw": float(draws[position]),
            # where the doubt is asked for, everything is asked once first
            "need": terms.options.people if terms.options.ask == "random" else 1,
            "is_known": unit.id in terms.known,
        }


def _refuse_changed(
    connection: Connection, rows: Mapping[str, Mapping[str, Any]], present: Mapping[str, str]
) -> None:
    answered = set(connection.execute(select(ANSWERS.c.unit).distinct()).scalars())
    changed = sorted(
        name
        for name in present
        if name in answered and (name not in rows or rows[name]["digest"] != present[name])
    )
    if changed:
        raise StudyError(
            "answers that are in the database would be about other questions",
            got=f"{some(changed, 'answered question')} cut otherwise",
            fix="serve the questions as they were, or use a copy of the study without its database",
        )


def _adapt(connection: Connection, present: Sequence[str], terms: LiveTerms) -> None:
    """Let what units need follow the terms, which may have changed since they were put there."""
    for unit in present:
        known = update(UNITS).where(UNITS.c.id == unit, UNITS.c.is_known != (unit in terms.known))
        connection.execute(known.values(is_known=unit in terms.known))
    if not present:
        return
    wanted = terms.options.people if terms.options.ask == "random" else 1
    leased: dict[str, int] = dict(
        connection.execute(
            select(LEASES.c.unit, func.count())
            .where(LEASES.c.state == OPEN, LEASES.c.role == "question")
            .group_by(LEASES.c.unit)
        ).all()
    )
    for row in connection.execute(select(UNITS)).all():
        need = max(0, wanted - row.counted - leased.get(row.id, 0))
        if need != row.need:
            connection.execute(update(UNITS).where(UNITS.c.id == row.id).values(need=need))
