"""The wake word demo: five recordings enrol a keyword, further ones show whether it wakes.

`POST /api/wake` multipart `files` (five WAV of 16 kHz, mono, 16 bits) -> 201 `{"id", "threshold"}`.
`POST /api/wake/{id}` multipart `file` -> 200 `{"awake", "score", "threshold"}`; it wakes when the
score, the log likelihood ratio of `auto`, reaches the threshold. Nothing is stored on disk; an
enrolment is forgotten after an hour.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from typing import Any

from fastapi import APIRouter, Request, UploadFile
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from earmark.tasks.keywords.arrival import read_arrival
from earmark.values.errors import InputError
from earmark.web.errors import refused
from earmark.web.live import Live, live_of
from earmark.web.pages import page
from earmark.web.routes.people import address

router = APIRouter()

ENROLMENTS = (2, 10)  # fewest and most recordings; five are asked for
MOST_REMEMBERED = 50
REMEMBERED_SECONDS = 3600.0
TASK = "keywords"


class WakeRoom:
    """Who has enrolled; one at a time uses the networks."""

    def __init__(self) -> None:
        self.detectors: OrderedDict[str, tuple[float, Any]] = OrderedDict()
        self.busy = asyncio.Semaphore(1)
        self.development: Any = None

    def add(self, detector: Any, *, now: float) -> str:
        """Remember a detector; return its name."""
        name = secrets.token_urlsafe(12)
        self.detectors[name] = (now, detector)
        while len(self.detectors) > MOST_REMEMBERED:
            self.detectors.popitem(last=False)
        return name

    def find(self, name: str, *, now: float) -> Any:
        """Return a detector, or None if there is none of that name, or it is too old."""
        since, detector = self.detectors.get(name, (0.0, None))
        return detector if now - since < REMEMBERED_SECONDS else None

    def enrol(self, clips: list[Any]) -> Any:
        """Return the detector that `auto` makes from recordings."""
        from earmark.task.extras import missing_explained
        from earmark.tasks.keywords.run.auto import AutoDetector, load_networks_and_model
        from earmark.tasks.keywords.run.enrolment import enrol
        from earmark.tasks.keywords.values import PENALTY

        with missing_explained():
            self.development = self.development or load_networks_and_model()
            enrolment = enrol(clips, seed=0, speaker="live")
            return AutoDetector.of(self.development, enrolment, "live", penalty=PENALTY)


def _room(live: Live) -> WakeRoom:
    if live.study.task.name != TASK:
        raise refused(404, "this study is not about keywords")
    room: WakeRoom = live.rooms.setdefault("wake", WakeRoom())
    return room


@router.get("/demo", include_in_schema=False)
async def wake_page(request: Request) -> Response:
    """Show the wake word demo."""
    _room(live_of(request))
    return page(request, "demo.html")


@router.post("/api/wake", status_code=201)
async def enrol_keyword(files: list[UploadFile], request: Request) -> JSONResponse:
    """Enrol a keyword by a few recordings of it."""
    live = live_of(request)
    room = _room(live)
    live.joining.spend(address(request))
    if not ENROLMENTS[0] <= len(files) <= ENROLMENTS[1]:
        want = f"{ENROLMENTS[0]} to {ENROLMENTS[1]} recordings, best five"
        raise InputError("a keyword is enrolled by a few recordings", got=len(files), want=want)
    clips = [read_arrival(await file.read()) for file in files]
    async with room.busy:
        detector = await run_in_threadpool(room.enrol, clips)
    name = room.add(detector, now=time.monotonic())
    return JSONResponse({"id": name, "threshold": detector.threshold}, 201)


@router.post("/api/wake/{name}")
async def try_keyword(name: str, file: UploadFile, request: Request) -> JSONResponse:
    """Say whether a recording wakes the device."""
    live = live_of(request)
    room = _room(live)
    live.limit.spend(f"wake {name}")
    detector = room.find(name, now=time.monotonic())
    if detector is None:
        raise refused(404, "nobody has enrolled under this name", fix="record the keyword again")
    clip = read_arrival(await file.read())
    async with room.busy:
        verdict = await run_in_threadpool(detector.judge, clip)
    return JSONResponse(
        {"awake": verdict.awake, "score": verdict.score, "threshold": detector.threshold}
    )
