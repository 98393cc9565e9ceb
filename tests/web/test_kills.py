"""A server that is killed loses nothing that it confirmed; ten kills are in `make torture`."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from tests.web.killing import check, torture
from tests.web.serving import answer_everything, events_study, served


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


@pytest.mark.postgres
def test_two_servers_of_one_study_give_every_question_its_opinions_and_no_more(
    street: Path, postgres: str
) -> None:
    words = ("--database", postgres, "--people", "2", "--requests-per-minute", "1e6")
    more = ("--joins-per-minute", "1e6")

    async def answer_at_both(ports: list[int]) -> int:
        return sum(await asyncio.gather(*(answer_everything(port) for port in ports * 2)))

    with served(street, *words, *more) as one, served(street, *words, *more) as other:
        given = asyncio.run(answer_at_both([one.port, other.port]))
    engine = create_engine(postgres.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        units = connection.execute(text("SELECT counted FROM live_units")).scalars().all()
        answers = connection.execute(text("SELECT unit, person FROM live_answers")).all()
    engine.dispose()
    assert set(units) == {2} and given == len(answers) == 2 * len(units)
    assert len(set(map(tuple, answers))) == len(answers), "nobody answered a question twice"
