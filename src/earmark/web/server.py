"""Starting the server: one process, or several on PostgreSQL, by uvicorn."""

import contextlib
import ipaddress
import socket
from collections.abc import Callable

from fastapi import FastAPI

from earmark.values.errors import InputError

# What uvicorn waits for when it stops: requests that are being answered.
LAST_SECONDS = 10
# How long an idle connection stays open: people listen before they send the next request.
IDLE_SECONDS = 120


def is_loopback(host: str) -> bool:
    """Return whether an address is that of this machine alone.

    Examples
    --------
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def refuse_open_door(host: str, password: str | None) -> None:
    """Raise InputError if a public address would be served without the organiser's password."""
    if not is_loopback(host) and not password:
        raise InputError(
            "a public address needs the organiser's password",
            got=f"--host {host} and no password",
            fix="put one into a file and name it with --password-file, or into EARMARK_PASSWORD",
        )


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise InputError(
            "the server cannot listen there",
            got=f"{host}:{port}: {error.strerror}",
            fix="choose another --port, or 0 for any that is free",
        ) from error
    sock.listen(1024)
    sock.set_inheritable(True)
    return sock


def run_server(app: FastAPI, sock: socket.socket, *, started: Callable[[], None]) -> None:
    """Serve until the process is asked to stop; `started` is called when requests are answered."""
    import uvicorn

    class _Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            started()

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        server_header=False,
        # whether a proxy is trusted is the organiser's business: FORWARDED_ALLOW_IPS
        proxy_headers=True,
        timeout_graceful_shutdown=LAST_SECONDS,
        timeout_keep_alive=IDLE_SECONDS,
    )
    with contextlib.suppress(KeyboardInterrupt):  # raised again after an orderly end
        _Server(config).run(sockets=[sock])
