"""Answers that people gave in the browser, taken from the database into the study's files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from earmark.study.places import ANSWERS
from earmark.task.task import Question
from earmark.values.errors import InputError
from earmark.values.item import Item

LIVE = "live"  # what `ask --import` calls the database


def read_form(study: Path, question: Question, unit: Item, form: Mapping[str, Any]) -> Any:
    """Return a stored form as a value of the task; files it names are relative to the answers."""
    place = {"folder": str(study / ANSWERS)} if "file" in form else {}
    return question.read(unit, {**form, **place})


def database_of(study: Path, url: str | None) -> str:
    """Return the address of a study's live answers; raise InputError if there are none."""
    from earmark.database.engine import FILE, default_url

    if url is None and not (study / FILE).exists():
        raise InputError(
            "nobody has answered in the browser yet",
            at=study / FILE,
            fix=f"serve the study: earmark serve {study.name}",
        )
    return url or default_url(study)
