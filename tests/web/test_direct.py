"""Requests that are served past the routes get what the routes would have replied."""

import asyncio
import shutil
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.web.apps import application, joined
from tests.web.serving import events_study

from earmark.study import Study
from earmark.values.errors import StudyError
from earmark.web.bell import Bell
from earmark.web.errors import Refusal
from earmark.web.serving import Serving, open_live
from earmark.web.tokens import LIFETIMES, PERSON, Tokens

# What is the same JSON, but is served by the routes: the type of its body is not the usual one.
BY_ROUTES = {"Content-Type": "application/json; charset=utf-8"}
DIRECTLY = {"Content-Type": "application/json"}
OWN = ("content-length", "date")


@pytest.fixture
def street(tmp_path: Path) -> Path:
    return events_study(tmp_path / "street", recordings=3, seconds=10.0).folder


def both(client: TestClient, who: dict[str, str], body: bytes) -> list[Any]:
    """Send a body both ways; return status, headers and document of each reply."""
    replies = [
        client.post("/api/answers", headers={**who, **kind}, content=body)
        for kind in (DIRECTLY, BY_ROUTES)
    ]
    return [
        (
            reply.status_code,
            {name: value for name, value in reply.headers.items() if name not in OWN},
            reply.json(),
        )
        for reply in replies
    ]


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (422, b"{"),
        (422, b"[]"),
        (422, b"\xff\xfe"),
        (422, b'{"unit": "u", "value": {}, "key": "short"}'),
        (422, b'{"unit": "u", "value": {}, "key": "long enough", "seconds": NaN}'),
        (422, b'{"unit": "u", "value": {}, "key": "long enough", "more": 1}'),
        (422, b'{"unit": "no such unit", "value": {}, "key": "long enough"}'),
    ],
)
def test_what_is_wrong_is_refused_alike_both_ways(street: Path, status: int, body: bytes) -> None:
    with application(street) as client:
        one, other = both(client, joined(client), body)
        assert one == other
        assert one[0] == status


def test_nobody_and_forged_tokens_are_refused_alike_both_ways(street: Path) -> None:
    body = b'{"unit": "u", "value": {}, "key": "long enough"}'
    with application(street) as client:
        for who in ({}, {"Authorization": "Bearer forged"}, {"Cookie": "person=forged"}):
            one, other = both(client, who, body)
            assert one == other
            assert one[0] == 401


def test_an_answer_is_stored_once_whichever_way_it_comes(street: Path) -> None:
    with application(street) as client:
        who = joined(client)
        unit = client.get("/api/next", headers=who).json()["unit"]
        form = {"unit": unit, "value": {"labels": ["none"]}, "key": "one and the same"}
        first = client.post("/api/answers", headers=who, json=form)
        again = client.post("/api/answers", headers={**who, **BY_ROUTES}, json=form)
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json() == again.json()
        assert first.headers["content-security-policy"] == again.headers["content-security-policy"]


def test_a_cookie_needs_the_word_of_the_page(street: Path) -> None:
    with application(street) as client:
        token = joined(client)["Authorization"].removeprefix("Bearer ")
        body = b'{"unit": "u", "value": {}, "key": "long enough"}'
        one, other = both(client, {"Cookie": f"person={token}"}, body)
        assert one == other
        assert one[0] == 403


def test_what_is_besides_is_read_and_its_length_limited(street: Path) -> None:
    with application(street) as client:
        who = joined(client)
        first = client.get("/api/next", headers=who).json()
        same = client.get("/api/next", headers=who).json()
        ahead = client.get("/api/next", headers=who, params={"besides": first["unit"]}).json()
        assert first["unit"] == same["unit"] != ahead["unit"]
        assert "examples" not in first["show"]  # the same for all units: /api/examples
        long = client.get("/api/next", headers=who, params={"besides": "u" * 501})
        assert long.status_code == 422


def test_a_token_that_is_remembered_still_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens, now = Tokens("key"), time.time()
    token = tokens.issue(PERSON, "p-one")
    assert tokens.subject(PERSON, token) == tokens.subject(PERSON, token) == "p-one"
    monkeypatch.setattr(time, "time", lambda: now + LIFETIMES[PERSON] - 60)
    assert tokens.subject(PERSON, token) == "p-one"
    monkeypatch.setattr(time, "time", lambda: now + LIFETIMES[PERSON] + 60)
    with pytest.raises(Refusal, match="expired"):
        tokens.subject(PERSON, token)


def test_the_bell_brings_results_errors_and_leaves_who_went_away() -> None:
    async def wait() -> list[Any]:
        bell = Bell(asyncio.get_running_loop())
        jobs: list[Future[int]] = [Future() for _ in range(50)]
        waits = [bell.wait(job) for job in jobs]
        waits[2].cancel()

        def work() -> None:
            for number, job in enumerate(jobs):
                if number == 1:
                    job.set_exception(KeyError("one"))
                else:
                    job.set_result(number)

        await asyncio.to_thread(work)
        return await asyncio.gather(*waits, return_exceptions=True)

    results = asyncio.run(wait())
    assert isinstance(results[1], KeyError)
    assert isinstance(results[2], asyncio.CancelledError)
    assert [results[0], *results[3:]] == [0, *range(3, 50)]


def test_a_task_without_a_page_is_not_served(sixth: Path, tmp_path: Path) -> None:
    shutil.rmtree(sixth / "coins" / "page")
    study = Study.create(tmp_path / "purse", task="coins")
    study.make()
    with pytest.raises(StudyError, match="coins has no page") as error:
        open_live(Study.open(study.folder), Serving(), {})
    assert "page/question.js" in str(error.value)


def test_trials_of_wake_words_are_judged_in_files_and_not_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "ana_test_labels.txt").write_text("ana-1\t1\nana-2\t0\n", encoding="utf-8")
    study = Study.create(tmp_path / "wake", task="keywords")
    study.make(labels=tmp_path)
    with pytest.raises(StudyError, match="cannot ask about this material") as error:
        open_live(Study.open(study.folder), Serving(), {})
    assert "items of the kind trial" in str(error.value) and "--import FILE" in str(error.value)
    assert not study.snapshot().units()
