"""Where does a sentence end? The question, its pages, its answers, and simulated people."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from earmark.files import jsonl
from earmark.stats.draw import stream
from earmark.tables.answers import GIVEN_AT, AnswerColumns, read_time
from earmark.tables.rows import read_number
from earmark.task.options import option
from earmark.task.task import Json, Question
from earmark.tasks.boundaries.alignment import place_on_words
from earmark.tasks.boundaries.formats import Units, one_per_person, read_file
from earmark.tasks.boundaries.values import Boundaries, Panel, transcript_of
from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

PAGE = "page"
NO_WORD = "none"  # what a form says where no word ends a sentence

# Habits of simulated people; the names are those of a crowd file. Chosen by hand, not fitted to
# anybody.
CROWD: Mapping[str, object] = {
    "opinions": 3,
    "missed": 0.12,
    "moved": 0.06,
    "made_up": 0.008,
    "spread": 0.5,
}
HABITS = ("missed", "moved", "made_up")
MOST_LIKELY = 0.9  # bounds a person's own probabilities, however wide the crowd's spread
STEPS = (-2, -1, 1, 2)  # by how many words a boundary is moved
SECONDS_PER_WORD = 0.5  # how long a simulated person takes; chosen by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """How a transcript is cut into pages."""

    page: int | None = option(None, "Words on a page; by default a transcript is one page.")

    def __post_init__(self) -> None:
        if self.page is not None and self.page < 2:
            raise InputError("a page must have at least two words", got=self.page)


def pages(items: Iterable[Item], options: PageOptions = PageOptions()) -> Iterator[Item]:
    """Yield what one person is shown at a time: a whole transcript, or pages of it."""
    for item in items:
        transcript = transcript_of(item)
        length = len(transcript.words)
        size = options.page or length
        starts = range(0, length, size)
        for number, start in enumerate(starts, start=1):
            words = transcript.words[start : start + size]
            identity = item.id if len(starts) == 1 else f"{item.id}-page-{number:03}"
            details = {"item": item.id, "start": start}
            yield Item(identity, PAGE, text=" ".join(words), parent=item.group, details=details)


def show(unit: Item) -> Json:
    """Return what the page needs: the words, in order."""
    return {"words": _words(unit)}


def _words(unit: Item) -> list[str]:
    return (unit.text or "").split()


def read_form(unit: Item, form: Json) -> Boundaries:
    """Return the value of a filled form: `after` lists the words that end a sentence."""
    return _boundaries(unit, form.get("after"), at=f"item {unit.id}")


def _boundaries(unit: Item, after: object, *, at: str) -> Boundaries:
    length = len(_words(unit))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFileOptions(AnswerColumns):
    """How files of people's texts are read."""

    units: Units | None = option(
        None,
        "What ends a unit in people's texts: every line, or every mark. By default what the format "
        "means by itself: lines in plain text.",
    )


def read_answers(
    path: Path, units: tuple[Item, ...], options: AnswerFileOptions = AnswerFileOptions()
) -> Iterator[Answer[Boundaries]]:
    """Return answers that were given elsewhere.

    A folder with one folder per person, each with one file per item (any format that `measure`
    reads); or a CSV or TSV with columns item, person and after (numbers of words with spaces
    between), MTurk's and Prolific's among them; or JSONL with the same names, `after` a list; or
    Label Studio's JSON, in which the last word of every marked span ends a sentence.
    """
    known = {unit.id: unit for unit in units}
    if path.is_dir():
        return _from_folder(path, known, options.units)
    if path.suffix.lower() == ".jsonl":
        return _from_jsonl(path, known)
    return _from_export(path, units, options)


def _from_jsonl(path: Path, known: Mapping[str, Item]) -> Iterator[Answer[Boundaries]]:
    for line, row in jsonl.read(path):
        where = f"{path}:{line}"
        if not isinstance(row, dict) or not {"item", "person", "after"} <= set(row):
            raise InputError("an answer has item, person and after", at=where, got=json.dumps(row))
        unit = known[checks.one_of(str(row["item"]), known, what="item", at=where)]
        after = _numbers(row["after"]) if isinstance(row["after"], str) else row["after"]
        value = _boundaries(unit, after, at=where)
        taken = row.get("seconds_taken", row.get("seconds"))
        seconds = None if taken is None else read_number(str(taken), what="seconds_taken", at=where)
        given_at = read_time(str(row.get(GIVEN_AT) or ""), at=where)
        yield Answer(unit.id, str(row["person"]), value, seconds, given_at)


def _from_export(
    path: Path, units: tuple[Item, ...], options: AnswerColumns
) -> Iterator[Answer[Boundaries]]:
    """Yield the answers of a table or of a Label Studio export."""
    from earmark.ask.imports import AnswerForm, read_rows
    from earmark.ask.label_studio import spans_of_regions

    known = {unit.id: unit for unit in units}
    for row in read_rows(path, units, AnswerForm(("after",), "text"), options):
        unit = known[row.item]
        if row.regions is None:
            after = _numbers(row.cells["after"])
        else:
            after = _last_words(unit, spans_of_regions(row.regions, unit.text or "", at=row.at))
        value = _boundaries(unit, after, at=row.at)
        yield Answer(unit.id, row.person, value, row.seconds_taken, row.given_at)


