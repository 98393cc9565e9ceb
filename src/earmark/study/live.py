"""Answers that people gave in the browser, taken from the database into the study's files."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.study.places import ANSWERS, header
from earmark.study.snapshot import Snapshot
from earmark.task.task import Question
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.pack import pack

if TYPE_CHECKING:
    from earmark.ask.live.ballots import LiveAnswers

LIVE = Path("live")  # what `ask --import` calls the database
LEFT_OUT = "left-out-live.jsonl"
# What is written anew whenever live answers are taken: who withdrew is gone from both.
LIVE_FILES = ("answers.jsonl", LEFT_OUT)


def is_live(source: Path | None) -> bool:
    """Return whether answers come from the database; a file of that name is a file."""
    return source == LIVE and not LIVE.exists()


def read_live(
    study: Snapshot, question: Question, units: tuple[Item, ...], url: str | None
) -> "LiveAnswers":
    """Return the answers in the database of a study."""
    from earmark.ask.live.ballots import live_answers
    from earmark.database.engine import damage_explained, open_database

    def read(unit: Item, form: dict[str, Any]) -> Any:
        return read_form(study.folder, question, unit, form)

    engine = open_database(_database(study.folder, url))
    try:
        with damage_explained(engine), engine.begin() as connection:
            answers = live_answers(connection, {unit.id: unit for unit in units}, read)
    finally:
        engine.dispose()
    if not answers.people:
        raise _nobody(study.folder)
    return answers


def read_form(study: Path, question: Question, unit: Item, form: Mapping[str, Any]) -> Any:
    """Return a stored form as a value of the task; files it names are relative to the answers."""
    place = {"folder": str(study / ANSWERS)} if "file" in form else {}
    return question.read(unit, {**form, **place})


def left_out_file(answers: "LiveAnswers") -> dict[str, str]:
    """Return the file of live answers that do not count, each with its reason."""
    from earmark.files import jsonl

    if not answers.left_out:
        return {}
    made_by = header("ask", {"answers": "live, not counted"})
    rows = ({"answer": pack(answer), "why": why} for answer, why in answers.left_out)
    return {LEFT_OUT: jsonl.lines(made_by, rows)}


def _database(study: Path, url: str | None) -> str:
    from earmark.database.engine import FILE, default_url

    if url is None and not (study / FILE).exists():
        raise _nobody(study)
    return url or default_url(study)


def _nobody(study: Path) -> InputError:
    return InputError(
        "nobody has answered in the browser yet",
        at=study.name,
        fix=f"serve the study: earmark serve {study.name}",
    )
