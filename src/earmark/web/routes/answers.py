"""The next unit, and answers to it."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from earmark.ask.live import answers
from earmark.ask.live.answers import GivenAnswer, Receipt, record_answer
from earmark.ask.live.assignment import Handed, Lease, hand_out
from earmark.values.errors import InputError
from earmark.web.errors import error_document, refused
from earmark.web.guard import Person
from earmark.web.live import Live, live_of
from earmark.web.shown import shown_text, study_document, takes_recordings

router = APIRouter()

RETRY_SECONDS = 5  # when to ask again where there is nothing now
WHY = {
    answers.LATE: "this answer came after its time was over",
    answers.AGAIN: "this person has answered this question already",
    answers.NOT_ASKED: "this person was not asked this question",
    answers.OTHER_KEY: "this key belongs to an answer to another question",
}
# Why there will be nothing any more, in the words that pages have texts for
REASONS = {
    "finished": "done",
    "closed": "closed",
    "cap": "done",
    "not qualified": "trial",
    "excluded": "excluded",
}
LONGEST_UNIT = 500  # letters of a unit's name
Unit = Annotated[str, Field(min_length=1, max_length=LONGEST_UNIT)]


class FilledForm(BaseModel):
    """One answer: the form of the task, the seconds it took, a key made by the browser."""

    model_config = ConfigDict(extra="forbid")
    unit: Unit
    value: dict[str, Any]
    seconds: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] | None = None
    key: Annotated[str, Field(min_length=8, max_length=100)]


@router.get("/api/question")
async def question(request: Request) -> dict[str, Any]:
    """Return what is the same for all units: the prompt, descriptions, examples, the terms."""
    return study_document(live_of(request))


@router.get("/api/next", responses={204: {"description": "nothing for you now"}})
async def next_unit(
    person: Person, request: Request, besides: Annotated[str, Query(max_length=LONGEST_UNIT)] = ""
) -> Response:
    """Return a unit for this person; the same one until it is answered."""
    live = live_of(request)
    handed = await live.write(hand_out, live.terms, person, now=live.now(), besides=besides)
    if handed.state == "unknown":
        raise refused(401, "this person has withdrawn", fix="join again")
    if handed.lease is None and handed.state == "wait":
        return Response(status_code=204, headers={"Retry-After": str(RETRY_SECONDS)})
    if handed.lease is None:
        return JSONResponse(_finished(live, handed), 410)
    return Response(_next_text(live, handed, handed.lease), media_type="application/json")


def _next_text(live: Live, handed: Handed, lease: Lease) -> str:
    """Return a unit that is handed out, as JSON text; what it shows was encoded before."""
    document = {
        "unit": lease.unit,
        "lease": lease.id,
        "expires": lease.expires,
        "answered": handed.answers + handed.trials,
        "cap": live.terms.options.cap,
    }
    return f'{json.dumps(document)[:-1]}, "show": {shown_text(live, lease.unit)}}}'


def _finished(live: Live, handed: Handed) -> dict[str, Any]:
    """Return what somebody gets who is finished: the code of completion and where to go.

    Whoever comes when nothing is left has completed nothing, and gets no code.
    """
    if handed.state == "closed":
        return {"code": None, "reason": "closed", "url": None}
    url = live.options.redirect.replace("{code}", handed.code) or None
    return {"code": handed.code, "reason": REASONS[handed.state], "url": url}


@router.post("/api/answers", status_code=201)
async def give_answer(form: FilledForm, person: Person, request: Request) -> JSONResponse:
    """Take an answer; the reply comes when it is on disk."""
    live = live_of(request)
    if form.unit not in live.units:
        raise refused(422, "there is no such unit", got=form.unit)
    if takes_recordings(live):  # whose form names a file: none that a client names is ever opened
        raise refused(422, "this study asks for recordings", fix="POST /api/recordings")
    answer = GivenAnswer(
        form.unit,
        person,
        form.key,
        form.value,
        form.seconds,
        check_value(live, form.unit, form.value),
    )
    return receipt_response(await live.write(record_answer, answer, now=live.now()))


def check_value(live: Live, unit: str, value: dict[str, Any]) -> bool | None:
    """Return whether an answer is right, None where nobody knows; raise InputError if unusable."""
    try:
        read = live.question.read(live.units[unit], value)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError("an answer must be the form of this question", got=value) from error
    known = live.terms.known
    return bool(read == known[unit]) if unit in known else None


def receipt_response(receipt: Receipt) -> JSONResponse:
    """Return what became of an answer: 201 stored, 200 stored before, 409 kept and marked."""
    if receipt.why in WHY:
        error = InputError(WHY[receipt.why], fix="go on with the next question")
        return JSONResponse({**error_document(error), "why": receipt.why}, 409)
    if receipt.why == answers.GONE:
        raise refused(401, "this person has withdrawn", fix="join again")
    return JSONResponse({"number": receipt.number}, 201 if receipt.counts else 200)
