"""What leaves a study: a selection of it, the exporters that a task has, and the files they write.

An exporter turns a selection into the files of one format; `study/export.py` makes the selection
and writes the files, all of them or none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item

MATERIAL, QUESTIONS, ANSWERS = "material", "questions", "answers"
REFERENCES, OUTPUTS, BOARDS = "references", "outputs", "boards"
EVERYTHING = (MATERIAL, QUESTIONS, ANSWERS, REFERENCES, OUTPUTS, BOARDS)
# What is counted in messages: one, several.
NOUNS = {
    MATERIAL: ("item", "items"),
    QUESTIONS: ("question", "questions"),
    ANSWERS: ("answer", "answers"),
    REFERENCES: ("item", "items"),
    OUTPUTS: ("item", "items"),
    BOARDS: ("row", "rows"),
}
Content = str | bytes | Path  # a path is copied


@dataclass(frozen=True, slots=True)
class Selection:
    """One kind of thing from a study, with the material that it is about.

    `name` is that of the reference or system, otherwise says what it is. `values` are by item, for
    references and outputs; `truth` are those of the material where the maker knew them. `prompt`
    is the task's question to people.
    """

    what: str
    name: str
    study: str
    items: tuple[Item, ...] = ()
    units: tuple[Item, ...] = ()
    answers: tuple[Answer[Any], ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    doubt: Mapping[str, float] = field(default_factory=dict)
    truth: Mapping[str, Any] = field(default_factory=dict)
    boards: Mapping[str, Any] = field(default_factory=dict)
    rows: Mapping[str, Callable[..., Any]] = field(default_factory=dict)  # see `Task.rows`
    prompt: str = ""
    folder: Path = Path()  # of the material
    answers_folder: Path = Path()  # files that answers name are relative to it

    def media(self, item: Item) -> str | None:
        """Return the file of an item's sound, relative to the material where it is there."""
        if item.media is None or not Path(item.media).is_relative_to(self.folder):
            return item.media
        return Path(item.media).relative_to(self.folder).as_posix()


@dataclass(frozen=True, slots=True)
class Exported:
    """The files of an export by name, how many things they hold, and what they cannot hold."""

    files: Mapping[str, Content]
    count: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format: what it can hold, the most usual first, and how it is written.

    `write` is (selection, options) -> Exported; `options` is left out where there are none.
    """

    write: Callable[..., Exported]
    what: tuple[str, ...]
    about: str

    def __call__(self, *args: Any, **named: Any) -> Exported:
        """Return the files of a selection."""
        return self.write(*args, **named)


def answer_row(answer: Answer[Any], **value: object) -> dict[str, Any]:
    """Return an answer as a row that `ask --import` reads: nothing of it is lost.

    A time is a column only where it is known: simulated answers have none.
    """
    row = {"item": answer.item, "person": answer.person, **value, "seconds": answer.seconds_taken}
    return row if answer.given_at is None else {**row, "given_at": answer.given_at}


def file_path(name: str, suffix: str = "") -> str:
    """Return the file of an item, a path relative to the export; refuse one that leads elsewhere.

    Examples
    --------
    >>> file_path("street/a.wav", ".txt")
    'street/a.wav.txt'
    """
    parts = name.replace("\\", "/").split("/")
    if any(part in ("", ".", "..") for part in parts) or "\0" in name:
        raise InputError(
            "an item is exported to a file of its name",
            got=name,
            want="a name without empty parts, . or ..",
            fix="choose a format that is one table: --to csv",
        )
    return "/".join(parts) + suffix