def _numbers(text: str) -> list[int | str]:
    """Return the numbers of a cell; `none` is none of the words."""
    if text.strip() == NO_WORD:
        return []
    parts = re.split(r"[\s,|]+", text.replace("#", "").strip())
    return [int(part) if part.isdigit() else part for part in parts if part]


def _last_words(unit: Item, spans: list[tuple[int, int]]) -> list[int | str]:
    """Return the number of the last word that each marked span of a unit's text touches."""
    starts = [match.start() for match in re.finditer(r"\S+", unit.text or "")]
    return [max(bisect_left(starts, end) - 1, 0) for _, end in spans]


def _from_folder(
    path: Path, known: Mapping[str, Item], ends: Units | None
) -> Iterator[Answer[Boundaries]]:
    """Yield one answer per person and file; words that differ a little are aligned."""
    only = next(iter(known)) if len(known) == 1 else ""
    folders = sorted(one for one in path.iterdir() if one.is_dir())
    people = folders or [one for one in one_per_person([path], text=only) if one != path]
    if not people:
        raise InputError(
            "a folder of answers holds a folder for each person",
            at=path,
            got="none",
            fix="put each person's files in a folder with that person's name",
        )
    for person in people:
        is_file = person.is_file()
        for file in [person] if is_file else sorted(f for f in person.iterdir() if f.is_file()):
            item = only if is_file else checks.one_of(file.stem, known, what="item", at=str(file))
            unit = known[item]
            text = next(iter(read_file(file)["text"].values())).only_words()
            if ends is None and text.unread_marks():
                raise InputError(
                    "running text is read as one unit, because lines end units",
                    at=file,
                    got=f"1 unit, {text.unread_marks()} sentence marks",
                    fix="pass --units marks; or --units lines if it is one unit",
                )
            value = place_on_words(tuple(_words(unit)), text, at=file, units=ends)
            yield Answer(unit.id, person.stem if is_file else person.name, value)


def simulate(
    units: tuple[Item, ...],
    truth: Reference[Boundaries],
    *,
    crowd: Mapping[str, Any],
    seed: int,
) -> Iterator[Answer[Boundaries]]:
    """Yield answers of people who miss, move and make up boundaries, each with own habits.

    `missed` and `moved` are the probabilities that a true boundary is left out or put one or two
    words off, `made_up` that of a boundary after any other word; each person's own probabilities
    differ from these by a factor exp(`spread` times a normal draw). The end of the text is never
    missed.
    """
    for number in range(int(crowd["opinions"])):
        person = f"person-{number + 1}"
        habits = _habits(crowd, stream(seed, "habits", person))
        for unit in units:
            generator = stream(seed, "answer", person, unit.id)
            value = _answer(_truth_about(unit, truth), habits, generator)
            yield Answer(unit.id, person, value, round(len(_words(unit)) * SECONDS_PER_WORD, 1))


def _habits(crowd: Mapping[str, Any], generator: np.random.Generator) -> dict[str, float]:
    spread = float(crowd["spread"])
    return {
        name: min(MOST_LIKELY, float(crowd[name]) * float(generator.lognormal(0, spread)))
        for name in HABITS
    }


def _truth_about(unit: Item, truth: Reference[Boundaries]) -> Boundaries:
    """Return the true boundaries of one page."""
    item = str(unit.details.get("item", unit.id))
    whole = truth.values[checks.one_of(item, truth.values, what="item", at="the truth")]
    if isinstance(whole, Panel):
        raise InputError(
            "a simulated crowd needs one truth",
            at=f"item {item}",
            got=f"a panel of {len(whole.people)} people",
            fix="make a study of one text with --truth to simulate answers",
        )
    start, length = int(str(unit.details.get("start", 0))), len(_words(unit))
    after = frozenset(word - start for word in whole.after if start <= word < start + length)
    return Boundaries(length, after)


def _answer(
    right: Boundaries, habits: Mapping[str, float], generator: np.random.Generator
) -> Boundaries:
    last = right.length - 1
    after = {last} if last in right.after else set()
    for word in sorted(right.after - {last}):
        if generator.random() < habits["missed"]:
            continue
        is_moved = generator.random() < habits["moved"]
        step = int(generator.choice(STEPS)) if is_moved else 0
        after.add(min(max(word + step, 0), last))
    made_up = generator.random(right.length) < habits["made_up"]  # (words,)
    return Boundaries(right.length, frozenset(after | {w for w in range(last) if made_up[w]}))


def more(ballots: Ballots[Boundaries], *, seed: int) -> Iterator[tuple[str, float]]:
    """Yield pages to ask about again by expected information gain, the highest first."""
    from earmark.ask.gain import rank_by_gain, yes_no_votes

    return rank_by_gain(ballots, lambda own: yes_no_votes([(b.after, b.length) for b in own]))


QUESTION = Question(
    prompt="Where does a sentence end? Mark the last word of every sentence.",
    units=pages,
    show=show,
    read=read_form,
    read_answers=read_answers,
    simulate=simulate,
    crowd=CROWD,
    seconds=120.0,
    more=more,
)
