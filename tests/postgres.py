"""A real PostgreSQL server for tests: a new cluster in its own folder, on a loopback port."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# where Debian has it, which is not on everybody's path
RUNUSER = shutil.which("runuser", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
PLACES = ("/usr/lib/postgresql/*/bin", "/usr/local/bin", "/usr/bin")
START_SECONDS = 60


def missing() -> str:
    """Return why no server can be started here, or an empty text."""
    if _programs() is None:
        return "needs PostgreSQL's initdb and pg_ctl"
    if os.getuid() == 0 and (RUNUSER is None or _user() is None):
        return "needs a user 'postgres' or 'nobody': PostgreSQL does not run as root"
    return ""


def _programs() -> Path | None:
    folders = [folder for place in PLACES for folder in sorted(Path("/").glob(place[1:]))]
    return next((f for f in folders if (f / "initdb").exists() and (f / "pg_ctl").exists()), None)


def _user() -> str | None:
    import pwd

    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def server() -> Iterator[str]:
    """Start a server and yield the address of its database; stop it and remove its files after.

    Its folder is a new one that every user may enter: others are closed to whom it runs as.
    """
    programs, port = _programs(), _free_port()
    assert programs is not None
    place = Path(tempfile.mkdtemp(prefix="postgres-"))
    place.chmod(0o755)
    folder = place / "server"
    folder.mkdir()
    before: list[str] = []
    if os.getuid() == 0:
        user = _user()
        assert user is not None
        shutil.chown(folder, user)
        before = [str(RUNUSER), "-u", user, "--"]
    cluster = folder / "cluster"

    def call(program: str, *words: str) -> None:
        command = [*before, str(programs / program), "-D", str(cluster), *words]
        subprocess.run(
            command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=START_SECONDS
        )

    call("initdb", "-U", "earmark", "-A", "trust", "--no-sync")
    settings = f"-p {port} -h 127.0.0.1 -k {folder}"
    call("pg_ctl", "-w", "-l", str(folder / "log.txt"), "-o", settings, "start")
    try:
        yield f"postgresql://earmark@127.0.0.1:{port}/postgres"
    finally:
        call("pg_ctl", "-w", "-m", "immediate", "stop")
        shutil.rmtree(place, ignore_errors=True)
