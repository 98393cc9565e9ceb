"""Open a database by its address.

SQLite is the default and needs no server; PostgreSQL serves several server processes. Both are used
through the same SQLAlchemy calls: `with engine.begin() as connection` is one transaction.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.values.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Engine

FILE = "live.sqlite"  # in the study's folder
# A writer that waits longer than this for another one has met a process that hangs.
BUSY_SECONDS = 30.0
SCHEMES = ("sqlite", "postgresql")


def default_url(study: Path) -> str:
    """Return the address of a study's own database, a file in its folder."""
    return f"sqlite:///{(study / FILE).resolve()}"


def open_database(url: str) -> "Engine":
    """Return an engine for a database whose tables are those of this version.

    SQLite runs in WAL mode with `synchronous = FULL`: what is committed is on disk. Every
    transaction begins IMMEDIATE, because a transaction that reads first and writes later fails at
    once when another one wrote in between, whatever the time-out; one that only reads can say so:
    `engine.connect().execution_options(reads_only=True)`.
    """
    from sqlalchemy import create_engine

    scheme = url.partition(":")[0].partition("+")[0]
    if scheme not in SCHEMES:
        raise InputError(
            "a database is SQLite or PostgreSQL",
            got=scheme,
            want="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME",
        )
    if scheme == "sqlite":
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
        _prepare_sqlite(engine)
    else:
        # psycopg 3 is the driver that the extra `web` brings
        engine = create_engine("postgresql+psycopg:" + url.partition(":")[2], pool_pre_ping=True)
    _upgrade(engine)
    return engine


def _prepare_sqlite(engine: "Engine") -> None:
    """Set the pragmas of every connection, and begin transactions ourselves."""
    from sqlalchemy import event

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _: object) -> None:
        # the driver's own BEGIN is deferred and comes too late
        connection.isolation_level = None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        reads_only = connection.get_execution_options().get("reads_only", False)
        connection.exec_driver_sql("BEGIN" if reads_only else "BEGIN IMMEDIATE")


def _upgrade(engine: "Engine") -> None:
    """Bring the tables up to date by the migrations of this package; all of them or none."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "earmark:database/migrations")
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            # two servers that start at once: one upgrades, the other waits for its end
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7254321)")
        config.attributes["connection"] = connection
        command.upgrade(config, "heads")
