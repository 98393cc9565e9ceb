"""The two requests that come most, served past routing and its dependencies.

Only what is entirely usual is served here, by the functions of the routes themselves; whatever is
not goes on to the routes, which know how to refuse it. A thousand times a second, finding a route
and resolving what it depends on takes longer than all that is done for the answer.
"""

import json
from collections import deque
from collections.abc import Awaitable, Callable

from fastapi import Request, Response
from pydantic import ValidationError

from earmark.values.errors import InputError
from earmark.web.errors import Refusal, refusal_response
from earmark.web.guard import who_asks
from earmark.web.headers import AsgiApp, Message, Receive, Scope, Send
from earmark.web.routes.answers import LONGEST_UNIT, FilledForm, give_answer, next_unit

JSON = b"application/json"
Reply = Callable[[], Awaitable[Response]]


class Direct:
    """An application in front of which `GET /api/next` and `POST /api/answers` are served."""

    def __init__(self, app: AsgiApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a usual request; hand on any other as it came."""
        asked = (scope["method"], scope["path"]) if scope["type"] == "http" else ()
        reply: Reply | None = None
        if asked == ("GET", "/api/next"):
            reply = _next(Request(scope, receive))
        elif asked == ("POST", "/api/answers") and _has_usual_body(scope):
            messages = await _whole(receive)
            reply = _answer(Request(scope, receive), messages)
            receive = _again(messages, receive)
        if reply is None:
            await self.app(scope, receive, send)
            return
        try:
            response = await reply()
        except (Refusal, InputError) as error:
            response = refusal_response(error)
        await response(scope, receive, send)


def _next(request: Request) -> Reply | None:
    """Return how to reply to a request for a unit; None if the routes must look at it."""
    besides = request.query_params.get("besides", "") if request.scope["query_string"] else ""
    if len(besides) > LONGEST_UNIT:
        return None

    async def reply() -> Response:
        return await next_unit(await who_asks(request), request, besides)

    return reply


def _answer(request: Request, messages: list[Message]) -> Reply | None:
    """Return how to reply to an answer; None if the routes must look at it."""
    if messages[-1]["type"] != "http.request":
        return None  # the client is gone
    try:
        document = json.loads(b"".join(message.get("body", b"") for message in messages))
        form = FilledForm.model_validate(document)
    except (ValueError, ValidationError, RecursionError):
        return None

    async def reply() -> Response:
        return await give_answer(form, await who_asks(request), request)

    return reply


def _has_usual_body(scope: Scope) -> bool:
    """Return whether a body is JSON, and says how long it is: that length has been checked."""
    headers = dict(scope["headers"])
    return headers.get(b"content-type") == JSON and b"content-length" in headers


async def _whole(receive: Receive) -> list[Message]:
    """Return the messages of a request's body."""
    messages = [await receive()]
    while messages[-1]["type"] == "http.request" and messages[-1].get("more_body", False):
        messages.append(await receive())
    return messages


def _again(messages: list[Message], receive: Receive) -> Receive:
    """Return a receive that begins with messages that were read before."""
    left = deque(messages)

    async def again() -> Message:
        return left.popleft() if left else await receive()

    return again
