"""People asked live, at full length: servers that are killed; 3,420 windows x 5 opinions."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import postgres
from tests.ask import live_crowd
from tests.web import killing
from tests.web.serving import events_study

from earmark.ask.live.terms import LiveOptions, LiveTerms
from earmark.database.engine import open_database

CLIENTS = 8
# The paper's: 20 recordings of 171 windows, five opinions, at most 50 answers of one person.
RECORDINGS, WINDOWS = 20, 171
TERMS = LiveTerms(LiveOptions(people=5, cap=50, minutes=10))


@contextmanager
def databases(folder: Path) -> Iterator[dict[str, Callable[[str], str]]]:
    """Yield database kinds, each with what makes the address of a new one."""
    local = {"SQLite": lambda name: f"sqlite:///{(folder / name).resolve()}.sqlite"}
    if postgres.missing():
        yield local
        return
    from sqlalchemy import create_engine, text

    with postgres.server() as url:

        def new(name: str) -> str:
            address = url.replace("postgresql:", "postgresql+psycopg:")
            engine = create_engine(address, isolation_level="AUTOCOMMIT")
            with engine.connect() as connection:
                connection.execute(text(f"CREATE DATABASE {name}"))
            engine.dispose()
            return url.rpartition("/")[0] + "/" + name

        yield {**local, "PostgreSQL": new}


def torture(folder: Path, kills: int, seed: int) -> Iterator[tuple[str, int, int, str]]:
    """Kill servers `kills` times under load; let a crowd answer everything; on each database."""
    study = events_study(folder / "street", recordings=6, seconds=120.0).folder
    with databases(folder) as kinds:
        for name, new in kinds.items():
            url = new("killed")
            words = ("--database", url)
            tally = asyncio.run(killing.torture(study, words, kills=kills, clients=32))
            how = f"{len(tally.confirmed)} confirmed, {tally.retries} sent again"
            yield f"kills under load, {name}", kills, _failed(killing.check, tally, study, url), how
        for name, new in kinds.items():
            engine = open_database(new("crowd"))
            units = live_crowd.windows(RECORDINGS, WINDOWS)
            receipts = Counter(live_crowd.crowd(engine, units, TERMS, CLIENTS))
            wrong = _failed(live_crowd.check, engine, TERMS)
            engine.dispose()
            how = ", ".join(f"{why}: {count}" for why, count in sorted(receipts.items()))
            yield f"{len(units)} windows x 5, {name}", receipts.total(), wrong, how


def _failed(check: Callable[..., None], *args: object) -> int:
    """Return 0 if a check passes; print why and return 1 if it does not."""
    import traceback

    try:
        check(*args)
    except AssertionError:
        traceback.print_exc()
        return 1
    return 0
