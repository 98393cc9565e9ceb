"""Pages: templates of this room, filled in; everything is escaped."""

from functools import cache
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import HTMLResponse

from earmark import __version__
from earmark.web.guard import ORGANISER, ORGANISER_COOKIE, person_or_none
from earmark.web.live import live_of
from earmark.web.shown import study_document
from earmark.web.tokens import PERSON

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("earmark.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(request: Request, template: str, *, status: int = 200, **values: object) -> HTMLResponse:
    """Return a page: a template of `web/templates/` with the values that every page has.

    `csrf` is the word for what the page sends with the person's cookie; a page of the organiser
    (a template whose name begins with `organiser`) gets that of the organiser's session.
    """
    live, person = live_of(request), person_or_none(request)
    session = request.cookies.get(ORGANISER_COOKIE, "")
    if template.startswith(ORGANISER):
        csrf = live.tokens.csrf(ORGANISER, session) if session else ""
    else:
        csrf = live.tokens.csrf(PERSON, person) if person else ""
    everywhere = {
        "csrf": csrf,
        "person": person,
        "boot": {**study_document(live), "csrf": csrf, "texts": dict(live.texts)},
        "texts": live.texts,
        "version": __version__,
    }
    text = _environment().get_template(template).render({**everywhere, **values})
    return HTMLResponse(text, status)
