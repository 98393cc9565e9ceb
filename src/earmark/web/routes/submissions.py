"""Submissions: a team hands one in, follows it, withdraws it; the board, for everybody."""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from earmark.report.challenge import board_csv
from earmark.run.phases import Phase
from earmark.run.queue import new_id
from earmark.run.queue_reads import (
    database_time,
    steps_of,
    submission,
    submissions,
    unblinding,
    waiting_before,
)
from earmark.run.teams import team_of
from earmark.run.tries import HandedIn, tries_left
from earmark.run.visible import view
from earmark.study.challenge import Challenge
from earmark.study.phase_board import public_board
from earmark.values.errors import InputError
from earmark.web.challenge import TEAM_COOKIE, TeamName, challenge_of, phase_of, team_csrf
from earmark.web.errors import Refusal, refused
from earmark.web.live import live_of
from earmark.web.routes.people import address
from earmark.web.uploads import store_upload

router = APIRouter()
ID = re.compile(r"[0-9a-f]{16}")
PhaseName = Annotated[str | None, Query(max_length=64)]
SESSION_SECONDS = 30 * 24 * 3600


class TeamSignIn(BaseModel):
    """A team's token."""

    model_config = ConfigDict(extra="forbid")
    token: Annotated[str, Field(min_length=1, max_length=200)]


@router.post("/api/teams/session", status_code=201)
async def sign_in(form: TeamSignIn, request: Request) -> JSONResponse:
    """Sign in with a team's token: it becomes a cookie that scripts cannot read."""
    live = live_of(request)
    live.signing_in.spend(f"team {address(request)}")
    await run_in_threadpool(challenge_of, live)
    team = await run_in_threadpool(team_of, live.engine, form.token.strip())
    if team is None:
        raise refused(401, "no team has this token", fix="ask the organiser for yours")
    token = form.token.strip()
    response = JSONResponse({"team": team.name, "csrf": team_csrf(live, token)}, 201)
    response.set_cookie(
        TEAM_COOKIE,
        token,
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


@router.delete("/api/teams/session")
async def sign_out(team: TeamName, request: Request) -> JSONResponse:
    """Sign out on this device."""
    response = JSONResponse({"signed_out": True})
    response.delete_cookie(TEAM_COOKIE)
    return response


@router.get("/api/phases")
async def phases(team: TeamName, request: Request) -> dict[str, Any]:
    """Return the phases, their rules, and how many tries the team has left in each."""

    def read() -> dict[str, Any]:
        challenge = challenge_of(live_of(request))
        time = database_time(challenge.engine)
        return {
            "team": team,
            "time": time,
            "megabytes": challenge.rules.upload_megabytes,
            "phases": [_phase(challenge, phase, team, time) for phase in challenge.phases.values()],
        }

    return await run_in_threadpool(read)


def _phase(challenge: Challenge, phase: Phase, team: str, time: float) -> dict[str, Any]:
    names = ("name", "shows", "tries_a_day", "tries", "opens", "closes", "freeze")
    try:
        challenge.queue.require_room(HandedIn(team, phase, "", 0))
        why = ""
    except InputError as error:
        why = str(error).replace("\n", ";")
    return {
        **{name: getattr(phase, name) for name in names},
        "open": not why,
        "why": " ".join(why.split()),
        "left": tries_left(challenge.engine, team, phase, time),
        "unblinded": unblinding(challenge.engine, phase.name) is not None,
    }


@router.post("/api/submissions", status_code=202)
async def hand_in(team: TeamName, request: Request, phase: PhaseName = None) -> JSONResponse:
    """Hand in an archive: the body is a zip, or a form with a zip in the field `file`."""
    live = live_of(request)
    challenge = await run_in_threadpool(challenge_of, live)
    chosen = phase_of(challenge, phase)
    # before the upload: who has no try left need not send 300 MB to learn it
    await _room(challenge, team, chosen)
    identity = new_id()
    path = challenge.archive(identity)
    name = await store_upload(request, path, challenge.rules.upload_megabytes)
    try:
        await run_in_threadpool(challenge.enter, team, chosen, name, identity)
    except InputError as error:
        path.unlink(missing_ok=True)
        raise Refusal(409, error) from error
    document = {"id": identity, "team": team, "phase": chosen.name, "state": "submitted"}
    return JSONResponse(document, 202)


async def _room(challenge: Challenge, team: str, phase: Phase) -> None:
    try:
        await run_in_threadpool(challenge.queue.require_room, HandedIn(team, phase, "", 0))
    except InputError as error:
        raise Refusal(409, error) from error


@router.get("/api/submissions")
async def own_submissions(team: TeamName, request: Request) -> dict[str, Any]:
    """Return a team's submissions, the newest first, each as its phase allows."""

    def read() -> dict[str, Any]:
        challenge = challenge_of(live_of(request))
        rows = submissions(challenge.engine, team=team)
        known = [row for row in rows if row["phase"] in challenge.phases]
        return {"submissions": [_view(challenge, row) for row in known]}

    return await run_in_threadpool(read)


@router.get("/api/submissions/{identity}")
async def one_submission(identity: str, team: TeamName, request: Request) -> dict[str, Any]:
    """Return one of the team's submissions: state, reason, steps, scores, log as allowed."""

    def read() -> dict[str, Any]:
        challenge = challenge_of(live_of(request))
        return _view(challenge, _own(challenge, identity, team))

    return await run_in_threadpool(read)


@router.delete("/api/submissions/{identity}")
async def withdraw(identity: str, team: TeamName, request: Request) -> dict[str, Any]:
    """Withdraw a submission: it is on no board, and stops if it runs."""

    def write() -> dict[str, Any]:
        challenge = challenge_of(live_of(request))
        _own(challenge, identity, team)
        challenge.queue.withdraw(identity)
        return _view(challenge, _own(challenge, identity, team))

    return await run_in_threadpool(write)


def _own(challenge: Challenge, identity: str, team: str) -> dict[str, Any]:
    """Return a submission of the team; another team's is not there."""
    missing = Refusal(404, InputError("there is no such submission"))
    if not ID.fullmatch(identity):
        raise missing
    try:
        row = submission(challenge.engine, identity)
    except InputError as error:
        raise missing from error
    if row["team"] != team or row["phase"] not in challenge.phases:
        raise missing
    return row


def _view(challenge: Challenge, row: dict[str, Any]) -> dict[str, Any]:
    phase = challenge.phases[row["phase"]]
    opened = unblinding(challenge.engine, phase.name) is not None
    document = view(row, steps_of(challenge.engine, row), phase, unblinded=opened)
    if row["state"] == "submitted" and row["owner"] is None:
        document["ahead"] = waiting_before(challenge.engine, row["submitted"])
    return document


@router.get("/api/board")
async def board(request: Request, phase: PhaseName = None) -> dict[str, Any]:
    """Return the public board of a phase, by default the first."""
    return await run_in_threadpool(_board, request, phase)


@router.get("/api/board.csv", response_class=PlainTextResponse)
async def board_table(request: Request, phase: PhaseName = None) -> Response:
    """Return the public board of a phase as CSV."""
    document = await run_in_threadpool(_board, request, phase)
    name = f"board-{document['phase']}.csv"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(board_csv(document), media_type="text/csv; charset=utf-8", headers=headers)


def _board(request: Request, phase: str | None) -> dict[str, Any]:
    challenge = challenge_of(live_of(request))
    return public_board(challenge, phase_of(challenge, phase))
