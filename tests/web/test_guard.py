"""What is refused, and how: tokens, cookies of others, sizes, paths, guesses."""

import io
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.web.apps import PASSWORD, application, joined, live_behind, signed_in
from tests.web.serving import events_study

from earmark.values.errors import InputError
from earmark.web import limits
from earmark.web.errors import Refusal
from earmark.web.headers import BODY_BYTES, UPLOADS
from earmark.web.limits import RateLimit
from earmark.web.server import is_loopback, listen, refuse_open_door
from earmark.web.tokens import PERSON, Tokens


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return events_study(tmp_path_factory.mktemp("guarded") / "street", seconds=12.0).folder


@pytest.fixture(scope="module")
def opened(made: Path):
    with application(made, people=1000) as client:
        yield client


@pytest.fixture
def client(opened: TestClient) -> TestClient:
    """A browser that has never been here."""
    opened.cookies.clear()
    live_behind(opened).signing_in = RateLimit(5)
    return opened


def answer(of: str, **more: Any) -> dict[str, Any]:
    form = {"unit": of, "value": {"labels": ["none"]}, "seconds": 1, "key": "a-key-of-mine"}
    return {**form, **more}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_without_a_token_nobody_is_asked(client: TestClient) -> None:
    reply = client.get("/api/next")
    assert reply.status_code == 401
    assert reply.headers["www-authenticate"] == "Bearer"
    assert reply.json()["error"]["fix"] == "join first: POST /api/people"


@pytest.mark.parametrize("change", ["", "x", "signature", "other key", "other kind"])
def test_a_forged_token_is_refused(client: TestClient, change: str) -> None:
    token = joined(client)["Authorization"].removeprefix("Bearer ")
    tokens = live_behind(client).tokens
    forged = {
        "": "nonsense",
        "x": token + "x",
        "signature": token[:-4] + ("aaaa" if token[-4:] != "aaaa" else "bbbb"),
        "other key": Tokens("another key").issue(PERSON, "p-someone"),
        "other kind": tokens.issue("team", tokens.subject(PERSON, token)),
    }[change]
    assert client.get("/api/next", headers=bearer(forged)).status_code == 401


def test_an_expired_token_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = joined(client)
    assert client.get("/api/next", headers=headers).status_code == 200
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31 * 24 * 3600)
    reply = client.get("/api/next", headers=headers)
    assert reply.status_code == 401
    assert reply.json()["error"]["what"] == "this token has expired"


def test_a_token_names_somebody_and_says_nothing_that_others_could_change(
    client: TestClient,
) -> None:
    token = joined(client)["Authorization"].removeprefix("Bearer ")
    body, rest = token.split(".", 1)
    other = joined(client)["Authorization"].removeprefix("Bearer ").split(".", 1)[0]
    assert other != body
    assert client.get("/api/next", headers=bearer(f"{other}.{rest}")).status_code == 401


def test_a_cookie_alone_changes_nothing(client: TestClient) -> None:
    """Another site can make a browser send the cookie, but does not know the page's word."""
    reply = client.post("/api/people", json={"consent": True})
    csrf = reply.json()["csrf"]
    unit = client.get("/api/next").json()["unit"]  # reading is harmless
    assert client.post("/api/answers", json=answer(unit)).status_code == 403
    wrong = {"X-CSRF-Token": "0" * 64}
    assert client.post("/api/answers", json=answer(unit), headers=wrong).status_code == 403
    right = {"X-CSRF-Token": csrf}
    assert client.post("/api/answers", json=answer(unit), headers=right).status_code == 201
    assert client.delete("/api/people/me").status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_requests_of_other_sites_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/people", json={"consent": True}, headers=headers).status_code == 403
    assert client.get("/api/question", headers=headers).status_code == 200


def test_requests_of_our_own_pages_are_taken(client: TestClient) -> None:
    own = {"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/people", json={"consent": True}, headers=own).status_code == 201


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(client: TestClient) -> None:
    reply = client.post("/api/people", json={"consent": True})
    assert "HttpOnly" in reply.headers["set-cookie"]
    assert "SameSite=lax" in reply.headers["set-cookie"]
    reply = client.post("/api/organiser/session", json={"password": PASSWORD})
    assert "SameSite=strict" in reply.headers["set-cookie"]


@pytest.mark.parametrize("path", ["/", "/api/next", "/nowhere", "/static/app.js", "/organiser"])
def test_every_reply_carries_the_policy(client: TestClient, path: str) -> None:
    reply = client.get(path, follow_redirects=False)
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "no-referrer"


def test_nobody_joins_without_consent(client: TestClient) -> None:
    assert client.post("/api/people", json={"consent": False}).status_code == 422
    assert client.post("/api/people", json={}).status_code == 422
    other = {"consent": True, "consent_version": "another"}
    assert client.post("/api/people", json=other).status_code == 409


