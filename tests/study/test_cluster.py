"""Workers of a dask.distributed cluster run submissions, each in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="needs earmark[web]")
pytest.importorskip("distributed", reason="needs earmark[cluster]")

from tests.study.drains import coins_challenge

from earmark.run.queue_reads import state_counts
from earmark.study.challenge import Challenge
from earmark.study.workers import work_on_cluster
from earmark.values.errors import InputError

pytestmark = [pytest.mark.usefixtures("sixth"), pytest.mark.sandbox]
START_SECONDS = 60


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """A scheduler and two workers, processes of their own as on other machines."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    dask = [sys.executable, "-m", "distributed.cli"]
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    worker = ["dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    commands = [scheduler, worker, worker]
    processes = [
        subprocess.Popen([*dask[:2], f"{dask[2]}.{name}", *words], env=dict(os.environ), **quiet)  # type: ignore[call-overload]
        for name, *words in commands
    ]
    try:
        yield address
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def test_a_cluster_drains_the_queue_in_sandboxes_on_its_workers(
    cluster: str, tmp_path: Path
) -> None:
    from distributed import Client

    with Client(cluster, timeout=START_SECONDS) as client:
        client.wait_for_workers(2, timeout=START_SECONDS)
    challenge = coins_challenge(tmp_path / "coins", None, 6, real=True)
    lines: list[str] = []
    document = work_on_cluster(challenge, cluster, until_empty=True, note=lines.append)
    assert document["worked"] == 6 and document["states"] == {"scored": 6}
    assert state_counts(challenge.engine) == {"scored": 6}
    assert any("6 scored" in line or "done" in line for line in lines)
    challenge.close()


def test_an_address_without_a_cluster_is_refused(tmp_path: Path) -> None:
    challenge = coins_challenge(tmp_path / "coins", None, 0)
    with pytest.raises(InputError, match="there is no cluster at this address"):
        work_on_cluster(challenge, "tcp://127.0.0.1:9", until_empty=True, note=print)
    challenge.close()


def test_a_file_is_no_database_for_several_machines() -> None:
    from types import SimpleNamespace

    from earmark.study.workers import require_shared_database

    client = SimpleNamespace(
        scheduler_info=lambda n_workers: {"workers": {"tcp://a": {"host": "192.0.2.7"}}}
    )
    file = Challenge.__new__(Challenge)
    file.url = "sqlite:///x"
    with pytest.raises(InputError, match="a database that they can share"):
        require_shared_database(file, client)
    file.url = "postgresql://host/name"
    require_shared_database(file, client)
