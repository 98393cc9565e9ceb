"""A picture on a page."""

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece of HTML (usually an SVG) with a title and a caption that says how to read it.

    `body` comes from a template or from `svg.element`; a plain text is escaped like any other.
    It may use the page's colours: `var(--ink)`, `var(--faint)`, `var(--accent)`, `var(--good)`,
    `var(--bad)`, `var(--doubt)`, `var(--panel)`, and `var(--c1)` to `var(--c6)` for categories;
    they change with light and dark. `wide` asks for the whole width of the page. `script` is
    JavaScript that brings such figures to life; the page runs it once, at its end.
    """

    title: str
    body: Markup
    caption: str = ""
    wide: bool = False
    script: str = ""
