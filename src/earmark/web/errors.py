"""What a client is told when something is refused: one shape, no paths of this machine."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from earmark.values.errors import InputError, shorten

# `at` is left out: it names files of the server.
PARTS = ("got", "want", "fix")


class Refusal(Exception):
    """A request that is refused, with the status that says how."""

    def __init__(self, status: int, error: InputError, **headers: str) -> None:
        super().__init__(str(error))
        self.status = status
        self.error = error
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def error_document(error: InputError) -> dict[str, Any]:
    """Return an error as JSON: `{"error": {"what", "got", "want", "fix"}}`.

    Examples
    --------
    >>> error_document(InputError("times must increase", at="/a.tsv:3", got="4.2"))
    {'error': {'what': 'times must increase', 'got': '4.2'}}
    """
    first, *lines = str(error).split("\n")
    document = {"what": first}
    part = ""
    for line in lines:
        name = line[2:7].strip().rstrip(":") if line.startswith("  ") else ""
        if name in (*PARTS, "at") and line[2:].lstrip().startswith(f"{name}:"):
            part = name
            if part in PARTS:
                document[part] = line[8:]
        elif part in PARTS:
            document[part] += "\n" + line
    return {"error": document}


def refused(status: int, what: str, **parts: str) -> Refusal:
    """Return a refusal: `raise refused(404, "there is no such unit")`."""
    return Refusal(status, InputError(what, **parts))


def refusal_response(error: Refusal | InputError) -> Response:
    """Return the reply to a request that is refused, or whose input is wrong."""
    if isinstance(error, Refusal):
        return JSONResponse(error_document(error.error), error.status, headers=error.headers)
    return JSONResponse(error_document(error), 422)


def explain_errors(app: FastAPI) -> None:
    """Give every error of an application the same shape."""

    @app.exception_handler(Refusal)
    async def refuse(request: Request, error: Refusal) -> Response:
        return refusal_response(error)

    @app.exception_handler(InputError)
    async def wrong_input(request: Request, error: InputError) -> Response:
        return refusal_response(error)

    @app.exception_handler(RequestValidationError)
    async def wrong_form(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first.get("loc", ()) if part != "body")
        wrong = InputError(
            "a request must have the fields that it promises",
            got=shorten(f"{where}: {first.get('msg', '')}"),
            want="what /api/schema says",
        )
        return JSONResponse(error_document(wrong), 422)

    @app.exception_handler(HTTPException)
    async def not_here(request: Request, error: HTTPException) -> Response:
        what = {404: "there is nothing at this address", 405: "this address has no such method"}
        wrong = InputError(what.get(error.status_code, str(error.detail)))
        return JSONResponse(error_document(wrong), error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def our_bug(request: Request, error: Exception) -> Response:
        # outside of all middleware: the headers of `headers.py` are not added
        wrong = InputError("this is a bug of Earmark's", fix="tell the organiser when it happened")
        headers = {"content-security-policy": "default-src 'none'", "cache-control": "no-store"}
        return JSONResponse(error_document(wrong), 500, headers=headers)
