"""A picture on a page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece of HTML (usually an SVG) with a title and a caption that says how to read it.

    `body` may use the page's colours: `var(--ink)`, `var(--faint)`, `var(--accent)`,
    `var(--good)`, `var(--bad)`, `var(--doubt)`, `var(--panel)`, and `var(--c1)` to `var(--c6)` for
    categories; they change with light and dark. `wide` asks for the whole width of the page.
    """

    title: str
    body: str
    caption: str = ""
    wide: bool = False
