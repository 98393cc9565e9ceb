"""The words of the pages: shipped languages, and a study's own words in one file.

A text has a name with dots (`start.title`). `web/texts/LANGUAGE.json` has those of all pages,
`tasks/TASK/page/LANGUAGE.json` those of a task's question. A study's `texts.toml` says which
language it asks in (`language = "de"`) and has its own words for any name; tables are joined by
dots, so that `[start]` with `title = "..."` is `start.title`.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from earmark.files.text import read_text
from earmark.values import checks
from earmark.values.errors import InputError

FILE = "texts.toml"  # in the study
QUESTION_FILE = "question.js"  # in a task's page/: how its question is asked and answered
LANGUAGE, ENGLISH = "language", "en"
# Names that end in what the study has: its labels, what the server may answer.
OPEN_ENDED = ("label.", "about.", "reason.", "language.", "prompt", "heading", "consent.", "title")


def read_texts(study: Path, task: str) -> dict[str, str]:
    """Return the texts of a study by name, with its `language`.

    What the study's language lacks is English. Raise InputError for a name that no page uses: a
    misspelt one would stay English in silence.
    """
    path = study / FILE
    own = dict(_flat(_read(path), at=str(path))) if path.exists() else {}
    language = own.get(LANGUAGE, ENGLISH)
    texts = {**shipped(ENGLISH, task), **shipped(language, task)}
    for name in own:
        if name != LANGUAGE and not name.startswith(OPEN_ENDED):
            checks.one_of(name, texts, what="text", at=str(path))
    return {**texts, **own, LANGUAGE: language}


def shipped(language: str, task: str) -> dict[str, str]:
    """Return the texts that the package has in a language; none where it lacks the language."""
    texts: dict[str, str] = {}
    for folder in (files("earmark.web").joinpath("texts"), page_folder(task)):
        file = folder.joinpath(f"{language}.json")
        if language.isalnum() and file.is_file():
            texts |= json.loads(file.read_text(encoding="utf-8"))
    return texts


def page_folder(task: str) -> Traversable:
    """Return where a task's question has its page: script, texts."""
    return files(f"earmark.tasks.{task}").joinpath("page")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError("texts.toml must be TOML", at=path, got=error) from error


def _flat(table: Mapping[str, Any], before: str = "", *, at: str) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name}.", at=at)
        elif isinstance(value, str):
            yield before + name, value
        else:
            raise InputError("a text must be in quotes", at=f"{at}, {before}{name}", got=value)
