"""Asking where the doubt is: once everything, then what tells most, then nothing more."""

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from benchmarks.live.crowd import Listeners
from benchmarks.live.offline import answer_offline
from fastapi.testclient import TestClient
from sqlalchemy import select
from tests.web.apps import application, joined, live_behind, signed_in
from tests.web.serving import events_study

from earmark.ask.live.answers import GivenAnswer, record_answer
from earmark.ask.live.assignment import hand_out
from earmark.ask.live.doubt import DoubtRanker, RankedQuestions, write_ranking
from earmark.ask.live.people import Arrival, join
from earmark.ask.live.tables import UNITS
from earmark.study import Study
from earmark.study.live import LIVE
from earmark.values.answer import Ballots
from earmark.values.errors import InputError
from earmark.web.live import Live
from earmark.web.serving import Serving, open_live


@pytest.fixture
def street(tmp_path: Path) -> Path:
    return events_study(tmp_path / "street", recordings=3, seconds=12.0).folder


def answer(client: TestClient, who: dict[str, str], labels: list[str]) -> str:
    """Answer one unit; return it, or nothing if there was none."""
    reply = client.get("/api/next", headers=who)
    if reply.status_code != 200:
        return ""
    unit = str(reply.json()["unit"])
    form = {"unit": unit, "value": {"labels": labels}, "key": f"key-{unit}"}
    assert client.post("/api/answers", headers=who, json=form).status_code == 201
    return unit


def rankings(client: TestClient, least: int) -> dict[str, int]:
    """Wait until units were ranked so often."""
    until = time.monotonic() + 120
    while (state := client.get("/api/organiser/ranking").json())["rankings"] < least:
        assert time.monotonic() < until, state
        time.sleep(0.2)
    return dict(state)


def test_everything_is_asked_once_and_then_what_tells_most(street: Path) -> None:
    with application(street, ask="doubt", people=4, apart=0.0, settled=0.0) as client:
        first: list[str] = []
        while unit := answer(client, joined(client), ["siren"] if len(first) % 2 else ["none"]):
            first.append(unit)
        assert sorted(first) == sorted(live_behind(client).units)
        signed_in(client)
        rankings(client, 1)
        with live_behind(client).engine.begin() as connection:
            rows = connection.execute(select(UNITS).order_by(UNITS.c.draw)).all()
        assert all(row.gain is not None for row in rows)
        assert answer(client, joined(client), ["none"]) == rows[0].id


def test_settled_units_are_not_asked_again_and_people_are_finished(street: Path) -> None:
    with application(street, ask="doubt", people=4, settled=1e9) as client:
        while answer(client, someone := joined(client), ["none"]):
            before = someone
        signed_in(client)
        rankings(client, 1)
        assert client.get("/api/progress").json()["settled"] == 9
        reply = client.get("/api/next", headers=before)
        assert (reply.status_code, reply.json()["reason"]) == (410, "done")
        assert reply.json()["code"]


def test_whoever_comes_when_nothing_is_left_gets_no_code(street: Path) -> None:
    with application(street, answers=1, redirect="https://example.org/done?cc={code}") as client:
        ann, ben = joined(client), joined(client)
        assert answer(client, ann, ["none"])
        done, late = (client.get("/api/next", headers=who) for who in (ann, ben))
    assert done.json()["reason"] == "done" and done.json()["code"] in done.json()["url"]
    assert (late.status_code, late.json()) == (410, {"code": None, "reason": "closed", "url": None})


def test_a_ranking_hands_out_no_unit_more_often_than_allowed(street: Path) -> None:
    with application(street, ask="doubt", people=1, settled=0.0) as client:
        live = live_behind(client)
        unit = answer(client, joined(client), ["none"])
        gains = dict.fromkeys(live.units, 1.0)
        with live.engine.begin() as connection:
            assert write_ranking(connection, gains, live.terms) == len(live.units) - 1
            full = connection.execute(select(UNITS.c.need).where(UNITS.c.id == unit)).scalar()
        assert full == 0


