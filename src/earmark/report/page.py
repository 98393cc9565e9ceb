"""One HTML file that needs nothing else: style, pictures and sound are inside it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from earmark.report.figure import Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page, with its place in the page's menu."""

    title: str
    body: str

    @property
    def anchor(self) -> str:
        """What a link to this section ends in."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


def page(title: str, lead: str, sections: Sequence[Section], *, footer: str = "") -> str:
    """The whole page; `lead` and the sections' bodies are HTML, the title is text."""
    menu = "".join(f'<a href="#{part.anchor}">{escape(part.title)}</a>' for part in sections)
    body = "".join(
        f'<section id="{part.anchor}"><h2>{escape(part.title)}</h2>{part.body}</section>'
        for part in sections
    )
    return (
        '<!doctype html>\n<html lang="en" data-theme="light">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · Earmark</title>\n"
        f"<style>{_kept('page.css')}</style>\n<script>{_kept('page.js')}</script>\n</head>\n<body>\n"
        f'<header class="top"><p class="brand">Earmark</p><h1>{escape(title)}</h1>'
        f'<p class="lead">{lead}</p></header>\n'
        f'<nav class="places"><div>{menu}<button class="theme" type="button">dark</button></div>'
        f"</nav>\n<main>{body}</main>\n<footer>{footer}</footer>\n</body>\n</html>\n"
    )


def figure_block(figures: Sequence[Figure]) -> str:
    """Figures side by side where there is room."""
    return '<div class="figures">' + "".join(map(_figure, figures)) + "</div>"


def _figure(figure: Figure) -> str:
    caption = f"<figcaption>{escape(figure.caption)}</figcaption>" if figure.caption else ""
    wide = ' class="wide"' if figure.wide else ""
    return f"<figure{wide}><h3>{escape(figure.title)}</h3>{figure.body}{caption}</figure>"


def cards(rows: Sequence[tuple[str, str, str]]) -> str:
    """Small panels: a title, a large word, a line below."""
    return (
        '<div class="cards">'
        + "".join(
            f'<div class="card"><h3>{escape(title)}</h3><div class="big">{escape(big)}</div>'
            f"<p>{escape(below)}</p></div>"
            for title, big, below in rows
        )
        + "</div>"
    )


def _kept(name: str) -> str:
    return files("earmark.report").joinpath(name).read_text(encoding="utf-8")
