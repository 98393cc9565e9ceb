"""Texts for contributors to read: the material of a study that collects recordings."""

from collections.abc import Iterator
from pathlib import Path

from earmark.files.text import read_text
from earmark.task.task import Made
from earmark.values.errors import InputError
from earmark.values.item import Item

LANGUAGES = ("Chinese", "English")


def make_prompts(
    source: Path | None, *, seed: int, text: Path | None = None, language: str = ""
) -> Iterator[Made]:
    """One prompt for every line of a text, to be read aloud.

    Parameters
    ----------
    text
        A file of texts, one keyword or sentence a line.
    language
        The language of the texts; empty when the contributor chooses.
    """
    place = text or source
    if place is None:
        raise InputError("prompts come from a text", want="--text FILE, one text a line")
    lines = [line.strip() for line in read_text(place).splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise InputError("a file of prompts has at least one line of text", at=place)
    for number, line in enumerate(lines, start=1):
        details = {"language": language} if language else {}
        yield Made(Item(f"prompt-{number:04d}", "prompt", text=line, details=details))
