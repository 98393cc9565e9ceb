"""Who asks: a person by a signed token, an organiser by a session; and no cookie used by others."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.security.utils import get_authorization_scheme_param

from earmark.ask.live import organisers
from earmark.values.errors import InputError
from earmark.web.errors import Refusal, refused
from earmark.web.headers import SAFE
from earmark.web.live import live_of
from earmark.web.tokens import PERSON

PERSON_COOKIE, ORGANISER_COOKIE, ARRIVAL_COOKIE = "person", "organiser", "arrival"
ORGANISER = "organiser"
CSRF_HEADER = "x-csrf-token"


def bearer(request: Request) -> str:
    """Return the token of the header Authorization, or nothing."""
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    return token if scheme.lower() == "bearer" else ""


def check_csrf(request: Request, kind: str, subject: str) -> None:
    """Raise Refusal (403) if an unsafe request lacks the word that only our pages know."""
    if request.method in SAFE:
        return
    word = request.headers.get(CSRF_HEADER, "")
    if not live_of(request).tokens.is_csrf(kind, subject, word):
        raise refused(
            403,
            "a request with a cookie must carry the word of the page it comes from",
            want=f"the header {CSRF_HEADER}",
            fix="reload the page",
        )


async def who_asks(request: Request) -> str:
    """Return the person whose token a request carries; count the request against their limit."""
    live = live_of(request)
    header = bearer(request)
    token = header or request.cookies.get(PERSON_COOKIE, "")
    if not token:
        missing = InputError("this needs a person's token", fix="join first: POST /api/people")
        raise Refusal(401, missing, WWW_Authenticate="Bearer")
    person = str(live.tokens.subject(PERSON, token))
    live.limit.spend(person)
    if not header:
        check_csrf(request, PERSON, person)
    return person


def person_or_none(request: Request) -> str | None:
    """Return the person whose cookie a page's request carries, or None; nothing is refused."""
    token = request.cookies.get(PERSON_COOKIE, "")
    try:
        return str(live_of(request).tokens.subject(PERSON, token)) if token else None
    except Refusal:
        return None


async def organiser_asks(request: Request) -> str:
    """Return the session of the organiser; raise Refusal (401) if nobody has signed in."""
    live = live_of(request)
    cookie = request.cookies.get(ORGANISER_COOKIE, "")
    if not cookie or not await live.read(organisers.is_session, cookie, now=live.now()):
        raise refused(401, "this is for the organiser", fix="sign in: /organiser/sign-in")
    check_csrf(request, ORGANISER, cookie)
    return cookie


Person = Annotated[str, Depends(who_asks)]
Organiser = Annotated[str, Depends(organiser_asks)]
