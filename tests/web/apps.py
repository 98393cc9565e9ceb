"""An application in this process, called without a network."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from earmark.ask.live import organisers
from earmark.study import Study
from earmark.web.app import build_app
from earmark.web.live import Live
from earmark.web.serving import Serving, open_live

PASSWORD = "a long password"


@contextmanager
def application(study: Path, known: Path | None = None, **options: Any) -> Iterator[TestClient]:
    """Serve a study within this block; `client.app.state.live` is what is served."""
    terms = {"requests_per_minute": 1e6, "joins_per_minute": 1e6, **options}
    live = open_live(Study.open(study), Serving(known=known), terms)
    with live.engine.begin() as connection:
        organisers.set_password(connection, PASSWORD)
    try:
        with TestClient(build_app(live), base_url="http://testserver") as client:
            yield client
    finally:
        live.close()


def live_behind(client: TestClient) -> Live:
    live: Live = client.app.state.live  # type: ignore[attr-defined]
    return live


def joined(client: TestClient, **form: Any) -> dict[str, str]:
    """Join; return the header that names the person. No cookie stays."""
    reply = client.post("/api/people", json={"consent": True, **form})
    assert reply.status_code == 201, reply.text
    client.cookies.clear()
    return {"Authorization": f"Bearer {reply.json()['token']}"}


def signed_in(client: TestClient) -> dict[str, str]:
    """Sign in as the organiser; return the header that goes with the cookie."""
    reply = client.post("/api/organiser/session", json={"password": PASSWORD})
    assert reply.status_code == 201, reply.text
    return {"X-CSRF-Token": reply.json()["csrf"]}
