"""Archives that teams upload: streamed to disk, within a limit, before anything looks at them."""

from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from earmark.web.errors import Refusal, refused

PIECE = 1 << 20
MULTIPART = "multipart/form-data"
LONGEST_NAME = 100
FORM_BYTES = 10_000  # what a form has around the file


async def store_upload(request: Request, path: Path, megabytes: int) -> str:
    """Write the archive of a request to a path and return the name that its team gave it.

    The body is the archive itself, or a form with the field `file`. Raise Refusal (413) when it is
    larger than allowed, whatever the request says of its length; nothing is left then.
    """
    limit = megabytes * 1_000_000
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limit + FORM_BYTES:
        raise _too_large(limit)
    is_form = request.headers.get("content-type", "").startswith(MULTIPART)
    try:
        if is_form:
            async with request.form(max_files=1, max_fields=5) as form:
                file = form.get("file")
                if not isinstance(file, UploadFile):
                    raise refused(422, "a form must have the archive in the field 'file'")
                await _write(_pieces(file), path, limit)
                return _name(file.filename)
        await _write(request.stream(), path, limit)
        return _name(request.query_params.get("file"))
    except BaseException:
        path.unlink(missing_ok=True)
        raise


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(PIECE):
        yield piece


async def _write(pieces: AsyncIterator[bytes], path: Path, limit: int) -> None:
    size = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        async for piece in pieces:
            size += len(piece)
            if size > limit:
                raise _too_large(limit)
            await run_in_threadpool(file.write, piece)
    if not size:
        raise refused(422, "a submission must not be empty", want="a zip")


def _too_large(limit: int) -> Refusal:
    return refused(413, "this submission is too large", want=f"at most {limit // 1_000_000} MB")


def _name(given: str | None) -> str:
    """Return the name of a file as it may be shown: its last part, printable, not too long."""
    last = (given or "").replace("\\", "/").rpartition("/")[2]
    shown = "".join(letter for letter in last if letter.isprintable())[:LONGEST_NAME]
    return shown or "submission.zip"
