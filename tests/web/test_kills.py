"""A server that is killed loses nothing that it confirmed; ten kills are in `make torture`."""

import asyncio
from pathlib import Path

import pytest
from tests.web.killing import check, torture
from tests.web.serving import events_study


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return events_study(tmp_path_factory.mktemp("killed") / "street", seconds=60.0).folder


def test_no_confirmed_answer_is_lost_or_there_twice_when_the_server_is_killed(street: Path) -> None:
    tally = asyncio.run(torture(street, (), kills=2, clients=8))
    check(tally, street)
    assert tally.kills == 2
    assert tally.retries > 0


@pytest.mark.postgres
def test_the_same_on_postgresql(street: Path, postgres: str) -> None:
    tally = asyncio.run(torture(street, ("--database", postgres), kills=1, clients=8))
    check(tally, street, postgres)
