"""Joining and leaving: consent, the signed token, withdrawal."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from earmark.ask.live.people import Arrival, join, withdraw
from earmark.web import markets
from earmark.web.errors import refused
from earmark.web.guard import ARRIVAL_COOKIE, PERSON_COOKIE, Person
from earmark.web.live import Live, live_of
from earmark.web.recordings import delete_recordings
from earmark.web.tokens import ARRIVAL, LIFETIMES, PERSON

router = APIRouter()


class Consent(BaseModel):
    """What somebody agrees to when they join."""

    model_config = ConfigDict(extra="forbid")
    consent: bool
    consent_version: Annotated[str, Field(max_length=100)] | None = None
    # the parameters of a market's link, where its cookie did not come through
    params: dict[str, Annotated[str, Field(max_length=500)]] = Field(default={}, max_length=20)


class Withdrawal(BaseModel):
    """The code with which a person can have everything deleted."""

    model_config = ConfigDict(extra="forbid")
    code: Annotated[str, Field(min_length=1, max_length=200)]


@router.post("/api/people", status_code=201)
async def join_study(form: Consent, request: Request) -> JSONResponse:
    """Join: consent first, then a token, as a cookie too."""
    live = live_of(request)
    if not form.consent:
        raise refused(422, "nobody is asked without their consent", want='{"consent": true}')
    if form.consent_version not in (None, live.options.consent):
        raise refused(409, "the text of the consent has changed", fix="reload the page")
    live.joining.spend(address(request))
    arrival = _arrival(live, request) or markets.arrival(form.params) or Arrival()
    row = await live.write(join, arrival, consent=live.options.consent, now=live.now())
    token = live.tokens.issue(PERSON, row.id)
    document = {
        "person": row.id,
        "token": token,
        "csrf": live.tokens.csrf(PERSON, row.id),
        "withdrawal": live.tokens.withdrawal(row.id),
    }
    response = JSONResponse(document, 201)
    set_cookie(response, request, PERSON_COOKIE, token, seconds=LIFETIMES[PERSON])
    response.delete_cookie(ARRIVAL_COOKIE)
    return response


@router.delete("/api/people/me")
async def leave_study(person: Person, request: Request) -> JSONResponse:
    """Withdraw: everything that this person gave is deleted."""
    return await _withdrawn(live_of(request), person)


@router.post("/api/withdrawals")
async def leave_by_code(form: Withdrawal, request: Request) -> JSONResponse:
    """Withdraw with the code that everybody gets when they join; it never expires."""
    live = live_of(request)
    live.joining.spend(address(request))
    person = live.tokens.withdrawn_person(form.code.strip())
    if person is None:
        raise refused(404, "nobody in this study has that code")
    return await _withdrawn(live, person)


async def _withdrawn(live: Live, person: str) -> JSONResponse:
    deleted = await live.write(withdraw, person, now=live.now())
    if deleted is None:
        raise refused(404, "nobody in this study has that code", fix="they have withdrawn already")
    delete_recordings(live, person)
    response = JSONResponse({"person": person, "deleted_answers": deleted})
    response.delete_cookie(PERSON_COOKIE)
    return response


def _arrival(live: Live, request: Request) -> Arrival | None:
    """Return where somebody comes from, as the signed cookie of a market's link says."""
    token = request.cookies.get(ARRIVAL_COOKIE, "")
    subject: Any = live.tokens.subject(ARRIVAL, token) if token else None
    return Arrival(**subject) if isinstance(subject, dict) else None


def remember_arrival(response: Response, request: Request, arrival: Arrival) -> None:
    """Exchange the parameters of a market's link for a signed cookie."""
    token = live_of(request).tokens.issue(ARRIVAL, asdict(arrival))
    set_cookie(response, request, ARRIVAL_COOKIE, token, seconds=LIFETIMES[ARRIVAL])


def set_cookie(
    response: Response, request: Request, name: str, value: str, *, seconds: float
) -> None:
    """Set a cookie that scripts cannot read and other sites cannot send along with a form."""
    response.set_cookie(
        name,
        value,
        max_age=int(seconds),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def address(request: Request) -> str:
    """Return from where a request comes, for those who have no token yet."""
    return request.client.host if request.client else ""
