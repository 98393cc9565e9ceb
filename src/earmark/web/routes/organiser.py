"""The organiser: signing in, and what is theirs alone."""

from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from earmark.ask.live import organisers
from earmark.ask.live.people import exclude, include_again, person_row
from earmark.ask.live.progress import pay_table, people_list
from earmark.ask.live.progress import progress as progress_of
from earmark.ask.live.shared import PAUSED, write_shared
from earmark.web.errors import Refusal, refused
from earmark.web.guard import ORGANISER, ORGANISER_COOKIE, Organiser, organiser_asks
from earmark.web.live import Live, live_of
from earmark.web.overview import overview_of
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
    """Return how far asking is: answers, hours, money, people, agreement, uncertainty."""
    live = live_of(request)
    numbers = await live.read(progress_of, live.terms, now=live.now())
    overview = await overview_of(live).document()
    return {
        **numbers,
        "agreement": overview["agreement"],
        "doubt": overview.get("doubt"),
        "promise": _promise(live),
    }


def _promise(live: Live) -> dict[str, Any] | None:
    """Return what the study's plan promised: answers and money, each a value from low to high.

    None where there is no plan, or one that no number of answers could fulfil.
    """
    plan = live.study.snapshot().planned() or {}
    promise = {name: plan.get(name) for name in ("answers", "money", "currency")}
    is_there = promise["answers"] and promise["answers"]["value"] is not None
    return promise if is_there else None


@router.get("/api/organiser/people")
async def people(session: Organiser, request: Request) -> dict[str, Any]:
    """Return everybody: what they gave, how competent they are, what is odd."""
    live = live_of(request)
    rows = await live.read(people_list, live.terms)
    overview = await overview_of(live).document()
    competence = overview.get("competence", {})
    return {"people": [{**row, "competence": competence.get(row["person"])} for row in rows]}


@router.get("/api/organiser/ranking")
async def ranking(session: Organiser, request: Request) -> dict[str, Any]:
    """Return how up to date the order of asking is, where the doubt is asked for."""
    ranker = live_of(request).rooms.get("doubt")
    return ranker.state() if ranker is not None else {"rankings": 0, "answers": 0, "problem": None}


class Exclusion(BaseModel):
    """Whether a person is excluded, and why."""

    model_config = ConfigDict(extra="forbid")
    excluded: bool
    why: Annotated[str, Field(max_length=500)] = ""


@router.post("/api/organiser/people/{person}")
async def exclude_person(
    person: str, form: Exclusion, session: Organiser, request: Request
) -> dict[str, Any]:
    """Exclude a person, answers kept and others asked instead; or let them answer again."""
    live = live_of(request)
    if await live.read(person_row, person) is None:
        raise refused(404, "there is no such person")
    if form.excluded:
        count = await live.write(exclude, person, why=form.why)
        return {"person": person, "excluded": True, "answers_kept": count}
    await live.write(include_again, person)
    return {"person": person, "excluded": False}


class Pause(BaseModel):
    """Whether asking is paused."""

    model_config = ConfigDict(extra="forbid")
    paused: bool


@router.post("/api/organiser/pause")
async def pause(form: Pause, session: Organiser, request: Request) -> dict[str, Any]:
    """Pause asking, or go on; answers to what was handed out are taken all the same."""
    await live_of(request).write(write_shared, PAUSED, form.paused)
    return {"paused": form.paused}


@router.get("/api/organiser/reference")
async def reference(session: Organiser, request: Request) -> dict[str, Any]:
    """Return the reference as it stands, item by item with its uncertainty."""
    return await overview_of(live_of(request)).document()


@router.get("/api/organiser/pay.csv", response_class=Response)
async def pay_list(session: Organiser, request: Request) -> Response:
    """Return whom to pay how much, as a table."""
    live = live_of(request)
    rows = await live.read(people_list, live.terms)
    headers = {"Content-Disposition": 'attachment; filename="pay.csv"'}
    return Response(pay_table(rows), media_type="text/csv; charset=utf-8", headers=headers)
