"""A database: opened by its address, up to date, on disk when it says so."""

import os
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


@pytest.mark.parametrize("place", [0, 20, 5000])
def test_a_damaged_file_is_refused_by_name_and_left_as_it_is(tmp_path: Path, place: int) -> None:
    # the last connection that closes takes what was written ahead into the file
    open_database(default_url(tmp_path)).dispose()
    file = tmp_path / FILE
    whole = file.read_bytes()
    damaged = whole[:place] + bytes(200) + whole[place + 200 :]
    file.write_bytes(damaged)
    try:
        open_database(default_url(tmp_path)).dispose()
    except InputError as error:
        assert str(file) in str(error)
    else:
        assert place == 5000, "what is not read now is refused when it is read"


def test_what_is_no_file_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    with pytest.raises(InputError, match="a regular file is needed here"):
        open_database(default_url(tmp_path))


def test_tables_of_a_version_to_come_are_refused(tmp_path: Path) -> None:
    engine = open_database(default_url(tmp_path))
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO alembic_version VALUES ('from-2031')"))
    engine.dispose()
    with pytest.raises(InputError, match="the database must be as Earmark wrote it"):
        open_database(default_url(tmp_path))


def test_a_server_that_is_not_there_is_the_users_to_mend(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(InputError, match="the database cannot be used") as error:
        open_database("postgresql://ann:secret@127.0.0.1:9/none")
    assert "secret" not in str(error.value)
