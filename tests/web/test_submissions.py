"""The API of submissions: who may hand in, what they see, and what strangers do not."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs earmark[web]")

import httpx
from tests.web.challenges import Contest, contest

pytestmark = pytest.mark.usefixtures("sixth")
HEADS = "hand-*) echo heads;;"


@pytest.fixture
def coins(tmp_path: Path) -> Iterator[Contest]:
    with contest(tmp_path) as opened:
        yield opened


@pytest.fixture
def client(coins: Contest) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {coins.tokens['larks']}"}
    with httpx.Client(base_url=coins.address, headers=headers, timeout=30) as opened:
        yield opened


def hand_in(client: httpx.Client, path: Path, phase: str = "feedback") -> httpx.Response:
    address = f"/api/submissions?phase={phase}&file={path.name}"
    return client.post(address, content=path.read_bytes())


def test_a_team_hands_in_and_follows_its_submission_to_its_scores(
    coins: Contest, client: httpx.Client
) -> None:
    reply = hand_in(client, coins.zipped(HEADS))
    assert reply.status_code == 202
    identity = reply.json()["id"]
    before = client.get(f"/api/submissions/{identity}").json()
    assert (before["state"], before["scores"], before["file"]) == ("submitted", None, "larks.zip")
    coins.work()
    after = client.get(f"/api/submissions/{identity}").json()
    assert after["state"] == "scored" and after["scores"]["heads_f1"]["value"] > 0
    assert after["log"] == "listening" and after["isolation"] == "none"
    assert [row["id"] for row in client.get("/api/submissions").json()["submissions"]] == [identity]


def test_a_form_with_a_file_does_as_well(coins: Contest, client: httpx.Client) -> None:
    path = coins.zipped(HEADS)
    files = {"file": ("../odd/name.zip", path.read_bytes(), "application/zip")}
    reply = client.post("/api/submissions?phase=feedback", files=files)
    assert reply.status_code == 202
    row = client.get(f"/api/submissions/{reply.json()['id']}").json()
    assert (row["file"], row["bytes"]) == ("name.zip", path.stat().st_size)
    reply = client.post("/api/submissions", files={"other": b"x"})
    assert reply.status_code == 422 and "field 'file'" in reply.text


def test_nobody_without_a_teams_token_hands_in_or_sees_anything(coins: Contest) -> None:
    for headers in ({}, {"Authorization": "Bearer team-nobody"}):
        with httpx.Client(base_url=coins.address, headers=headers) as stranger:
            assert stranger.post("/api/submissions", content=b"x").status_code == 401
            assert stranger.get("/api/submissions").status_code == 401
            assert stranger.get("/api/phases").status_code == 401


def test_another_teams_submission_is_not_there(coins: Contest, client: httpx.Client) -> None:
    identity = hand_in(client, coins.zipped(HEADS)).json()["id"]
    headers = {"Authorization": f"Bearer {coins.tokens['owls']}"}
    with httpx.Client(base_url=coins.address, headers=headers) as other:
        assert other.get(f"/api/submissions/{identity}").status_code == 404
        assert other.delete(f"/api/submissions/{identity}").status_code == 404
        assert other.get("/api/submissions").json() == {"submissions": []}
        for odd in ("%00", "..%2f..", "'", "A" * 5000):
            assert other.get(f"/api/submissions/{odd}").status_code == 404
            assert other.post(f"/api/submissions?phase={odd}", content=b"x").status_code in (
                404,
                422,
            )


def test_what_is_larger_than_allowed_is_refused_while_it_is_streamed(
    coins: Contest, client: httpx.Client
) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(40):
            yield bytes(100_000)

    reply = client.post("/api/submissions?phase=feedback", content=endless())
    assert reply.status_code == 413 and reply.json()["error"]["want"] == "at most 1 MB"
    assert client.post("/api/submissions", content=b"").status_code == 422
    assert list((coins.challenge.place / "archives").glob("*")) == []


def test_tries_end_and_the_refusal_says_when_there_are_more(
    coins: Contest, client: httpx.Client
) -> None:
    for number in range(3):
        assert hand_in(client, coins.zipped(f"{HEADS} {number})\n;;")).status_code == 202
    reply = hand_in(client, coins.zipped(HEADS))
    assert reply.status_code == 409
    assert reply.json()["error"]["what"] == "the phase feedback allows 3 tries a day"
    assert "try again from" in reply.json()["error"]["fix"]
    phases = {row["name"]: row for row in client.get("/api/phases").json()["phases"]}
    assert phases["feedback"]["left"] == 0 and not phases["feedback"]["open"]
    assert phases["check"]["left"] == 1 and phases["check"]["open"]


def hidden_words(document: Any) -> list[str]:
    text = str(document)
    return [word for word in ("listening", "hand-", "heads_f1", "0.1") if word in text]


def test_each_phase_shows_a_team_what_its_rules_allow_and_no_more(
    coins: Contest, client: httpx.Client
) -> None:
    script = "hand-1) exit 3;; hand-*) echo heads;;"
    ids = {
        phase: hand_in(client, coins.zipped(f"{script} # {phase}\n"), phase).json()["id"]
        for phase in ("check", "final")
    }
    coins.work()
    check = client.get(f"/api/submissions/{ids['check']}").json()
    assert (check["state"], check["reason"]) == ("failed", "a predict step ended with an error")
    assert hidden_words(check) == []
    final = client.get(f"/api/submissions/{ids['final']}").json()
    assert final["state"] == "finished" and hidden_words(final) == []
    board = client.get("/api/board?phase=final").json()
    assert board["rows"] == [] and [one["team"] for one in board["received"]] == ["larks"]
    assert hidden_words(board["rows"]) == []
    from earmark.study.organise import unblind_phase

    unblind_phase(coins.challenge, None, "Ada")
    shown = client.get(f"/api/submissions/{ids['final']}").json()
    assert shown["scores"]["heads_f1"]["value"] is not None
    assert "listening" not in str(shown)  # the log of private data stays hidden
    board = client.get("/api/board?phase=final").json()
    assert board["unblinded"]["name"] == "Ada"
    assert {row["system"] for row in board["rows"]} == {"larks", "always"}


def test_the_board_is_for_everybody_as_json_and_csv(coins: Contest, client: httpx.Client) -> None:
    hand_in(client, coins.zipped(HEADS))
    coins.work()
    with httpx.Client(base_url=coins.address) as stranger:
        board = stranger.get("/api/board").json()
        rows = list(csv.DictReader(io.StringIO(stranger.get("/api/board.csv").text)))
        assert stranger.get("/api/board?phase=no").status_code == 404
    assert {row["name"] for row in rows} == {"larks", "always"}
    larks = next(row for row in board["rows"] if row["system"] == "larks")
    assert {"digest", "signature", "isolation", "cost", "rank", "low", "high"} <= set(larks)
    assert coins.tokens["larks"] not in str(board)


def test_a_withdrawn_submission_leaves_the_board(coins: Contest, client: httpx.Client) -> None:
    identity = hand_in(client, coins.zipped(HEADS)).json()["id"]
    coins.work()
    assert len(client.get("/api/board").json()["rows"]) == 2
    assert client.delete(f"/api/submissions/{identity}").json()["withdrawn"] is not None
    for _ in range(2):  # at once, and after the board was made anew
        board = client.get("/api/board").json()
        assert [row["kind"] for row in board["rows"]] == ["baseline"] and not board["received"]
        coins.work()


def test_a_cookie_needs_the_word_of_the_page(coins: Contest) -> None:
    with httpx.Client(base_url=coins.address) as browser:
        reply = browser.post("/api/teams/session", json={"token": coins.tokens["larks"]})
        assert reply.status_code == 201
        cookie = reply.headers["set-cookie"].lower()
        assert "httponly" in cookie and "samesite=strict" in cookie
        path = coins.zipped(HEADS)
        assert hand_in(browser, path).status_code == 403
        browser.headers["X-CSRF-Token"] = reply.json()["csrf"]
        assert hand_in(browser, path).status_code == 202
        wrong = browser.post("/api/teams/session", json={"token": "team-none"})
        assert wrong.status_code == 401


def test_a_challenge_that_asks_nobody_shows_its_board_first(coins: Contest) -> None:
    assert httpx.get(coins.address, follow_redirects=True).url.path == "/board"


def test_a_challenge_whose_questions_were_planned_asks_people_too(tmp_path: Path) -> None:
    from tests.web.places import serving

    from earmark.study import Study

    study = Study.create(tmp_path / "both", task="coins")
    study.make(tosses=4)
    study.ask()
    toml = study.folder / "study.toml"
    toml.write_text(toml.read_text() + "\n[phases.feedback]\n")
    with serving(Study.open(study.folder)) as place:
        assert httpx.get(place.address).status_code == 200
        assert httpx.get(f"{place.address}/board").status_code == 200


def test_a_study_that_is_no_challenge_has_no_board(tmp_path: Path) -> None:
    from tests.web.places import serving

    from earmark.study import Study

    study = Study.create(tmp_path / "plain", task="coins")
    study.make(tosses=4)
    with serving(Study.open(study.folder)) as place:
        assert httpx.get(f"{place.address}/api/board").status_code == 404
        assert httpx.get(f"{place.address}/team").status_code == 404
