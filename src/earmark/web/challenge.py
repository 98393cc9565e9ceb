"""The challenge that a study is, as the web application sees it; and which team asks."""

from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from earmark.run.phases import Phase
from earmark.run.teams import team_of, token_hash
from earmark.study import Study
from earmark.study.challenge import Challenge
from earmark.values.errors import InputError
from earmark.web.errors import Refusal, refused
from earmark.web.guard import bearer, check_csrf
from earmark.web.live import Live, live_of

ROOM = "challenge"  # in `Live.rooms`
TEAM, TEAM_COOKIE = "team", "team"


def challenge_of(live: Live) -> Challenge:
    """Return the challenge; raise Refusal (404) if the study is none.

    It is read again when the organiser has changed study.toml.
    """
    known: Challenge | None = live.rooms.get(ROOM)
    if known is None:
        study = Study.open(live.folder)
        if "phases" not in study.snapshot().settings():
            raise refused(404, "this study takes no submissions")
        known = Challenge(study, engine=live.engine)
    live.rooms[ROOM] = challenge = known.current()
    return challenge


def phase_of(challenge: Challenge, name: str | None) -> Phase:
    """Return a phase by its name, by default the first; raise Refusal (404) if there is none."""
    phase = challenge.phases.get(name or next(iter(challenge.phases)))
    if phase is None:
        raise refused(404, "there is no such phase", want=", ".join(challenge.phases))
    return phase


async def team_asks(request: Request) -> str:
    """Return the team whose token a request carries, as a bearer or in the cookie of a session."""
    live = live_of(request)
    token = bearer(request) or request.cookies.get(TEAM_COOKIE, "")
    await run_in_threadpool(challenge_of, live)
    team = await run_in_threadpool(team_of, live.engine, token) if token else None
    if team is None:
        missing = InputError("this needs a team's token", fix="ask the organiser for yours")
        raise Refusal(401, missing, WWW_Authenticate="Bearer")
    live.limit.spend(f"team {team.name}")
    if not bearer(request):
        check_csrf(request, TEAM, token_hash(token))
    return team.name


def team_csrf(live: Live, token: str) -> str:
    """Return the word that a team's page sends along with what the cookie authenticates."""
    return live.tokens.csrf(TEAM, token_hash(token))


TeamName = Annotated[str, Depends(team_asks)]
