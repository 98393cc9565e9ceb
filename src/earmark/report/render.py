"""Templates filled in. Whatever is not marked as safe is escaped, in text and in attributes."""

import base64
import datetime
import hashlib
import platform
import re
import zlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from earmark import __version__
from earmark.report.figure import Figure

if TYPE_CHECKING:
    from jinja2 import Environment

NUMBER = re.compile(r"[-+]?\d[\d.,]*( \[[^\]]*\])?( %)?$")


def render(template: str, **values: object) -> Markup:
    """Return a template filled with values, which are escaped unless they are `Markup`.

    `template` is "package/file"; the file is in the folder `templates` of that package.
    """
    return Markup(_environment().get_template(template).render(values))


def render_page(template: str, figures: Iterable[Figure], **values: object) -> str:
    """Return a whole page: a template that extends `page.html`, with style and scripts inside.

    The page's security policy names its scripts by their hashes: nothing else can run on it,
    and it can load nothing, even if a piece of HTML from outside came through.
    """
    theme = _resource("page.js")
    own = (figure.script for figure in figures if figure.script)
    scripts = list(dict.fromkeys([_resource("tables.js"), _resource("saving.js"), *own]))
    hashes = " ".join(f"'{_hash(script)}'" for script in (theme, *scripts))
    return render(
        template,
        css=Markup(page_style()),
        theme_script=Markup(theme),
        scripts=[Markup(script) for script in scripts],
        policy=f"default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'; "
        f"script-src {hashes}; base-uri 'none'; form-action 'none'",
        earmark_version=__version__,
        python_version=platform.python_version(),
        **values,
    )


def anchor(title: str) -> str:
    """Return what a link to the section of that title ends in.

    Examples
    --------
    >>> anchor("At a glance")
    'at-a-glance'
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def item_anchor(item: str) -> str:
    """Return the anchor of an item's picture; two items never share one.

    Examples
    --------
    >>> item_anchor("street 1.wav")
    'item-street-1-wav-4da0c384'
    """
    return f"item-{anchor(item)}-{zlib.crc32(item.encode()):08x}"


def moment(time: float) -> str:
    """Return a time, in seconds since 1970, as text in UTC.

    Examples
    --------
    >>> moment(0.0)
    '1970-01-01 00:00 UTC'
    """
    return datetime.datetime.fromtimestamp(time, datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


def is_number(cell: object) -> bool:
    """Return whether a table's cell is a number, with or without its interval.

    Such cells are never broken over two lines.
    """
    return bool(NUMBER.match(str(cell)))


@cache
def _environment() -> "Environment":
    # imported here: 40 ms that only a report needs
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["anchor"] = anchor
    environment.filters["item_anchor"] = item_anchor
    environment.filters["as_cell"] = _as_cell
    environment.filters["moment"] = moment
    environment.tests["number_cell"] = is_number
    return environment


def _as_cell(content: object) -> object:
    from earmark.report.tables import cell  # tables render templates, so not at the top

    return cell(content)


def _source(template: str) -> str:
    package, _, name = template.partition("/")
    return files(package).joinpath("templates", name).read_text(encoding="utf-8")


def page_style() -> str:
    """Return the style sheet of a page."""
    return _resource("page.css")


def _resource(name: str) -> str:
    return files("earmark.report").joinpath(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()
