"""CoNLL-U, the file format of Universal Dependencies treebanks: one word per line, ten columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from earmark.files.text import read_lines
from earmark.values.errors import InputError

COLUMNS = 10
NEW_DOCUMENT = "# newdoc"


class ConlluWord(NamedTuple):
    """The columns of a word that anybody here reads, as written, and its line in the file.

    `head` is the number of the governor within the sentence, from 1; 0 is the root.
    """

    form: str
    upos: str
    xpos: str
    head: str
    relation: str
    line: int


@dataclass(frozen=True, slots=True)
class ConlluSentence:
    """The words of a sentence, without multi-word tokens and empty nodes.

    `document` is the id of the document that begins with this sentence ("" for one without an id),
    and None within a document. `line` is the first line of the sentence, comments included.
    """

    words: tuple[ConlluWord, ...]
    document: str | None
    line: int


def read_conllu(path: Path) -> Iterator[ConlluSentence]:
    """Yield the sentences of a file; raise InputError with its line for a line that is no word."""
    words: list[ConlluWord] = []
    document: str | None = None
    first = 0
    for number, line in enumerate(read_lines(path), start=1):
        text = line.rstrip("\r\n")
        first = first or number
        if text.startswith(NEW_DOCUMENT):
            document = text.partition("=")[2].strip()
        elif text.startswith("#"):
            continue
        elif text.strip():
            words.extend(_word(text, path, number))
        elif words:
            yield ConlluSentence(tuple(words), document, first)
            words, document, first = [], None, 0
        else:
            first = 0
    if words:
        yield ConlluSentence(tuple(words), document, first)


def _word(text: str, path: Path, line: int) -> Iterator[ConlluWord]:
    """Yield the word of a line, or nothing for a multi-word token (1-2) or an empty node (1.1)."""
    cells = text.split("\t")
    if len(cells) != COLUMNS:
        raise InputError(
            "a CoNLL-U line must have ten columns",
            at=f"{path}:{line}",
            got=f"{len(cells)}",
            fix="separate by tabs",
        )
    if cells[0].isdigit():
        yield ConlluWord(cells[1], cells[3], cells[4], cells[6], cells[7], line)
