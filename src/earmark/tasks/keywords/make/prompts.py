"""Texts for contributors to read: the material of a study that collects recordings."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from earmark.files.text import read_text
from earmark.task.options import option
from earmark.task.task import Made
from earmark.values.errors import InputError
from earmark.values.item import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptOptions:
    """Which texts are read, and in which language."""

    text: Path | None = option(None, "A file of texts, one keyword or sentence per line.")
    language: str = option("", "The language of the texts; empty when the contributor chooses.")


def make_prompts(
    source: Path | None, options: PromptOptions = PromptOptions(), *, seed: int
) -> Iterator[Made]:
    """Make one prompt per line of a text, to be read aloud."""
    path = options.text or source
    if path is None:
        raise InputError("prompts come from a text", want="--text FILE, one text per line")
    lines = [line.strip() for line in read_text(path).splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise InputError("a file of prompts must have at least one line of text", at=path)
    for number, line in enumerate(lines, start=1):
        details = {"language": options.language} if options.language else {}
        yield Made(Item(f"prompt-{number:04d}", "prompt", text=line, details=details))
