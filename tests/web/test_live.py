"""What requests share: one writer, whichever event loop a request comes from."""

import asyncio
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection
from tests.web.serving import events_study

from earmark.study import Study
from earmark.web.live import Live
from earmark.web.serving import Serving, open_live


def two(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT 2").scalar_one())


async def written(live: Live, times: int) -> list[int]:
    return [await live.write(two) for _ in range(times)]


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("restless")
def test_two_event_loops_may_write_at_once(tmp_path: Path) -> None:
    study = events_study(tmp_path / "street", recordings=1, seconds=10.0).folder
    live = open_live(Study.open(study), Serving(), {})
    try:
        with ThreadPoolExecutor(4) as threads:
            jobs = [threads.submit(asyncio.run, written(live, 100)) for _ in range(4)]
            assert [job.result(timeout=60) for job in jobs] == [[2] * 100] * 4
    finally:
        live.close()