def test_a_body_that_is_too_large_is_not_read(client: TestClient) -> None:
    headers = joined(client)
    large = b'{"consent": true, "x": "' + b"x" * BODY_BYTES + b'"}'
    as_json = {"Content-Type": "application/json"}
    assert client.post("/api/people", content=large, headers=as_json).status_code == 413
    sound = {"file": ("a.wav", b"0" * (UPLOADS["/api/recordings"] + 1))}
    reply = client.post("/api/recordings", headers=headers, files=sound)
    assert reply.status_code == 413


def test_a_body_that_hides_its_size_is_stopped(client: TestClient) -> None:
    def pieces():
        for _ in range(BODY_BYTES // 65536 + 2):
            yield b"x" * 65536

    headers = {**joined(client), "Content-Type": "application/json"}
    assert client.post("/api/answers", content=pieces(), headers=headers).status_code == 413


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"x"', b'{"unit": 3}', b"\xff\xfe", b'{"unit": NaN}', b"1" * 5000],
)
def test_a_malformed_body_is_the_client_s_mistake(client: TestClient, body: bytes) -> None:
    headers = {**joined(client), "Content-Type": "application/json"}
    reply = client.post("/api/answers", content=body, headers=headers)
    assert reply.status_code in (400, 422)
    assert "what" in reply.json()["error"]


@pytest.mark.parametrize(
    "value",
    [{}, {"labels": 3}, {"labels": [["x"]]}, {"labels": ["a lion"]}, {"labels": {"a": 1}},
     {"labels": ["none", "siren"]}, {"labels": [None]}, {"labels": []}],
)  # fmt: skip
def test_a_form_that_the_task_cannot_read_is_422(client: TestClient, value: Any) -> None:
    headers = joined(client)
    unit = client.get("/api/next", headers=headers).json()["unit"]
    reply = client.post("/api/answers", headers=headers, json=answer(unit, value=value))
    assert reply.status_code == 422
    assert set(reply.json()["error"]) <= {"what", "got", "want", "fix"}


@pytest.mark.parametrize(
    "change",
    [{"seconds": -1}, {"seconds": "nan"}, {"key": "short"}, {"key": "x" * 101}, {"unit": "no unit"},
     {"more": 1}, {"value": []}, {"unit": ""}],
)  # fmt: skip
def test_fields_that_cannot_be_are_422(client: TestClient, change: dict[str, Any]) -> None:
    headers = joined(client)
    unit = client.get("/api/next", headers=headers).json()["unit"]
    reply = client.post("/api/answers", headers=headers, json=answer(unit, **change))
    assert reply.status_code == 422


@pytest.mark.parametrize(
    "path",
    ["/api/media/..%2F..%2Fstudy.toml", "/api/media//etc/passwd", "/api/media/%2e%2e/study.toml",
     "/static/..%2F__init__.py", "/static/%2e%2e/app.py", "/task/..%2F__init__.py",
     "/api/examples/..%2Fx/0", "/static/....//app.py", "/task//etc/passwd"],
)  # fmt: skip
def test_no_path_of_a_client_is_ever_opened(client: TestClient, path: str) -> None:
    reply = client.get(path, headers=joined(client))
    assert reply.status_code == 404
    assert b"import" not in reply.content and b"root:" not in reply.content


def test_a_sound_is_for_those_who_were_given_it(client: TestClient) -> None:
    import soundfile

    ann, bob = joined(client), joined(client)
    handed = client.get("/api/next", headers=ann).json()
    clip = handed["show"]["clip"]
    reply = client.get(clip, headers=ann)
    assert reply.status_code == 200
    samples, rate = soundfile.read(io.BytesIO(reply.content))
    assert len(samples) / rate == pytest.approx(handed["show"]["end"] - handed["show"]["start"])
    if client.get("/api/next", headers=bob).json()["unit"] != handed["unit"]:
        assert client.get(clip, headers=bob).status_code == 404
    assert client.get(clip).status_code == 401
    assert str(live_behind(client).folder) not in str(handed)


def test_parts_of_a_sound_can_be_asked_for(client: TestClient) -> None:
    headers = joined(client)
    clip = client.get("/api/next", headers=headers).json()["show"]["clip"]
    whole = client.get(clip, headers=headers).content

    def part(wanted: str):
        return client.get(clip, headers={**headers, "Range": wanted})

    assert part("bytes=0-3").content == whole[:4] == b"RIFF"
    assert part("bytes=4-").content == whole[4:]
    assert part("bytes=-5").content == whole[-5:]
    assert part("bytes=0-3").headers["content-range"] == f"bytes 0-3/{len(whole)}"
    assert part(f"bytes={len(whole)}-").status_code == 416
    assert part("bytes=x-y").status_code == 200


