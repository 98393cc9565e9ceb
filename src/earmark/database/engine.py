"""Open a database by its address.

SQLite is the default and needs no server; PostgreSQL serves several server processes. Both are used
through the same SQLAlchemy calls: `with engine.begin() as connection` is one transaction.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.files.text import require_regular
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from sqlalchemy import Engine

FILE = "live.sqlite"  # in the study's folder
# A writer that waits longer than this for another one has met a process that hangs.
BUSY_SECONDS = 30.0
SCHEMES = ("sqlite", "postgresql")
# What SQLite says of a file that it cannot use; of one that is locked it says something else.
DAMAGE = ("not a database", "malformed", "corrupt", "could not decode", "disk i/o error")


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
        _refuse_special(engine)
        _prepare_sqlite(engine)
    else:
        # psycopg 3 is the driver that the extra `web` brings
        engine = create_engine("postgresql+psycopg:" + url.partition(":")[2], pool_pre_ping=True)
    with damage_explained(engine):
        _upgrade(engine)
    return engine


def _refuse_special(engine: "Engine") -> None:
    """Raise InputError if there is a folder, a pipe or a device where the file would be."""
    path = Path(engine.url.database or FILE)
    if path.exists():
        require_regular(path)


@contextmanager
def damage_explained(engine: "Engine") -> Iterator[None]:
    """Raise InputError if the database cannot be opened, or holds what Earmark did not write."""
    from alembic.util import CommandError
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except InputError:
        raise
    except DBAPIError as error:
        raise InputError(
            "the database cannot be used",
            at=_place(engine),
            got=str(error.orig).partition("\n")[0],
            fix="check the address and who may use it, or restore the file",
        ) from error
    except (
        ArithmeticError,
        AttributeError,
        CommandError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        raise InputError(
            "the database must be as Earmark wrote it",
            at=_place(engine),
            got=f"{type(error).__name__}: {str(error).partition(chr(10))[0]}",
            fix="restore it, or use the version of Earmark that wrote it",
        ) from error


def _place(engine: "Engine") -> str:
    """Return the file of a database, or its address without the password."""
    return str(engine.url.database if engine.dialect.name == "sqlite" else engine.url)


def _prepare_sqlite(engine: "Engine") -> None:
    """Set the pragmas of every connection, and begin transactions ourselves."""
    from sqlalchemy import event

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _: object) -> None:
        # the driver's own BEGIN is deferred and comes too late
        connection.isolation_level = None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "handle_error")
    def name_damage(context: Any) -> None:
        said = str(context.original_exception)
        if any(word in said.lower() for word in DAMAGE):
            raise InputError(
                "the database file is damaged",
                at=_place(engine),
                got=said,
                fix="restore the file from a copy; the study's own files are not touched",
            ) from context.original_exception

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
