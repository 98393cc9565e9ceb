"""Sounds: of the units that a person holds, looked up by id, cut by the server; and examples."""

import base64
import io
import re
from functools import lru_cache

from fastapi import APIRouter, Request, Response
from sqlalchemy import Connection, select
from starlette.concurrency import run_in_threadpool

from earmark.ask.live.tables import LEASES
from earmark.values.item import Item
from earmark.web.errors import refused
from earmark.web.guard import Person
from earmark.web.live import live_of
from earmark.web.shown import examples

router = APIRouter()

# Clips that are remembered: 64 of ten seconds at 44.1 kHz are 56 MB.
REMEMBERED = 64
CACHED = {"Cache-Control": "private, max-age=3600", "Accept-Ranges": "bytes"}
RANGE = re.compile(r"bytes=(\d*)-(\d*)")


@router.get("/api/media/{unit:path}", response_class=Response)
async def media(unit: str, person: Person, request: Request) -> Response:
    """Return the sound of a unit that this person was given: only it, whatever lies around it."""
    live = live_of(request)
    item = live.units.get(unit)
    if item is None or item.media is None or not await live.read(_was_given, unit, person):
        raise refused(404, "there is no such sound for you")
    clip = await run_in_threadpool(cut, item)
    return ranged(clip, request)


def _was_given(connection: Connection, unit: str, person: str) -> bool:
    lease = select(LEASES.c.id).where(LEASES.c.unit == unit, LEASES.c.person == person).limit(1)
    return connection.execute(lease).first() is not None


@lru_cache(maxsize=REMEMBERED)
def cut(item: Item) -> bytes:
    """Return the part of a sound that an item is about, as 16-bit WAV."""
    import soundfile

    with soundfile.SoundFile(item.media) as sound:
        if item.span is not None:
            sound.seek(min(round(item.span.start * sound.samplerate), sound.frames))
        length = -1 if item.span is None else round(item.span.length * sound.samplerate)
        samples = sound.read(length, dtype="float32")
        out = io.BytesIO()
        soundfile.write(out, samples, sound.samplerate, format="WAV", subtype="PCM_16")
    return out.getvalue()


def ranged(body: bytes, request: Request) -> Response:
    """Return bytes, or the part that the header Range asks for."""
    match = RANGE.fullmatch(request.headers.get("range", "").strip())
    if match is None or not any(match.groups()):
        return Response(body, media_type="audio/wav", headers=CACHED)
    first, last = match.groups()
    # bytes=-500 are the last 500
    start = int(first) if first else max(0, len(body) - int(last))
    end = min(int(last), len(body) - 1) if first and last else len(body) - 1
    if start > end:
        headers = {"Content-Range": f"bytes */{len(body)}"}
        return Response(status_code=416, headers=headers)
    headers = {**CACHED, "Content-Range": f"bytes {start}-{end}/{len(body)}"}
    return Response(body[start : end + 1], 206, media_type="audio/wav", headers=headers)


@router.get("/api/examples/{label}/{number}", response_class=Response)
async def example(label: str, number: int, request: Request) -> Response:
    """Return an example sound of a label."""
    sounds = (await run_in_threadpool(examples, live_of(request))).get(label, [])
    if not 0 <= number < len(sounds):
        raise refused(404, "there is no such example")
    kind, _, encoded = sounds[number].removeprefix("data:").partition(";base64,")
    headers = {"Cache-Control": "public, max-age=3600"}
    return Response(base64.b64decode(encoded), media_type=kind, headers=headers)
