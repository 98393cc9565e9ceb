"""The application: routers, static files, errors, and the checks in front of all of them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from importlib.resources import files
from types import ModuleType
from typing import Any

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from earmark import __version__
from earmark.ask.live.doubt import DoubtRanker, RankedQuestions
from earmark.ask.live.reaper import reap
from earmark.study.live import read_form
from earmark.values.item import Item
from earmark.web.direct import Direct
from earmark.web.errors import explain_errors
from earmark.web.headers import Guarded
from earmark.web.live import Live
from earmark.web.routes import (
    answers,
    challenge_pages,
    media,
    organiser,
    people,
    recordings,
    site,
    submissions,
    texts,
    wake,
)
from earmark.web.texts import page_folder

# A room that serves something adds the module of its router here.
ROUTERS: tuple[ModuleType, ...] = (
    answers,
    people,
    recordings,
    media,
    texts,
    organiser,
    wake,
    site,
    submissions,
    challenge_pages,
)

REAP_SECONDS = 2.0  # how long a unit may stay unavailable after its lease ran out


def build_app(live: Live) -> FastAPI:
    """Return the application that serves a study."""

    @contextlib.asynccontextmanager
    async def running(app: FastAPI) -> AsyncIterator[None]:
        reaper = asyncio.create_task(_reap_regularly(live))
        ranker = start_ranker(live)
        try:
            yield
        finally:
            if ranker is not None:
                await asyncio.to_thread(ranker.close)
            reaper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reaper

    app = FastAPI(
        title="Earmark",
        version=__version__,
        openapi_url="/api/schema",
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        lifespan=running,
    )
    app.state.live = live
    app.add_middleware(Direct)  # behind the next one: what is added last comes first
    app.add_middleware(Guarded)
    explain_errors(app)
    for module in ROUTERS:
        app.include_router(module.router)
    static = str(files("earmark.web").joinpath("static"))
    question = page_folder(live.study.task.name)
    if question.is_dir():
        app.mount("/task", StaticFiles(directory=str(question)), name="task")
    app.mount("/static", StaticFiles(directory=static), name="static")
    return app


def start_ranker(live: Live) -> DoubtRanker | None:
    """Start to rank units by expected information gain, where that is how they are asked."""
    ranker = ranker_of(live)
    if ranker is not None:
        live.rooms["doubt"] = ranker
        ranker.start()
    return ranker


def ranker_of(live: Live) -> DoubtRanker | None:
    """Return what ranks the units, not started; None where units are asked in another order."""
    question = live.question
    more = question.ranker() if question.ranker is not None else question.more
    if live.terms.options.ask != "doubt" or more is None:
        return None

    def read(unit: Item, form: dict[str, Any]) -> Any:
        return read_form(live.folder, live.question, unit, form)

    questions = RankedQuestions(live.units, live.study.snapshot().items(), more, read)
    return DoubtRanker(live.engine, live.writer, live.terms, questions)


async def _reap_regularly(live: Live) -> None:
    """Give back units whose leases ran out, as long as the server runs."""
    while True:
        await asyncio.sleep(REAP_SECONDS)
        while await live.write(reap, now=live.now()):
            pass