def test_the_last_units_in_doubt_are_ranked_again_however_few_they_are(street: Path) -> None:
    """Two of nine units stay in doubt: each is asked again after the other is answered."""
    options = {"ask": "doubt", "people": 4, "apart": 0.0, "settled": 0.5}
    live = open_live(Study.open(street), Serving(), options)
    doubtful = sorted(live.units)[:2]

    def more(ballots: Ballots[Any], *, seed: int) -> list[tuple[str, float]]:
        return [(unit.id, float(unit.id in doubtful)) for unit in ballots.items]

    questions = RankedQuestions(live.units, (), more, lambda unit, form: form)
    ranker = DoubtRanker(live.engine, live.writer, live.terms, questions)
    assert len(everything_answered(live)) == 9
    for _ in range(3):
        assert ranker.rank_if_grown()
        assert sorted(everything_answered(live)) == doubtful
    assert ranker.rank_if_grown()
    assert everything_answered(live) == []
    live.close()


def everything_answered(live: Live) -> list[str]:
    """Answer as one new person after the other until there is nothing; return the units."""
    units: list[str] = []
    with live.engine.begin() as connection:
        while True:
            person = join(connection, Arrival(), consent="1", now=0.0).id
            lease = hand_out(connection, live.terms, person, now=0.0).lease
            if lease is None:
                return units
            answer = GivenAnswer(lease.unit, person, "a key of it", {"labels": ["none"]}, 1.0)
            record_answer(connection, answer, now=0.0)
            units.append(lease.unit)


def test_a_task_that_cannot_rank_is_refused(tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("open the door\n")
    study = Study.create(tmp_path / "voices", task="keywords")
    study.make("prompts", text=tmp_path / "texts.txt", language="English")
    with pytest.raises(InputError, match="keywords cannot rank its units by uncertainty"):
        open_live(Study.open(study.folder), Serving(), {"ask": "doubt"})


@pytest.mark.parametrize("task", ["captions", "boundaries", "context"])
def test_other_tasks_rank_every_unit(task: str, tmp_path: Path) -> None:
    from tests.studies import small_study

    study = small_study(task, tmp_path / task, verbs=2)
    snapshot = study.snapshot()
    more = study.question().more
    assert more is not None
    ranked = list(more(snapshot.answers(), seed=0))
    assert sorted(unit for unit, _ in ranked) == sorted(unit.id for unit in snapshot.units())
    gains = [gain for _, gain in ranked]
    assert gains == sorted(gains, reverse=True)


def test_when_the_budget_is_spent_everybody_is_thanked(street: Path) -> None:
    with application(street, ask="doubt", people=4, apart=0.0, settled=0.0, answers=11) as client:
        for number in range(9):
            assert answer(client, joined(client), ["siren"] if number % 2 else ["none"])
        signed_in(client)
        rankings(client, 1)
        assert answer(client, joined(client), ["none"])
        last = joined(client)
        assert answer(client, last, ["none"])
        reply = client.get("/api/next", headers=last)
        assert (reply.status_code, reply.json()["reason"]) == (410, "done")
        signed_in(client)
        numbers = client.get("/api/progress").json()
        assert (numbers["counted"], numbers["wanted"]) == (11, 11)


def test_a_budget_that_ends_before_the_doubt_is_known_is_refused(street: Path) -> None:
    with pytest.raises(InputError, match="asks every question once"):
        open_live(Study.open(street), Serving(), {"ask": "doubt", "answers": 8})


def test_a_crowd_is_asked_unevenly_and_not_beyond_its_budget(tmp_path: Path) -> None:
    study = events_study(tmp_path / "street", recordings=1, seconds=40.0)
    listeners = Listeners(study, "independent", 1)
    options = {"ask": "doubt", "people": 10, "answers": 100, "apart": 0.0, "settled": 0.0}
    answer_offline(study, listeners, options)
    assert study.ask(import_from=LIVE)["answers"] == 100
    opinions = Counter(one.item for one in Study.open(study.folder).snapshot().answers().answers)
    assert set(opinions) == set(listeners.units)
    assert min(opinions.values()) <= 2
    assert 5 <= max(opinions.values()) <= 10
