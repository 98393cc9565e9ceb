"""The pages for people."""

from importlib.resources import files

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, RedirectResponse, Response

from earmark.web import markets
from earmark.web.live import live_of
from earmark.web.pages import page
from earmark.web.routes.people import remember_arrival

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """Show the page on which people join and answer; take a market's parameters off its address."""
    if not live_of(request).units:
        return RedirectResponse("/board", 303)
    arrival = markets.arrival(request.query_params)
    if arrival is not None:
        response = RedirectResponse("/", 303)
        remember_arrival(response, request, arrival)
        return response
    return page(request, "answer.html")


@router.get("/sw.js")
async def worker() -> Response:
    """Return the service worker; one below /static/ could not serve the pages above it."""
    return FileResponse(
        str(files("earmark.web").joinpath("static", "sw.js")),
        media_type="text/javascript",
        headers={"Cache-Control": "no-cache"},
    )


@router.get("/withdraw")
async def withdraw_page(request: Request) -> Response:
    """Show the page on which people withdraw."""
    return page(request, "withdraw.html")
