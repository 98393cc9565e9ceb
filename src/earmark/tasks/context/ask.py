"""The survey: which words do not fit, in one sentence at a time or in the whole passage."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from earmark.stats.draw import stream
from earmark.tables.answers import AnswerColumns
from earmark.task.options import option
from earmark.task.task import Json, Question
from earmark.tasks.context.values import Flags, Passage
from earmark.text.penn_tokens import sentences
from earmark.values.answer import Answer, Ballots
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.reference import Reference

# A simulated crowd like the paper's seven subjects, who found 22 of 7 * 11 swapped words (.29) and
# marked 52 of 7 * 221 others (.034) in ten sentences without context. With context they find them
# "nearly always": .85 is our reading of that. 20 seconds per question is a guess.
CROWD: Mapping[str, object] = {
    "opinions": 7,
    "finds_in_sentence": 0.29,
    "finds_in_passage": 0.85,
    "wrong_per_word": 0.034,
    "careless": 0.0,
    "seconds": 20.0,
}


# Words that a careless person marks, whatever they are; and the letters from which on a word is
# long enough to be taken for a noun out of context.
CARELESS_MARKS = 0.1
SHORTEST_MARKED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitOptions:
    """What one question shows, and how many are asked."""

    show: Literal["sentence", "passage"] = option(
        "sentence",
        "One sentence at a time, as in the paper's survey, or the whole passage at once.",
    )
    per_passage: int = option(
        0, "Sentences to ask about in each passage, drawn at random; 0 asks about all."
    )
    shortest: int = option(5, "Words a sentence must have to be asked about.")
    draw: int = option(0, "Which random draw of sentences.")


def units(items: tuple[Item, ...], options: UnitOptions = UnitOptions()) -> Iterator[Item]:
    """Cut passages into questions."""
    for item in items:
        passage = Passage.of(item)
        if options.show == "passage":
            yield _unit(item, passage, (0, len(passage.tokens)), "passage")
            continue
        every = sentences(passage.tokens)
        spans = [(low, high) for low, high in every if high - low >= options.shortest]
        if options.per_passage and options.per_passage < len(spans):
            order = stream(options.draw, "sentences", item.id).permutation(len(spans))
            spans = sorted(spans[int(index)] for index in order[: options.per_passage])
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
    """Return the words that a person is shown."""
    flat: Any = unit.details["offsets"]
    text = unit.text or ""
    return [text[a:b] for a, b in zip(flat[::2], flat[1::2], strict=True)]


def show(unit: Item) -> Json:
    """Return what the page needs: the text and its words, each of which can be marked."""
    return {
        "prompt": PROMPT,
        "text": unit.text,
        "words": words_of(unit),
        "offsets": unit.details["offsets"],
        "kind": unit.kind,
    }


def read(unit: Item, form: Json) -> Flags:
    """Return the marked words as flags; `marked` holds indices into the words shown."""
    words = words_of(unit)
    marked = form.get("marked")
    if not isinstance(marked, list) or not all(isinstance(m, int) for m in marked):
        raise InputError(
            "an answer must list the words that were marked", got=form, want='{"marked": [3, 7]}'
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
    """Return indices into the words of a unit as flags of its whole passage."""
    first, length = _whole(unit, "first"), _whole(unit, "length")
    shown = (first, first + len(words_of(unit)))
    return Flags(length, frozenset(first + int(m) for m in marked), (shown,))


def _whole(unit: Item, name: str) -> int:
    value = unit.details[name]
    if not isinstance(value, int):
        raise InputError(
            "a question must know its place in the passage", at=f"unit {unit.id}", got=value
        )
    return value


def read_answers(
    path: Path, asked: tuple[Item, ...], options: AnswerColumns = AnswerColumns()
) -> Iterator[Answer[Flags]]:
    """Yield the answers of a table `item,person,words`: words, or their indices, joined by |.

    An empty cell, or `none`, means that every word fits. A word that is in the text twice must be
    given by its index, which counts from 0; `#3` is an index even where 3 is a word. MTurk's and
    Prolific's tables are read too, and Label Studio's JSON, where every word that a span touches
    is marked.
    """
    from earmark.ask.imports import AnswerForm, read_rows
    from earmark.ask.label_studio import spans_of_regions

    known = {unit.id: unit for unit in asked}
    for row in read_rows(path, asked, AnswerForm(("words",)), options):
        unit = known[row.item]
        if row.regions is None:
            words = [word.strip() for word in row.cells["words"].split("|")]
            marked = [_index(w, words_of(unit), row.at) for w in words if w and w != "none"]
        else:
            marked = _touched(unit, spans_of_regions(row.regions, unit.text or "", at=row.at))
        yield Answer(unit.id, row.person, flags(unit, marked), row.seconds_taken, row.given_at)


def _touched(unit: Item, spans: list[tuple[int, int]]) -> list[int]:
    """Return the indices of the words of which a marked span has a character."""
    flat: Any = unit.details["offsets"]
    words = list(zip(flat[::2], flat[1::2], strict=True))
    return [
        index
        for index, (start, end) in enumerate(words)
        if any(low < end and start < high for low, high in spans)
    ]


def _index(word: str, words: list[str], at: str) -> int:
    is_index = word.startswith("#") and word[1:].isdigit() and word not in words
    word = word[1:] if is_index else word
    if word.isdigit() and (is_index or word not in words):
        if int(word) < len(words):
            return int(word)
        raise InputError("a number must be the index of a word shown", at=at, got=word)
    places = [index for index, other in enumerate(words) if other.lower() == word.lower()]
    if len(places) != 1:
        raise InputError(
            "a marked word must be in the text once, or be given by its index",
            at=at,
            got=f"{word}, which is there {len(places)} times",
        )
    return places[0]


def simulate(
    asked: tuple[Item, ...], truth: Reference[Any], *, crowd: Mapping[str, Any], seed: int
) -> Iterator[Answer[Flags]]:
    """Yield the answers of people who find swapped words, and mark others, by probability."""
    for unit in asked:
        first = _whole(unit, "first")
        words = words_of(unit)
        swapped = {token - first for token in truth.values[str(unit.parent)].at}
        probabilities = _mark_probabilities(unit, words, swapped, crowd)
        for number in range(int(crowd["opinions"])):
            person = f"person-{number + 1:02d}"
            rng = stream(seed, "survey", unit.id, person)
            if rng.random() < float(crowd["careless"]):
                marked = [k for k in range(len(words)) if rng.random() < CARELESS_MARKS]
            else:
                draws = zip(rng.random(len(words)), probabilities, strict=True)
                marked = [k for k, (drawn, probability) in enumerate(draws) if drawn < probability]
            seconds = float(crowd["seconds"]) * (0.5 + rng.random())
            yield Answer(unit.id, person, flags(unit, marked), round(seconds, 2))


def _mark_probabilities(
    unit: Item, words: list[str], swapped: set[int], crowd: Mapping[str, Any]
) -> list[float]:
    """Return for every word the probability that a careful person marks it."""
    finds = float(crowd["finds_in_passage" if unit.kind == "passage" else "finds_in_sentence"])
    wrong = float(crowd["wrong_per_word"])
    others = (wrong if len(word) >= SHORTEST_MARKED else 0.0 for word in words)
    return [finds if index in swapped else other for index, other in enumerate(others)]


def more(ballots: Ballots[Flags], *, seed: int) -> Iterator[tuple[str, float]]:
    """Yield texts to ask about again by expected information gain, the highest first."""
    from earmark.ask.gain import rank_by_gain, yes_no_votes

    def shown(flags: Flags) -> tuple[frozenset[int], int]:
        low, high = flags.seen[0]
        return frozenset(place - low for place in flags.at), high - low

    return rank_by_gain(ballots, lambda own: yes_no_votes([shown(flags) for flags in own]))


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
    more=more,
)
