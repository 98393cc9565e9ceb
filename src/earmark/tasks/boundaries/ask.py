"""Where does a sentence end? The question, its pages, its answers, and made-up people."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from earmark.files import jsonl
from earmark.tables.rows import read_table
from earmark.stats.draw import stream
from earmark.task.task import Json, Question
from earmark.tasks.boundaries.formats import MarkedText, read_file
from earmark.tasks.boundaries.make import transcript_of
from earmark.tasks.boundaries.alignment import match
from earmark.tasks.boundaries.values import Boundaries
from earmark.values import checks
from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

PAGE = "page"
CROWD: Mapping[str, object] = {
    "opinions": 3,
    "missed": 0.12,
    "moved": 0.06,
    "made_up": 0.008,
    "spread": 0.5,
}


def pages(items: Iterable[Item], *, page: int | None = None) -> Iterator[Item]:
    """What one person is shown at a time: a whole transcript, or pages of it.

    Parameters
    ----------
    page
        Words on a page; by default a transcript is one page.
    """
    if page is not None and page < 2:
        raise InputError("a page has at least two words", got=page)
    for item in items:
        transcript = transcript_of(item)
        length = len(transcript.words)
        size = page or length
        starts = range(0, length, size)
        for number, start in enumerate(starts, start=1):
            words = transcript.words[start : start + size]
            identity = item.id if len(starts) == 1 else f"{item.id}-page-{number:03}"
            details = {"item": item.id, "start": start}
            yield Item(identity, PAGE, text=" ".join(words), parent=item.group, details=details)


def show(unit: Item) -> Json:
    """What a page needs: the words, in order."""
    return {"words": (unit.text or "").split()}


def read_form(unit: Item, form: Json) -> Boundaries:
    """The value of a filled form: `after`, a list of the words that end a sentence."""
    return _boundaries(unit, form.get("after"), at=f"item {unit.id}")


def _boundaries(unit: Item, after: object, *, at: str) -> Boundaries:
    length = len((unit.text or "").split())
    if not isinstance(after, list | tuple) or not all(
        isinstance(one, int) and not isinstance(one, bool) and 0 <= one < length for one in after
    ):
        raise InputError(
            "an answer names the words after which a sentence ends",
            at=at,
            got=after,
            want=f"a list of whole numbers from 0 to {length - 1}",
        )
    return Boundaries(length, frozenset(after))


def read_answers(path: Path, units: tuple[Item, ...]) -> Iterator[Answer[Boundaries]]:
    """Answers given elsewhere.

    A folder with one folder per person, each with one file per item (any format that `measure`
    reads); or a CSV or TSV with columns item, person and after (numbers of words with spaces
    between); or JSONL with the same names, `after` a list.
    """
    known = {unit.id: unit for unit in units}
    if path.is_dir():
        yield from _from_folder(path, known)
    elif path.suffix.lower() == ".jsonl":
        for line, row in jsonl.read(path):
            at = f"{path}:{line}"
            if not isinstance(row, dict) or not {"item", "person", "after"} <= set(row):
                raise InputError("an answer has item, person and after", at=at, got=json.dumps(row))
            unit = known[checks.one_of(str(row["item"]), known, what="item", at=at)]
            value = _boundaries(unit, row["after"], at=at)
            yield Answer(unit.id, str(row["person"]), value, row.get("seconds_taken"))
    else:
        for line, cells in read_table(path, columns=("item", "person", "after")):
            at = f"{path}:{line}"
            unit = known[checks.one_of(cells["item"], known, what="item", at=at)]
            yield Answer(
                unit.id, cells["person"], _boundaries(unit, _numbers(cells["after"]), at=at)
            )


def _numbers(text: str) -> list[int | str]:
    return [int(part) if part.isdigit() else part for part in text.replace(",", " ").split()]


def _from_folder(path: Path, known: Mapping[str, Item]) -> Iterator[Answer[Boundaries]]:
    """One folder per person, one file per item; words that differ a little are aligned."""
    people = sorted(one for one in path.iterdir() if one.is_dir())
    if not people:
        raise InputError(
            "a folder of answers holds a folder for each person",
            at=path,
            got="none",
            fix="put each person's files in a folder with that person's name",
        )
    for person in people:
        for file in sorted(one for one in person.iterdir() if one.is_file()):
            unit = known[checks.one_of(file.stem, known, what="item", at=str(file))]
            given = next(iter(read_file(file)["text"].values())).only_words()
            words = tuple((unit.text or "").split())
            base = MarkedText(words, ("",) * len(words))
            yield Answer(
                unit.id, person.name, match(base, given, given.boundaries(), at=file).boundaries
            )


def simulate(
    units: tuple[Item, ...],
    truth: Reference[Boundaries],
    *,
    crowd: Mapping[str, Any],
    seed: int,
) -> Iterator[Answer[Boundaries]]:
    """People who miss, move and make up boundaries, each with habits of their own.

    `missed` and `moved` are the chances that a true boundary is left out or put one or two words
    off, `made_up` the chance of a boundary after any other word; each person's own chances lie
    around these by a factor exp(`spread` times a normal draw). The end of the text is never
    missed.
    """
    for number in range(int(crowd["opinions"])):
        person = f"person-{number + 1}"
        own = stream(seed, "habits", person)
        habits = {
            name: min(0.9, float(crowd[name]) * float(own.lognormal(0, float(crowd["spread"]))))
            for name in ("missed", "moved", "made_up")
        }
        for unit in units:
            right = _of_page(unit, truth)
            draw = stream(seed, "answer", person, unit.id)
            yield Answer(
                unit.id,
                person,
                _answer(right, habits, draw),
                round(len(show(unit)["words"]) * 0.5, 1),
            )


def _of_page(unit: Item, truth: Reference[Boundaries]) -> Boundaries:
    """The truth about one page."""
    whole = truth.values[str(unit.details.get("item", unit.id))]
    start, length = int(str(unit.details.get("start", 0))), len(show(unit)["words"])
    after = frozenset(at - start for at in whole.after if start <= at < start + length)
    return Boundaries(length, after)


def _answer(right: Boundaries, habits: Mapping[str, float], draw: Any) -> Boundaries:
    last = right.length - 1
    kept = {last} if last in right.after else set()
    for at in sorted(right.after - {last}):
        if draw.random() < habits["missed"]:
            continue
        moved = draw.random() < habits["moved"]
        step = int(draw.choice([-2, -1, 1, 2])) if moved else 0
        kept.add(min(max(at + step, 0), last))
    extra = draw.random(right.length) < habits["made_up"]
    return Boundaries(right.length, frozenset(kept | {at for at in range(last) if extra[at]}))


QUESTION = Question(
    prompt="Where does a sentence end? Mark the last word of every sentence.",
    units=pages,
    show=show,
    read=read_form,
    read_answers=read_answers,
    simulate=simulate,
    crowd=CROWD,
    seconds=120.0,
)
