"""The organiser: signing in, and what is theirs alone."""

from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from earmark.ask.live import organisers
from earmark.web.errors import Refusal, refused
from earmark.web.guard import ORGANISER, ORGANISER_COOKIE, Organiser, organiser_asks
from earmark.web.live import live_of
from earmark.web.pages import page
from earmark.web.routes.people import address

router = APIRouter()


class SignIn(BaseModel):
    """The organiser's password."""

    model_config = ConfigDict(extra="forbid")
    password: Annotated[str, Field(min_length=1, max_length=1000)]


@router.post("/api/organiser/session", status_code=201)
async def sign_in(form: SignIn, request: Request) -> JSONResponse:
    """Sign in: a session that lasts half a day."""
    live = live_of(request)
    live.signing_in.spend(address(request))
    if not await live.read(organisers.is_password, form.password):
        raise refused(401, "this is not the organiser's password")
    cookie = await live.write(organisers.start_session, now=live.now())
    response = JSONResponse({"csrf": live.tokens.csrf(ORGANISER, cookie)}, 201)
    response.set_cookie(
        ORGANISER_COOKIE,
        cookie,
        max_age=int(organisers.SESSION_SECONDS),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.delete("/api/organiser/session")
async def sign_out(session: Organiser, request: Request) -> JSONResponse:
    """Sign out: the session ends on the server too."""
    await live_of(request).write(organisers.end_session, session)
    response = JSONResponse({"signed_out": True})
    response.delete_cookie(ORGANISER_COOKIE)
    return response


@router.get("/organiser/sign-in", include_in_schema=False)
async def sign_in_page(request: Request) -> Response:
    """Show the page on which the organiser signs in."""
    return page(request, "organiser_sign_in.html")


@router.get("/organiser", include_in_schema=False)
async def organiser_page(request: Request) -> Response:
    """Show the organiser's page, or the way to it."""
    try:
        await organiser_asks(request)
    except Refusal:
        return RedirectResponse("/organiser/sign-in", 303)
    return page(request, "organiser.html")


@router.get("/api/progress")
async def progress(session: Organiser, request: Request) -> dict[str, Any]:
    """Return how far asking is."""
    return {}
