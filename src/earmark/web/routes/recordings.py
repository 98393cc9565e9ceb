"""Recordings: checked when they arrive, stored under names that the server makes."""

import os
import secrets
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, UploadFile
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from earmark.ask.live.answers import GivenAnswer, record_answer
from earmark.files.json_text import JsonError, parse_json
from earmark.study.places import ANSWERS
from earmark.tasks.keywords.arrival import read_arrival
from earmark.values.errors import InputError
from earmark.web.errors import refused
from earmark.web.guard import Person
from earmark.web.live import Live, live_of
from earmark.web.recordings import FOLDER, recordings_folder
from earmark.web.routes.answers import receipt_response
from earmark.web.shown import takes_recordings

router = APIRouter()

FIELDS = ("language", "dialect")  # that a form may have beside the sound
LONGEST_FIELD = 100


class RecordingForm(BaseModel):
    """One recording: the sound, the fields beside it as JSON, and what every answer has."""

    unit: Annotated[str, Field(min_length=1, max_length=500)]
    key: Annotated[str, Field(min_length=8, max_length=100)]
    file: UploadFile
    seconds: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    value: Annotated[str, Field(max_length=2000)] = "{}"


@router.post("/api/recordings", status_code=201)
async def give_recording(
    sent: Annotated[RecordingForm, Form(media_type="multipart/form-data")],
    person: Person,
    request: Request,
) -> JSONResponse:
    """Take a recording; the reply comes when it is on disk, 422 when it must be repeated."""
    live = live_of(request)
    if not takes_recordings(live):
        raise refused(422, "this study asks for no recordings")
    if sent.unit not in live.units:
        raise refused(422, "there is no such unit", got=sent.unit)
    form = _form(sent.value)
    sound = await sent.file.read()
    path = await run_in_threadpool(_store, live, person, sent.unit, sound, form)
    form["file"] = f"../{FOLDER}/{path.name}"
    answer = GivenAnswer(sent.unit, person, sent.key, form, sent.seconds)
    receipt = await live.write(record_answer, answer, now=live.now())
    if receipt.stored is not None or not receipt.number:
        path.unlink(missing_ok=True)  # the first sending of the same answer is stored
    return receipt_response(receipt)


def _form(text: str) -> dict[str, Any]:
    """Return the fields beside the sound; paths and others are not among them."""
    try:
        form = parse_json(text)
    except JsonError as error:
        raise InputError("value must be JSON", got=text) from error
    if not isinstance(form, dict):
        raise InputError("value must be an object", got=text)
    fields = {name: form[name] for name in FIELDS if form.get(name) is not None}
    for name, field in fields.items():
        if not isinstance(field, str) or len(field) > LONGEST_FIELD or not field.isprintable():
            raise InputError(f"{name} must be a short text", got=field)
    return fields


def _store(live: Live, person: str, unit: str, sound: bytes, form: dict[str, Any]) -> Path:
    """Check a recording and write it to disk; return where it is."""
    read_arrival(sound)
    folder = recordings_folder(live)
    folder.mkdir(exist_ok=True)
    path = folder / f"{person}--{secrets.token_hex(8)}.wav"
    with open(path, "xb") as out:
        out.write(sound)
        out.flush()
        os.fsync(out.fileno())
    try:
        place = live.folder / ANSWERS
        own = {**form, "file": f"../{FOLDER}/{path.name}", "folder": str(place)}
        live.question.read(live.units[unit], own)
    except InputError:
        path.unlink()
        raise
    return path
