"""A database: opened by its address, up to date, on disk when it says so."""

import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from earmark.database.engine import FILE, default_url, open_database
from earmark.values.errors import InputError


def test_a_study_has_a_file_of_its_own(tmp_path: Path) -> None:
    open_database(default_url(tmp_path)).dispose()
    assert (tmp_path / FILE).exists()


def test_sqlite_writes_ahead_and_to_the_disk(tmp_path: Path) -> None:
    engine = open_database(default_url(tmp_path))
    with engine.begin() as connection:
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2  # FULL
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1


def test_two_that_read_and_then_write_lose_nothing(tmp_path: Path) -> None:
    """Deferred transactions would fail here with 'database is locked'."""
    engine = open_database(default_url(tmp_path))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE tally (n INTEGER)"))
        connection.execute(text("INSERT INTO tally VALUES (0)"))

    def count() -> None:
        for _ in range(50):
            with engine.begin() as connection:
                n = connection.execute(text("SELECT n FROM tally")).scalar_one()
                connection.execute(text("UPDATE tally SET n = :n"), {"n": n + 1})

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with engine.begin() as connection:
        assert connection.execute(text("SELECT n FROM tally")).scalar_one() == 200


def test_one_that_only_reads_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    engine = open_database(default_url(tmp_path))
    writer = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    with engine.connect().execution_options(reads_only=True) as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1
    writer.close()


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    def schema() -> list[tuple[str]]:
        engine = open_database(default_url(tmp_path))
        with engine.begin() as connection:
            rows = connection.execute(text("SELECT sql FROM sqlite_master ORDER BY name"))
            return [tuple(row) for row in rows]

    assert schema() == schema()


def test_another_kind_of_database_is_refused() -> None:
    with pytest.raises(InputError, match="a database is SQLite or PostgreSQL"):
        open_database("mysql://localhost/x")


@pytest.mark.postgres
def test_postgresql_takes_the_same_calls(postgres: str) -> None:
    engine = open_database(postgres)
    with engine.begin() as connection:
        assert connection.execute(text("SELECT version()")).scalar_one().startswith("PostgreSQL")
    engine.dispose()
