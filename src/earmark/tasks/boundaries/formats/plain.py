"""Plain texts: one unit per line, text with punctuation, one labelled word per line, 0 and 1."""

import json
from pathlib import Path

from earmark.files.text import read_text
from earmark.tasks.boundaries.formats.marked import LINE, MarkedText, text_of_lines, units_of
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import fold
from earmark.values.errors import InputError

LABELS = {
    "O": "", "COMMA": ",", "PERIOD": ".", "QUESTION": "?", "EXCLAMATION": "!",
    "SEMICOLON": ";", "COLON": ":", "0": "", "1": LINE,
}  # fmt: skip
# Every word becomes a place in memory, so a size without bounds would fill it.
MOST_WORDS = 1_000_000


def read_lines(path: Path, *, encoding: str = "utf-8") -> MarkedText:
    """Return a text whose lines are units, with its punctuation marks."""
    return text_of_lines(_decoded(path, encoding).split("\n"))


def _decoded(path: Path, encoding: str) -> str:
    """Return the text, read as UTF-8 if it is that: corpora often mix it with `encoding`."""
    try:
        return read_text(path)
    except InputError:
        if encoding == "utf-8":
            raise
        return read_text(path, encoding=encoding)


def write_lines(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one unit per line."""
    return "".join(" ".join(unit) + "\n" for unit in units_of(transcript, boundaries))


def write_text(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return running text with a full stop after each unit."""
    return " ".join(" ".join(unit) + "." for unit in units_of(transcript, boundaries)) + "\n"


def read_labels(path: Path) -> MarkedText:
    """Return the words of a file in IWSLT's format: a word, a tab and a label on every line."""
    words: list[str] = []
    marks: list[str] = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        word, tab, label = line.rpartition("\t")
        if not tab or label.strip().upper() not in LABELS:
            raise _bad_label(path, number, line, is_first=not words)
        words.append(fold(word.strip()))
        marks.append(LABELS[label.strip().upper()])
    units = any(LINE in mark for mark in marks)
    return MarkedText(tuple(words), tuple(marks), units="lines" if units else "marks")


def _bad_label(path: Path, number: int, line: str, *, is_first: bool) -> InputError:
    return InputError(
        "every line must hold a word, a tab, and a label",
        at=f"{path}:{number}",
        got=line,
        want=", ".join(sorted(LABELS)),
        fix="correct the line, or name a .txt file for plain text"
        if is_first
        else "correct the line",
    )


def write_labels(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return one word per line, labelled PERIOD or O."""
    return "".join(
        f"{word}\t{'PERIOD' if place in boundaries.after else 'O'}\n"
        for place, word in enumerate(transcript.words)
    )


def read_bits(path: Path) -> MarkedText:
    """Return boundaries without words: 0 or 1 per word, as the authors' tool dumps them."""
    signs = [sign for sign in read_text(path) if not sign.isspace() and sign not in ",[]"]
    strange = next((sign for sign in signs if sign not in "01"), None)
    if strange is not None:
        raise InputError("a .seg file must hold 0 and 1 only", at=path, got=strange)
    return text_of_boundaries(Boundaries.of_marks(sign == "1" for sign in signs))


def write_bits(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return 0 or 1 per word."""
    places = range(boundaries.length)
    return "".join("1" if place in boundaries.after else "0" for place in places) + "\n"


def text_of_boundaries(boundaries: Boundaries) -> MarkedText:
    """Return a text of empty words with these boundaries."""
    places = range(boundaries.length)
    marks = tuple(LINE if place in boundaries.after else "" for place in places)
    return MarkedText(("",) * boundaries.length, marks)


def texts_of_sizes(value: object, *, at: object) -> dict[str, dict[str, MarkedText]]:
    """Return the texts of segeval's JSON: per item and person the number of words of each unit."""
    items = value.get("items") if isinstance(value, dict) else None
    if not isinstance(items, dict) or not all(isinstance(one, dict) for one in items.values()):
        raise InputError(
            "segeval's file maps items to people to sizes of units", at=at, got=type(value)
        )
    texts: dict[str, dict[str, MarkedText]] = {}
    for item, people in items.items():
        for person, sizes in people.items():
            boundaries = _boundaries_of_sizes(sizes, at=f"{at}, {item}, {person}")
            texts.setdefault(str(item), {})[str(person)] = text_of_boundaries(boundaries)
    return texts


def _boundaries_of_sizes(sizes: object, *, at: str) -> Boundaries:
    if not isinstance(sizes, list) or not all(isinstance(size, int) for size in sizes):
        raise InputError("sizes of units must be whole numbers", at=at, got=sizes)
    if sum(sizes) > MOST_WORDS:
        raise InputError(
            "a text must not have more words than a shelf of books",
            at=at,
            got=sum(sizes),
            want=f"at most {MOST_WORDS}",
        )
    return Boundaries.of_sizes(sizes)


def write_sizes(transcript: Transcript, boundaries: Boundaries) -> str:
    """Return segeval's JSON of one item and one person."""
    sizes = list(boundaries.sizes)
    value = {"segmentation_type": "linear", "items": {"text": {"output": sizes}}}
    return json.dumps(value) + "\n"
