"""What organisers see and do."""

import csv
import io
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.web.apps import application, joined, live_behind, signed_in
from tests.web.serving import events_study

from earmark.ask.live.progress import people_list, progress
from earmark.study import Study
from earmark.values.answer import Answer
from earmark.values.item import Item
from earmark.values.span import Span
from earmark.web import overview
from earmark.web.live import Live


@pytest.fixture
def street(tmp_path: Path) -> Path:
    return events_study(tmp_path / "street", recordings=12, seconds=10.0).folder


def answer(client: TestClient, who: dict[str, str], labels: list[str], seconds: float) -> int:
    """Answer one unit; return the status, 0 if there was none."""
    reply = client.get("/api/next", headers=who)
    if reply.status_code != 200:
        return 0
    unit = reply.json()["unit"]
    form = {"unit": unit, "value": {"labels": labels}, "seconds": seconds, "key": f"key-of-{unit}"}
    return client.post("/api/answers", headers=who, json=form).status_code


def whole_reference(client: TestClient) -> dict[str, Any]:
    """Return the reference when it knows all answers: it is made in the background."""
    document: dict[str, Any] = {"is_making": True}
    while document["is_making"]:
        document = client.get("/api/organiser/reference").json()
    return document


def test_while_a_reference_is_being_made_nobody_waits_for_it(
    street: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slow(live: Live, answers: Sequence[Any]) -> dict[str, Any]:
        assert go_on.wait(60)
        return {"agreement": {"value": None}, "rows": [], "answers": len(answers)}

    monkeypatch.setattr(overview, "_overview", slow)
    monkeypatch.setattr(overview.Overview.document, "__kwdefaults__", {"patience": 0.01})
    with application(street) as client:
        signed_in(client)
        first = client.get("/api/organiser/reference").json()
        assert (first["is_making"], first["why"]) == (True, "the reference is being computed")
        assert client.get("/api/progress").json()["agreement"]["value"] is None
        assert client.get("/api/organiser/people").json() == {"people": []}
        go_on.set()
        assert whole_reference(client)["answers"] == 0


def test_a_reference_that_cannot_be_made_leaves_the_other_numbers(
    street: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(live: Live, answers: Sequence[Any]) -> dict[str, Any]:
        raise ZeroDivisionError

    monkeypatch.setattr(overview, "_overview", broken)
    with application(street) as client:
        signed_in(client)
        assert whole_reference(client)["why"] == "the reference could not be made"
        assert client.get("/api/progress").json()["units"] == 12


def test_progress_counts_answers_money_and_agreement(street: Path) -> None:
    with application(street, people=2, pay=0.5, fee=0.0) as client:
        for labels in (["siren"], ["siren"], ["none"]):
            who = joined(client)
            while answer(client, who, labels, 3.0):
                pass
        signed_in(client)
        reference = whole_reference(client)
        numbers = client.get("/api/progress").json()
        assert numbers["units"] == numbers["settled"] == 12
        assert numbers["counted"] == numbers["wanted"] == 24
        assert numbers["money"] == {"spent": 12.0, "planned": 12.0, "currency": "USD"}
        assert numbers["agreement"]["pairs"] == 12
        assert sum(hour["answers"] for hour in numbers["by_hour"]) == 24
        assert numbers["people"] == 3
        assert reference["by"] in ("window-hmm", "mace")
        assert {row["answers"] for row in reference["rows"]} == {2}
        assert all(0 <= row["doubt"] <= 1 for row in reference["rows"])


def test_the_promise_of_the_plan_is_a_value_from_low_to_high(street: Path) -> None:
    with application(street) as client:
        signed_in(client)
        assert client.get("/api/progress").json()["promise"] is None
        plan = Study.open(street).plan(spread=0.1)
        promise = client.get("/api/progress").json()["promise"]
        assert promise == {name: plan[name] for name in ("answers", "money", "currency")}
        # the names that `range` in organiser.js takes apart
        assert set(promise["answers"]) == set(promise["money"]) == {"value", "low", "high"}


def test_before_there_are_answers_the_reference_says_why_it_is_missing(street: Path) -> None:
    with application(street) as client:
        signed_in(client)
        assert whole_reference(client)["why"].startswith(
            "there are too few answers for a reference"
        )
        assert client.get("/api/progress").json()["agreement"]["value"] is None


def test_a_recording_is_shown_when_all_of_its_time_was_heard_by_somebody() -> None:
    items = [Item(f"r@{k}", "window", None, None, Span(k, k + 10), "r") for k in range(21)]
    alone = Item("sentence", "sentence")

    def covered(*starts: int) -> set[str]:
        answers = [Answer(f"r@{start}", "p", None) for start in starts]
        return {item.id for item in overview.covered_units([*items, alone], answers)}

    everything = {item.id for item in items}
    assert covered(0, 10, 20) == covered(0, 7, 13, 20) == everything
    assert covered(0, 11, 20) == covered(1, 10, 20) == covered(0, 10, 19) == covered() == set()
    text = overview.covered_units([alone], [Answer("sentence", "p", None)])
    assert [item.id for item in text] == ["sentence"]


def test_people_of_the_last_minutes_are_counted(street: Path) -> None:
    with application(street) as client:
        ann, _ = joined(client), joined(client)
        answer(client, ann, ["none"], 1.0)
        live = live_behind(client)
        with live.engine.begin() as connection:
            now = progress(connection, live.terms, now=live.now())
            later = progress(connection, live.terms, now=live.now() + 3600)
    assert (now["people"], now["active"], later["active"]) == (2, 1, 0)


def test_people_who_are_fast_or_always_alike_are_flagged(street: Path) -> None:
    with application(street, people=4) as client:
        careful, fast = joined(client), joined(client)
        for turn in range(12):
            answer(client, careful, [["siren"], ["none"], ["dog_bark"]][turn % 3], 10.0)
            answer(client, fast, ["car_horn"], 1.0)
        signed_in(client)
        people = client.get("/api/organiser/people").json()["people"]
    assert [row["flags"] for row in people] == [[], ["fast", "alike"]]
    assert [row["answers"] for row in people] == [12, 12]


def test_gold_that_is_failed_is_flagged(street: Path, tmp_path: Path) -> None:
    with application(street) as client:
        units = list(live_behind(client).units)[:6]
    known = tmp_path / "known.csv"
    known.write_text("item,person,labels\n" + "".join(f"{u},we,siren\n" for u in units))
    with application(street, known=known, gold_every=2) as client:
        ann = joined(client)
        for _ in range(8):
            answer(client, ann, ["none"], 2.0)
        live = live_behind(client)
        with live.engine.begin() as connection:
            (row,) = people_list(connection, live.terms)
    assert (row["gold"], row["gold_right"], row["flags"]) == (4, 0, ["gold"])


def test_a_paused_study_hands_out_nothing_and_takes_what_was_handed_out(street: Path) -> None:
    with application(street) as client:
        ann = joined(client)
        unit = client.get("/api/next", headers=ann).json()["unit"]
        headers = signed_in(client)
        assert client.post("/api/organiser/pause", json={"paused": True}, headers=headers).json()
        form = {"unit": unit, "value": {"labels": ["none"]}, "seconds": 1, "key": "some-key"}
        assert client.post("/api/answers", headers=ann, json=form).status_code == 201
        reply = client.get("/api/next", headers=ann)
        assert (reply.status_code, reply.headers["retry-after"]) == (204, "5")


def test_an_excluded_person_is_told_and_their_answers_are_kept(street: Path) -> None:
    with application(street) as client:
        ann = joined(client)
        answer(client, ann, ["none"], 1.0)
        headers = signed_in(client)
        person = client.get("/api/organiser/people").json()["people"][0]["person"]
        path = f"/api/organiser/people/{person}"
        said = client.post(path, json={"excluded": True, "why": "noise"}, headers=headers).json()
        assert said["answers_kept"] == 1
        reply = client.get("/api/next", headers=ann)
        assert (reply.status_code, reply.json()["reason"]) == (410, "excluded")
        row = client.get("/api/organiser/people").json()["people"][0]
        assert (row["excluded"], row["why"], row["not_counted"]) == (True, "noise", {"excluded": 1})
        client.post(path, json={"excluded": False}, headers=headers)
        assert client.get("/api/next", headers=ann).status_code == 200
        nobody = "/api/organiser/people/p-nobody"
        assert client.post(nobody, json={"excluded": True}, headers=headers).status_code == 404


def test_the_pay_list_has_everybody_with_code_and_amount(street: Path) -> None:
    with application(street, pay=0.25, redirect="https://example.org/done?cc={code}") as client:
        ann = joined(client, params={"PROLIFIC_PID": "5f1a", "SESSION_ID": "s"})
        while answer(client, ann, ["none"], 1.0):
            pass
        finished = client.get("/api/next", headers=ann)
        signed_in(client)
        rows = list(csv.DictReader(io.StringIO(client.get("/api/organiser/pay.csv").text)))
    assert finished.status_code == 410
    code = finished.json()["code"]
    assert finished.json()["url"] == f"https://example.org/done?cc={code}"
    assert rows[0]["code"] == code
    assert (rows[0]["outside"], rows[0]["answers"], rows[0]["pay"]) == ("5f1a", "12", "3.0")
