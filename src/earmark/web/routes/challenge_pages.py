"""The pages of a challenge: the board for everybody, and what a team does."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from earmark.report.challenge import board_figures, lead, rule_lines
from earmark.report.metric_names import MetricNames
from earmark.report.render import moment
from earmark.run.teams import team_of
from earmark.study.phase_board import public_board
from earmark.web.challenge import TEAM_COOKIE, challenge_of, phase_of, team_csrf
from earmark.web.live import live_of
from earmark.web.pages import page
from earmark.web.routes.submissions import PhaseName

router = APIRouter(include_in_schema=False)
# what the policy of pages lets a figure have: no style of its own
PLAIN_FIGURES = ("The board", "What each row stands on")


@router.get("/board")
async def board_page(request: Request, phase: PhaseName = None) -> Response:
    """Show the public board of a phase."""
    return page(request, "board.html", **await run_in_threadpool(_board_values, request, phase))


def _board_values(request: Request, phase: str | None) -> dict[str, Any]:
    challenge = challenge_of(live_of(request))
    chosen = phase_of(challenge, phase)
    document = public_board(challenge, chosen)
    metric = MetricNames(challenge.study.task)[challenge.rules.metric]
    figures = board_figures(document, metric)
    return {
        "document": document,
        "phases": list(challenge.phases),
        "figures": [figure for figure in figures if figure.title in PLAIN_FIGURES],
        "lead": lead(document),
        "rules": rule_lines(document),
        "received": [(one["team"], moment(one["submitted"])) for one in document["received"]],
        "made": moment(document["made"]) if "made" in document else "",
    }


@router.get("/team")
async def team_page(request: Request) -> Response:
    """Show the page on which a team hands in and follows its submissions."""
    live, token = live_of(request), request.cookies.get(TEAM_COOKIE, "")
    challenge = await run_in_threadpool(challenge_of, live)
    team = await run_in_threadpool(team_of, live.engine, token) if token else None
    values: dict[str, Any] = {
        "team": team.name if team else None,
        "team_csrf": team_csrf(live, token) if team else "",
        "challenge": challenge.rules.title or challenge.study.name,
        "megabytes": challenge.rules.upload_megabytes,
        "phases": list(challenge.phases),
    }
    return page(request, "team.html", **values)
