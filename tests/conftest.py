"""What every test may use: the reference data beside the repository, a sixth task, no network."""

import os
import shutil
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# A busy machine is no failure: no test is timed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
# Sums in several threads differ in the last digit from run to run. Libraries read these variables
# when they are loaded, which is after this line; subprocesses inherit them.
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"

HERE = Path(__file__).parent
LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference data beside the repository."""
    folder = HERE.parents[1] / "shared"
    if not (folder / "data").is_dir():
        pytest.skip("needs the reference data in a folder 'shared' beside the repository")
    return folder


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing leaves the machine while tests run."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise RuntimeError(f"a test tried to reach {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def sixth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A tiny made-up task in a folder of its own, found by looking there."""
    from earmark import tasks

    root = tmp_path / "sixth"
    shutil.copytree(HERE / "sixth", root, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv("EARMARK_TASKS", str(root))
    tasks.load.cache_clear()
    yield root
    if str(root) in tasks.__path__:
        tasks.__path__.remove(str(root))
    tasks.load.cache_clear()
    for name in [name for name in sys.modules if name.startswith("earmark.tasks.coins")]:
        del sys.modules[name]


@pytest.fixture
def earmark(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command line in this process: exit code, stdout, stderr."""
    from earmark.cli.main import main

    def call(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(word) for word in words])
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return call


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server that runs for these tests alone."""
    from tests import postgres

    if reason := postgres.missing():
        pytest.skip(reason)
    with postgres.server() as url:
        yield url


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    import uuid

    from sqlalchemy import create_engine, text

    name = f"test_{uuid.uuid4().hex}"
    admin = create_engine(
        postgres_server.replace("postgresql:", "postgresql+psycopg:"), isolation_level="AUTOCOMMIT"
    )
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield postgres_server.rpartition("/")[0] + "/" + name
    with admin.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


SKIPS: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count skipped tests by reason."""
    if report.skipped and isinstance(report.longrepr, tuple):
        SKIPS[report.longrepr[2].removeprefix("Skipped: ")] += 1


def pytest_unconfigure(config: pytest.Config) -> None:
    """Print, as the last line, how many tests were skipped and why."""
    if hasattr(config, "workerinput") or not config.pluginmanager.hasplugin("terminalreporter"):
        return
    reasons = "; ".join(f"{count}: {reason}" for reason, count in SKIPS.most_common())
    line = f"tests not run: {SKIPS.total()}" + (f" ({reasons})" if reasons else "")
    sys.stdout.write(line + "\n")
