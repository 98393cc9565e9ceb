"""Statements that are handed to SQLite's driver: as SQLAlchemy would run them, value for value."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, bindparam, insert, select, update

from earmark.ask.live.hot_statements import HotStatement
from earmark.ask.live.tables import ANSWERS
from earmark.database.engine import open_database

FIELDS = [column.name for column in ANSWERS.columns if not column.primary_key]
ROW: dict[str, Any] = {
    "unit": "u",
    "person": "ann's; DROP TABLE live_answers",
    "role": "question",
    "value": {"labels": ["dög", "<b>"], "deep": [{"x": None}]},
    "seconds": 1.25,
    "given": 1e9,
    "counts": True,
    "why": "",
    "is_right": None,
}
ADD = HotStatement(insert(ANSWERS), FIELDS)
OF_KEYS = (
    select(ANSWERS)
    .where(ANSWERS.c.key.in_(("key-1", "key-2")), ANSWERS.c.seconds > bindparam("least"))
    .order_by(ANSWERS.c.number)
    .limit(bindparam("page"))
)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    opened = open_database(f"sqlite:///{tmp_path / 'live.sqlite'}")
    yield opened
    opened.dispose()


def test_values_and_rows_are_those_of_sqlalchemy(engine: Engine) -> None:
    chosen = HotStatement(OF_KEYS)
    with engine.begin() as connection:
        assert [ADD.insert(connection, **ROW, key=f"key-{k}") for k in (1, 2, 3)] == [1, 2, 3]
        for least, page in ((0, 9), (0, 1), (5, 9)):
            rows = connection.execute(OF_KEYS, {"least": least, "page": page}).all()
            own = chosen.all(connection, least=least, page=page)
            assert [tuple(row) for row in own] == [tuple(row) for row in rows]
        first = chosen.first(connection, least=0, page=9)
        assert first is not None and first.value == ROW["value"] and first.counts is True
        assert first.is_right is None and first.person == ROW["person"]
        assert chosen.first(connection, least=5, page=9) is None


def test_changes_are_counted_and_undone_with_their_transaction(engine: Engine) -> None:
    late = HotStatement(
        update(ANSWERS).where(ANSWERS.c.key == bindparam("which")).values(why="late", counts=False)
    )
    with engine.begin() as connection:
        ADD.insert(connection, **ROW, key="key-1")
    with pytest.raises(ZeroDivisionError), engine.begin() as connection:
        assert late.change(connection, which="key-1") == 1
        assert late.change(connection, which="key-9") == 0
        ADD.insert(connection, **ROW, key="key-2")
        raise ZeroDivisionError
    with engine.begin() as connection:
        (row,) = connection.execute(select(ANSWERS)).all()
    assert (row.key, row.why, row.counts) == ("key-1", "", True)
