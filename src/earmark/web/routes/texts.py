"""The words of the pages."""

from typing import Any

from fastapi import APIRouter, Request

from earmark.web.live import live_of

router = APIRouter()


@router.get("/api/texts")
async def texts(request: Request) -> dict[str, Any]:
    """Return all texts: the study's own where it has them."""
    return dict(live_of(request).texts)
