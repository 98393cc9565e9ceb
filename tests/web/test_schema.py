"""Whatever is sent, the server answers, and never with an error of its own.

schemathesis draws requests from the schema, wrong ones too. It is used as a library: its plugin
for pytest would change other tests.
"""

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from tests.web.apps import application, joined, signed_in
from tests.web.serving import events_study

schemathesis = pytest.importorskip("schemathesis")

# Enrolling a keyword takes the time of a network; it is tested by itself.
LEFT_OUT = ("/api/wake", "/api/wake/{name}")
EXAMPLES = 12  # requests for each operation and kind
DRAWN = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return events_study(tmp_path_factory.mktemp("schema") / "street", seconds=12.0).folder


def send_all(client: TestClient, cases: SearchStrategy[Any], headers: dict[str, str]) -> int:
    """Send requests that are drawn; return how many. An operation may have no wrong ones."""
    sent = []

    @DRAWN
    @given(case=cases)
    def send(case: Any) -> None:
        request = case.as_transport_kwargs(headers=headers, base_url="http://testserver")
        request.pop("cookies", None)
        reply = client.request(**request)
        assert reply.status_code < 500, (case.method, case.path, reply.text)
        sent.append(reply.status_code)

    try:
        send()
    except Unsatisfiable:
        return 0
    return len(sent)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_no_request_makes_the_server_fail(street: Path, mode: str) -> None:
    with application(street, people=1000) as client:
        schema = schemathesis.openapi.from_asgi("/api/schema", client.app)
        csrf = signed_in(client)
        session = client.cookies["organiser"]
        sent = 0
        for found in schema.get_all_operations():
            operation = found.ok()
            if operation.path in LEFT_OUT:
                continue
            headers = {**joined(client), **csrf, "Cookie": f"organiser={session}"}
            kind = schemathesis.GenerationMode(mode)
            sent += send_all(client, operation.as_strategy(generation_mode=kind), headers)
    assert sent > 50