def test_the_organiser_s_things_need_the_organiser(client: TestClient) -> None:
    person = joined(client)
    for path in ("/api/progress", "/api/organiser/people", "/api/organiser/pay.csv"):
        assert client.get(path).status_code == 401
        assert client.get(path, headers=person).status_code == 401
    assert client.post("/api/organiser/pause", json={"paused": True}).status_code == 401
    reply = client.get("/organiser", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/organiser/sign-in")


def test_signing_in_takes_the_password_and_signing_out_ends_the_session(
    client: TestClient,
) -> None:
    wrong = client.post("/api/organiser/session", json={"password": "guess"})
    assert wrong.status_code == 401
    headers = signed_in(client)
    cookie = client.cookies["organiser"]
    assert client.get("/api/progress").status_code == 200
    assert client.post("/api/organiser/pause", json={"paused": True}).status_code == 403
    assert client.delete("/api/organiser/session", headers=headers).status_code == 200
    client.cookies.set("organiser", cookie)
    assert client.get("/api/progress").status_code == 401


def test_a_password_cannot_be_guessed_at_speed(client: TestClient) -> None:
    codes = [
        client.post("/api/organiser/session", json={"password": str(n)}).status_code
        for n in range(7)
    ]
    assert codes[-1] == 429


def test_too_many_requests_of_one_person_are_refused_and_others_go_on(made: Path) -> None:
    with application(made, requests_per_minute=10) as client:
        ann, bob = joined(client), joined(client)
        codes = [client.get("/api/next", headers=ann).status_code for _ in range(12)]
        assert codes[:10] == [200] * 10
        assert codes[-1] == 429
        refused = client.get("/api/next", headers=ann)
        assert int(refused.headers["retry-after"]) >= 1
        assert client.get("/api/next", headers=bob).status_code == 200


def test_a_limit_refills_and_forgets_whom_it_has_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = RateLimit(60, burst=1)
    limit.spend("ann", now=0.0)
    with pytest.raises(Refusal):
        limit.spend("ann", now=0.5)
    limit.spend("ann", now=1.6)
    monkeypatch.setattr(limits, "MOST_BUCKETS", 2)
    for name in ("bob", "cat", "dan"):
        limit.spend(name, now=2.0)
    limit.spend("ann", now=2.0)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "example.org"])
def test_a_public_address_without_a_password_is_refused(host: str) -> None:
    with pytest.raises(InputError, match="a public address needs the organiser's password"):
        refuse_open_door(host, None)
    refuse_open_door(host, "secret")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.8.8"])
def test_this_machine_s_own_address_needs_none(host: str) -> None:
    assert is_loopback(host)
    refuse_open_door(host, None)


def test_an_address_that_is_taken_is_said_so() -> None:
    with listen("127.0.0.1", 0) as taken:
        with pytest.raises(InputError, match="the server cannot listen there"):
            listen("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize(
    "params",
    [
        {"PROLIFIC_PID": "5f1a", "STUDY_ID": "s", "SESSION_ID": "x"},
        {"workerId": "A1B2", "assignmentId": "3X", "hitId": "4Y", "turkSubmitTo": "https://x.org"},
    ],
)
def test_a_market_s_parameters_are_exchanged_for_a_signed_cookie(
    client: TestClient, params: dict[str, str]
) -> None:
    reply = client.get("/", params=params, follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    first = client.post("/api/people", json={"consent": True}).json()["person"]
    client.cookies.clear()
    again = client.post("/api/people", json={"consent": True, "params": params}).json()["person"]
    assert again == first
    client.cookies.set("arrival", "forged.token.here")
    assert client.post("/api/people", json={"consent": True}).status_code == 401


def test_a_pay_list_holds_no_formulas(client: TestClient) -> None:
    joined(client, params={"workerId": '=HYPERLINK("http://evil.example")'})
    signed_in(client)
    table = client.get("/api/organiser/pay.csv").text
    assert "'=HYPERLINK" in table


def test_withdrawing_by_code_needs_the_whole_code(client: TestClient) -> None:
    code = client.post("/api/people", json={"consent": True}).json()["withdrawal"]
    client.cookies.clear()
    for wrong in (code[:-1] + ("0" if code[-1] != "0" else "1"), code.rpartition("-")[0], "x"):
        assert client.post("/api/withdrawals", json={"code": wrong}).status_code == 404
    assert client.post("/api/withdrawals", json={"code": code}).status_code == 200
    assert client.post("/api/withdrawals", json={"code": code}).status_code == 404


def test_names_and_labels_cannot_become_html(tmp_path: Path, made: Path) -> None:
    import shutil

    hostile = '</script><img src=x onerror=alert(1)>"'
    street = Path(shutil.copytree(made, tmp_path / "street"))
    (street / "texts.toml").write_text(f"title = '''{hostile}'''\nprompt = '''{hostile}'''\n")
    with application(street) as client:
        text = client.get("/").text
    assert "onerror" in text
    assert "<img" not in text


def test_a_text_that_no_page_uses_is_refused(tmp_path: Path, made: Path) -> None:
    import shutil

    street = Path(shutil.copytree(made, tmp_path / "street"))
    (street / "texts.toml").write_text('[start]\ntitel = "Willkommen"\n')
    with pytest.raises(InputError, match=r"there is no text 'start\.titel'"):
        with application(street):
            pass
