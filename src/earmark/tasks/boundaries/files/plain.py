"""Plain texts: a unit a line, running text with marks, a word a line with its label, 0 and 1."""

import json
from pathlib import Path

from earmark.files.text import read_text
from earmark.tasks.boundaries.files.marked import LINE, Marked
from earmark.tasks.boundaries.values import Boundaries, Transcript
from earmark.text.words import fold, tokens
from earmark.values.errors import InputError

LABELS = {
    "O": "", "COMMA": ",", "PERIOD": ".", "QUESTION": "?", "EXCLAMATION": "!",
    "SEMICOLON": ";", "COLON": ":", "0": "", "1": LINE,
}  # fmt: skip


def read_lines(path: Path, *, encoding: str = "utf-8") -> Marked:
    """A text whose lines are units; its marks are kept too."""
    words: list[str] = []
    marks: list[str] = []
    for line in _text(path, encoding).split("\n"):
        found = tokens(line)
        words += [token.word for token in found]
        marks += [token.mark for token in found]
        if found:
            marks[-1] += LINE
    return Marked(tuple(words), tuple(marks))


def _text(path: Path, encoding: str) -> str:
    """UTF-8 where it is UTF-8, else what was said: corpora are often a mixture of the two."""
    try:
        return read_text(path)
    except InputError:
        if encoding == "utf-8":
            raise
        return read_text(path, encoding=encoding)


def write_lines(transcript: Transcript, boundaries: Boundaries) -> str:
    """A unit a line."""
    return "".join(" ".join(unit) + "\n" for unit in units(transcript, boundaries))


def write_text(transcript: Transcript, boundaries: Boundaries) -> str:
    """Running text with a full stop after each unit."""
    return " ".join(" ".join(unit) + "." for unit in units(transcript, boundaries)) + "\n"


def units(transcript: Transcript, boundaries: Boundaries) -> list[list[str]]:
    """The words of each unit."""
    found = []
    start = 0
    for size in boundaries.sizes:
        found.append(list(transcript.words[start : start + size]))
        start += size
    return found


def read_labels(path: Path) -> Marked:
    """A word and its label on every line, with a tab between: the IWSLT format."""
    words: list[str] = []
    marks: list[str] = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        word, tab, label = line.rpartition("\t")
        if not tab or label.strip().upper() not in LABELS:
            raise _bad_label(path, number, line, len(words))
        words.append(fold(word.strip()))
        marks.append(LABELS[label.strip().upper()])
    lined = any(LINE in mark for mark in marks)
    return Marked(tuple(words), tuple(marks), units="lines" if lined else "marks")


def _bad_label(path: Path, number: int, line: str, seen: int) -> InputError:
    return InputError(
        "every line holds a word, a tab, and a label",
        at=f"{path}:{number}",
        got=line,
        want=", ".join(sorted(LABELS)),
        fix="correct the line" if seen else "correct the line, or name a .txt file for plain text",
    )


def write_labels(transcript: Transcript, boundaries: Boundaries) -> str:
    """A word and PERIOD or O on every line."""
    return "".join(
        f"{word}\t{'PERIOD' if at in boundaries.after else 'O'}\n"
        for at, word in enumerate(transcript.words)
    )


def read_bits(path: Path) -> Marked:
    """0 and 1 for every word, as the authors' tool dumps them; there are no words to compare."""
    signs = [sign for sign in read_text(path) if not sign.isspace() and sign not in ",[]"]
    strange = next((sign for sign in signs if sign not in "01"), None)
    if strange is not None:
        raise InputError("a .seg file holds 0 and 1 only", at=path, got=strange)
    marks = tuple(LINE if sign == "1" else "" for sign in signs)
    return Marked(("",) * len(marks), marks)


def write_bits(transcript: Transcript, boundaries: Boundaries) -> str:
    """0 and 1 for every word."""
    return "".join("1" if at in boundaries.after else "0" for at in range(boundaries.length)) + "\n"


def from_boundaries(boundaries: Boundaries) -> Marked:
    """Boundaries without words."""
    marks = tuple(LINE if at in boundaries.after else "" for at in range(boundaries.length))
    return Marked(("",) * boundaries.length, marks)


def read_sizes(path: Path, told: object) -> dict[str, dict[str, Marked]]:
    """Segeval's JSON: item to person to the number of words in each unit."""
    items = told.get("items") if isinstance(told, dict) else None
    if not isinstance(items, dict) or not all(isinstance(one, dict) for one in items.values()):
        raise InputError(
            "segeval's file maps items to people to sizes of units", at=path, got=type(told)
        )
    found: dict[str, dict[str, Marked]] = {}
    for item, people in items.items():
        for person, sizes in people.items():
            if not isinstance(sizes, list) or not all(isinstance(n, int) for n in sizes):
                raise InputError(
                    "sizes of units are whole numbers", at=f"{path}, {item}, {person}", got=sizes
                )
            boundaries = Boundaries.of_sizes(sizes)
            found.setdefault(str(item), {})[str(person)] = from_boundaries(boundaries)
    return found


def write_sizes(transcript: Transcript, boundaries: Boundaries) -> str:
    """Segeval's JSON of one item and one person."""
    sizes = list(boundaries.sizes)
    told = {"segmentation_type": "linear", "items": {"text": {"output": sizes}}}
    return json.dumps(told) + "\n"
