"""What holds for every request and reply: size, origin, and the headers that protect people.

Plain ASGI, because it runs for every request.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.responses import JSONResponse

from earmark.values.errors import InputError
from earmark.web.errors import error_document

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self' blob:; connect-src 'self'; worker-src 'self' blob:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "microphone=(self), camera=(), geolocation=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ENCODED = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
SAFE = ("GET", "HEAD", "OPTIONS")

BODY_BYTES = 1 << 20  # of a form: a long transcript's answer has a few ten thousand
# Paths whose routes take files, and how many bytes: a recording of 15 s at 48 kHz, 16 bit, stereo
# has 2.9 MB.
# A challenge says itself how large a submission may be; that limit is held while it is streamed.
UPLOADS: dict[str, int] = {
    "/api/recordings": 4 << 20,
    "/api/wake": 16 << 20,
    "/api/submissions": 8 << 30,
}


class Guarded:
    """An application behind the checks that need no route."""

    def __init__(self, app: AsgiApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is too large or comes from elsewhere; add the headers to every reply."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message.get("headers", ())}
                own = [pair for pair in ENCODED if pair[0] not in present]
                if b"cache-control" not in present:
                    own.append((b"cache-control", b"no-store"))
                message["headers"] = [*message.get("headers", ()), *own]
            await send(message)

        headers = dict(scope["headers"])
        if scope["method"] not in SAFE and not _is_same_origin(headers):
            error = InputError("a request must come from this server's own pages")
            await JSONResponse(error_document(error), 403)(scope, receive, protected)
            return
        limit = _limit(scope["path"])
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > limit:
            await _too_large(limit)(scope, receive, protected)
            return
        await self.app(scope, _counted(receive, limit), protected)


def _limit(path: str) -> int:
    longest = [size for prefix, size in UPLOADS.items() if path.startswith(prefix)]
    return max(longest, default=BODY_BYTES)


def _too_large(limit: int) -> JSONResponse:
    error = InputError("a request is too large", want=f"at most {limit} bytes")
    return JSONResponse(error_document(error), 413)


def _counted(receive: Receive, limit: int) -> Receive:
    """Return a receive that stops a body that says nothing of its length, or less than it has."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > limit:
            from starlette.exceptions import HTTPException

            raise HTTPException(413, f"a request is too large: at most {limit} bytes")
        return message

    return counted


def _is_same_origin(headers: dict[bytes, bytes]) -> bool:
    """Return whether a browser says that a request comes from a page of this server.

    Programs that are no browser send neither header; they have no cookies that others could use.
    """
    if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
        return False
    origin = headers.get(b"origin")
    if origin is None:
        return True
    return urlsplit(origin.decode("latin-1")).netloc.encode("latin-1") == headers.get(b"host")
