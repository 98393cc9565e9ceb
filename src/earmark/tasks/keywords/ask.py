"""The recording question of the paper's section 2.2: choose a language, read the text, again.

A contributor's answer is a recording, checked when it arrives. A listener's answer to the same
unit says which contributors' takes are usable.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from earmark.files.table import read_table
from earmark.task.task import Json, Question
from earmark.tasks.keywords.clips import arrive, refuse_clipping, refuse_silence
from earmark.tasks.keywords.values import Heard, Recording, Screening
from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item

TAKES = 5
SHORTEST, LONGEST = 0.3, 15.0
NEEDS_DIALECT = ("Chinese",)
WORDS = {"keep": True, "yes": True, "1": True, "drop": False, "no": False, "0": False}


def takes_of(items: tuple[Item, ...], *, takes: int = TAKES) -> Iterator[Item]:
    """One unit for every take of every prompt.

    Parameters
    ----------
    takes
        How often each text is read (5 to enrol, 10 in the paper's training set).
    """
    if takes < 1:
        raise InputError("a text is read at least once", got=takes)
    for item in items:
        if item.kind != "prompt":
            continue
        for take in range(1, takes + 1):
            yield Item(
                f"{item.id}-take-{take:02d}",
                "take",
                text=item.text,
                parent=item.id,
                details={**item.details, "take": take, "of": takes},
            )


def show_take(item: Item) -> Json:
    """What the page needs: the text, the choices, and the format that is wanted."""
    return {
        "text": item.text,
        "take": item.details.get("take"),
        "of": item.details.get("of"),
        "language": item.details.get("language"),
        "languages": ["Chinese", "English", "other"],
        "needs_dialect": list(NEEDS_DIALECT),
        "format": {
            "rate": 16000,
            "channels": 1,
            "bits": 16,
            "shortest": SHORTEST,
            "longest": LONGEST,
        },
        "advice": "Hold the phone about 20 cm away, in a quiet room; read at your usual pace.",
    }


def read_take(item: Item, form: Json) -> Recording:
    """The recording of a filled form, checked: format, length, silence, clipping.

    `file` is a path, or a name beside `folder`.
    """
    language = str(form.get("language") or item.details.get("language") or "").strip()
    dialect = str(form.get("dialect") or "").strip()
    if not language:
        raise InputError("a contributor chooses a language first", at=f"item {item.id}")
    if language in NEEDS_DIALECT and not dialect:
        raise InputError(
            f"{language} needs a dialect",
            at=f"item {item.id}",
            want="for instance Mandarin, Cantonese, Sichuanese",
        )
    name = str(form.get("file") or "")
    if not name:
        raise InputError("a recording needs a file", at=f"item {item.id}")
    path = Path(str(form.get("folder") or ".")) / name
    arrived = arrive(path, shortest=SHORTEST, longest=LONGEST)
    refuse_silence(path, arrived)
    refuse_clipping(path, arrived)
    return Recording(name, language, dialect, round(arrived.seconds, 3), arrived.note)


def read_answers(path: Path, units: tuple[Item, ...]) -> Iterator[Answer[Any]]:
    """Recordings and screenings from a table.

    Recordings: columns item, person, file, language, dialect. Screenings by a listener: columns
    item, person (the contributor), listener, verdict (keep or drop), reason.
    """
    known = {unit.id: unit for unit in units}
    heard: dict[tuple[str, str], list[Heard]] = {}
    for line, row in read_table(path, columns=("item", "person")):
        at = f"{path}:{line}"
        if row["item"] not in known:
            raise InputError("a recording answers a unit that was asked", at=at, got=row["item"])
        if row.get("listener"):
            heard.setdefault((row["item"], row["listener"]), []).append(_heard(row, at))
            continue
        form = {**row, "folder": str(path.parent)}
        yield Answer(row["item"], row["person"], read_take(known[row["item"]], form))
    for (item, listener), verdicts in heard.items():
        yield Answer(item, listener, Screening(tuple(verdicts)))


def _heard(row: dict[str, str], at: str) -> Heard:
    word = (row.get("verdict") or "").strip().lower()
    if word not in WORDS:
        raise InputError("a listener keeps or drops a take", at=at, got=word, want="keep or drop")
    return Heard(row["person"], WORDS[word], row.get("reason") or "")


RECORDING = Question(
    prompt="Please read the text aloud.",
    units=takes_of,
    show=show_take,
    read=read_take,
    read_answers=read_answers,
    seconds=12.0,
)
