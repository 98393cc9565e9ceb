"""The tables that the code knows are those that the migrations make."""

from pathlib import Path

import pytest

pytest.importorskip("alembic")

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect

from earmark.ask.live.tables import METADATA
from earmark.database.engine import default_url, open_database


def differences(engine: Engine) -> list[object]:
    """Return how the tables of a database differ from those of the code; others do not matter."""

    def is_ours(thing, name, kind, reflected, compared) -> bool:
        return kind != "table" or name in METADATA.tables

    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"include_object": is_ours, "compare_server_default": False}
        )
        return list(compare_metadata(context, METADATA))


def test_migrations_make_the_tables_that_the_code_uses(tmp_path: Path) -> None:
    engine = open_database(default_url(tmp_path))
    assert differences(engine) == []
    assert {index["name"] for index in inspect(engine).get_indexes("live_leases")} == {
        "live_leases_of",
        "live_leases_once",
        "live_leases_open",
    }
    engine.dispose()


@pytest.mark.postgres
def test_the_same_on_postgresql(postgres: str) -> None:
    engine = open_database(postgres)
    assert differences(engine) == []
    engine.dispose()
