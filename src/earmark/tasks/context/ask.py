"""The survey: which words do not fit? One sentence at a time, or with the whole passage."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from earmark.tables.rows import read_number, read_table
from earmark.stats.draw import stream
from earmark.task.task import Json, Question
from earmark.tasks.context.values import Flags, Passage
from earmark.text.tokens import sentences
from earmark.values import checks
from earmark.values.answer import Answer
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

CROWD: Mapping[str, object] = {
    "opinions": 7,
    "finds_in_sentence": 0.29,
    "finds_in_passage": 0.85,
    "wrong_per_word": 0.034,
    "careless": 0.0,
    "seconds": 20.0,
}


def units(
    items: tuple[Item, ...],
    *,
    show: Literal["sentence", "passage"] = "sentence",
    per_passage: int = 0,
    shortest: int = 5,
    draw: int = 0,
) -> Iterator[Item]:
    """Cut passages into questions.

    Parameters
    ----------
    show
        One sentence at a time, as in the paper's survey, or the whole passage at once.
    per_passage
        Sentences to ask about in each passage, drawn at random; 0 asks about all.
    shortest
        Words a sentence must have to be asked about.
    draw
        Which random draw of sentences.
    """
    for item in items:
        passage = Passage.of(item)
        if show == "passage":
            yield _unit(item, passage, (0, len(passage.tokens)), "passage")
            continue
        spans = [span for span in sentences(passage.tokens) if span[1] - span[0] >= shortest]
        if per_passage and per_passage < len(spans):
            order = stream(draw, "sentences", item.id).permutation(len(spans))
            spans = sorted(spans[int(k)] for k in order[:per_passage])
        for span in spans:
            yield _unit(item, passage, span, "sentence")


def _unit(item: Item, passage: Passage, span: tuple[int, int], kind: str) -> Item:
    low, high = span
    start, end = passage.offsets[low][0], passage.offsets[high - 1][1]
    return Item(
        id=item.id if kind == "passage" else f"{item.id}/{low}",
        kind=kind,
        text=passage.text[start:end],
        parent=item.id,
        details={
            "first": low,
            "length": len(passage.tokens),
            "offsets": [p - start for pair in passage.offsets[low:high] for p in pair],
        },
    )


def words_of(unit: Item) -> list[str]:
    """The words that a person is shown."""
    flat: Any = unit.details["offsets"]
    text = unit.text or ""
    return [text[a:b] for a, b in zip(flat[::2], flat[1::2], strict=True)]


def show(unit: Item) -> Json:
    """What the page needs: the text and its words, each of which can be marked."""
    return {
        "prompt": PROMPT,
        "text": unit.text,
        "words": words_of(unit),
        "offsets": unit.details["offsets"],
        "kind": unit.kind,
    }


def read(unit: Item, form: Json) -> Flags:
    """The marked words as flags of the passage; `marked` holds indices into the words shown."""
    words = words_of(unit)
    marked = form.get("marked")
    if not isinstance(marked, list) or not all(isinstance(m, int) for m in marked):
        raise InputError(
            "an answer lists the words that were marked", got=form, want='{"marked": [3, 7]}'
        )
    if any(not 0 <= m < len(words) for m in marked):
        raise InputError(
            "a marked word must be one of those shown",
            at=f"unit {unit.id}",
            got=max(marked),
            want=f"0 to {len(words) - 1}",
        )
    return flags(unit, marked)


def flags(unit: Item, marked: Any) -> Flags:
    """Indices into the words of a unit as flags of its whole passage."""
    first, length = _whole(unit, "first"), _whole(unit, "length")
    shown = (first, first + len(words_of(unit)))
    return Flags(length, frozenset(first + int(m) for m in marked), (shown,))


def _whole(unit: Item, name: str) -> int:
    value = unit.details[name]
    if not isinstance(value, int):
        raise InputError("a unit question knows its place", at=f"unit {unit.id}", got=value)
    return value


def read_answers(path: Path, asked: tuple[Item, ...]) -> Iterator[Answer[Flags]]:
    """Answers from a table `item,person,words`: words, or their numbers from 0, joined by |.

    An empty cell, or `none`, says that every word fits. A word that stands twice in the text
    must be given by its number.
    """
    known = {unit.id: unit for unit in asked}
    rows = read_table(path, columns=("item", "person", "words"), optional=("seconds",))
    for line, row in rows:
        at = f"{path}:{line}"
        unit = known[checks.one_of(row["item"], known, what="question", at=at)]
        said = [w.strip() for w in row["words"].split("|") if w.strip() and w.strip() != "none"]
        marked = [_number(word, words_of(unit), at) for word in said]
        seconds = (
            read_number(row["seconds"], what="seconds", at=at) if row["seconds"] else None
        )
        yield Answer(unit.id, row["person"], flags(unit, marked), seconds)


def _number(word: str, words: list[str], at: str) -> int:
    if word.isdigit() and word not in words:
        if int(word) < len(words):
            return int(word)
        raise InputError("a number is that of a word shown", at=at, got=word)
    places = [index for index, other in enumerate(words) if other.lower() == word.lower()]
    if len(places) != 1:
        raise InputError(
            "a marked word must stand once in the text, or be given by its number",
            at=at,
            got=f"{word}, which stands {len(places)} times",
        )
    return places[0]


def simulate(
    asked: tuple[Item, ...], truth: Reference[Any], *, crowd: Mapping[str, Any], seed: int
) -> Iterator[Answer[Flags]]:
    """People who find a swapped word with a chance, and mark wrong nouns now and then.

    The chances of the paper's survey: 22 of 77 swapped words found and 52 wrong marks by seven
    people in ten sentences without context; with context "nearly always".
    """
    for unit in asked:
        first = _whole(unit, "first")
        words = words_of(unit)
        swapped = {place - first for place in truth.values[str(unit.parent)].at}
        chance = crowd["finds_in_passage" if unit.kind == "passage" else "finds_in_sentence"]
        for number in range(int(crowd["opinions"])):
            person = f"person-{number + 1:02d}"
            rng = stream(seed, "survey", unit.id, person)
            if rng.random() < float(crowd["careless"]):
                marked = [k for k in range(len(words)) if rng.random() < 0.1]
            else:
                draws = rng.random(len(words))
                marked = [
                    k for k, d in enumerate(draws) if d < _chance(k, words, swapped, chance, crowd)
                ]
            taken = float(crowd["seconds"]) * (0.5 + rng.random())
            yield Answer(unit.id, person, flags(unit, marked), round(taken, 2))


def _chance(
    index: int, words: list[str], swapped: set[int], found: float, crowd: Mapping[str, Any]
) -> float:
    if index in swapped:
        return float(found)
    return float(crowd["wrong_per_word"]) if len(words[index]) > 3 else 0.0


PROMPT = "Which words do not fit here? Mark none when all of them do."

SURVEY = Question(
    prompt=PROMPT,
    units=units,
    show=show,
    read=read,
    read_answers=read_answers,
    simulate=simulate,
    crowd=CROWD,
    seconds=20.0,
)
