"""The queue: one worker has a submission, a try is counted once, and every change is an event."""

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("sqlalchemy", reason="needs earmark[web]")

from sqlalchemy import inspect, update

from earmark.database.engine import open_database
from earmark.run import teams
from earmark.run.owners import is_dead, new_owner
from earmark.run.phases import Phase
from earmark.run.queue import LeaseLost, Queue
from earmark.run.queue_reads import events, step_results, submission
from earmark.run.queue_tables import METADATA, SUBMISSIONS
from earmark.run.tries import HandedIn
from earmark.values.errors import InputError, StudyError

if TYPE_CHECKING:
    from sqlalchemy import Engine

FREE = Phase("feedback")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> "Iterator[Engine]":
    url = f"sqlite:///{tmp_path / 'live.sqlite'}"
    if request.param == "postgres":
        url = request.getfixturevalue("postgres")
    engine = open_database(url)
    teams.add_team(engine, "larks")
    yield engine
    engine.dispose()


def handed_in(phase: Phase = FREE, team: str = "larks") -> HandedIn:
    return HandedIn(team, phase, "try.zip", 100)


def test_the_migration_makes_the_tables_that_the_code_declares(engine: "Engine") -> None:
    inspector = inspect(engine)
    for table in METADATA.tables.values():
        made_columns = {column["name"]: column for column in inspector.get_columns(table.name)}
        assert list(made_columns) == [column.name for column in table.columns]
        for column in table.columns:
            assert made_columns[column.name]["nullable"] == column.nullable, column
        assert {index["name"] for index in inspector.get_indexes(table.name)} >= {
            index.name for index in table.indexes
        }


def test_the_oldest_is_claimed_first_and_by_one_worker_only(engine: "Engine") -> None:
    queue = Queue(engine)
    first, second = (queue.submit(handed_in()) for _ in range(2))
    claims = [queue.claim(new_owner()) for _ in range(3)]
    assert [claim and claim["id"] for claim in claims] == [first, second, None]


def test_a_lease_that_nobody_extends_ends_and_its_worker_can_write_no_more(
    engine: "Engine",
) -> None:
    queue = Queue(engine, lease_seconds=-1.0)
    identity = queue.submit(handed_in())
    late, other = new_owner(), new_owner()
    queue.claim(late)
    assert (queue.claim(other) or {})["id"] == identity
    for write in (
        lambda: queue.extend(identity, late),
        lambda: queue.store_step(identity, late, 0, {"step": "predict"}),
        lambda: queue.score(identity, late, {}),
        lambda: queue.fail(identity, late, "", is_try=True),
        lambda: queue.release(identity, late, "", seconds=0),
    ):
        with pytest.raises(LeaseLost):
            write()
    queue.score(identity, other, {"scores": {}})
    with pytest.raises(LeaseLost):  # nor twice
        queue.score(identity, other, {"scores": {}})
    assert [one["event"] for one in events(engine, identity)] == ["submitted", "scored"]
    assert step_results(engine, identity) == []


def test_the_lease_of_a_process_that_has_ended_here_is_free_at_once(engine: "Engine") -> None:
    import subprocess
    import sys

    code = "from earmark.run.owners import new_owner; print(new_owner())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    owner = done.stdout.strip()
    assert is_dead(owner) and not is_dead(new_owner()) and not is_dead("elsewhere 1 2 3")
    queue = Queue(engine)
    identity = queue.submit(handed_in())
    queue.claim(owner)
    assert (queue.claim(new_owner()) or {})["id"] == identity


def test_what_is_given_back_waits_and_an_orderly_stop_is_no_attempt(engine: "Engine") -> None:
    queue, owner = Queue(engine), new_owner()
    identity = queue.submit(handed_in())
    queue.claim(owner)
    queue.give_back(identity, owner)
    assert submission(engine, identity)["attempts"] == 0
    again = new_owner()
    assert (queue.claim(again) or {})["attempts"] == 1
    queue.release(identity, again, "the disk is full", seconds=60)
    assert queue.claim(new_owner()) is None
    assert submission(engine, identity)["trouble"] == "the disk is full"


def test_tries_are_counted_by_day_and_in_all_and_failures_of_ours_are_not(
    engine: "Engine",
) -> None:
    queue, phase = Queue(engine), Phase("check", tries=1)
    identity = queue.submit(handed_in(phase))
    with pytest.raises(InputError, match="the phase check allows one try in all"):
        queue.submit(handed_in(phase))
    owner = new_owner()
    queue.claim(owner)
    queue.fail(identity, owner, "a failure of the platform", is_try=False)
    daily = Phase("feedback", tries_a_day=2)
    for _ in range(2):
        queue.submit(handed_in(daily))
    with pytest.raises(InputError, match="allows 2 tries a day") as error:
        queue.submit(handed_in(daily))
    tomorrow = datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=1)
    assert f"{tomorrow} 00:00 UTC" in str(error.value)
    with engine.begin() as connection:  # as if they were of yesterday
        connection.execute(update(SUBMISSIONS).values(submitted=SUBMISSIONS.c.submitted - 86400))
    queue.submit(handed_in(daily))
    queue.submit(handed_in(phase))  # the try that our failure did not use up


def test_a_team_must_be_there_and_take_part(engine: "Engine") -> None:
    queue = Queue(engine)
    with pytest.raises(StudyError, match="there is no such team"):
        queue.submit(handed_in(team="nobody"))
    identity = queue.submit(handed_in())
    queue.withdraw_team("larks")
    with pytest.raises(StudyError, match="this team has withdrawn"):
        queue.submit(handed_in())
    row = submission(engine, identity)
    assert (row["state"], row["reason"], row["is_try"]) == (
        "failed",
        "withdrawn by the team",
        False,
    )


def test_a_token_is_shown_once_and_a_new_one_ends_the_old(engine: "Engine") -> None:
    token = teams.renew_token(engine, "larks")
    known = teams.team_of(engine, token)
    assert known is not None and known.name == "larks"
    again = teams.renew_token(engine, "larks")
    assert teams.team_of(engine, token) is None and teams.team_of(engine, again) is not None
    with engine.connect() as connection:
        raw = str(connection.exec_driver_sql("SELECT * FROM teams").all())
    assert again not in raw and teams.token_hash(again) in raw
    with pytest.raises(InputError, match="there is a team of that name"):
        teams.add_team(engine, "larks")
    with pytest.raises(InputError, match="there is no team 'lark'"):
        teams.renew_token(engine, "lark")
    with pytest.raises(InputError, match="a team's name must consist of"):
        teams.add_team(engine, "../larks")
