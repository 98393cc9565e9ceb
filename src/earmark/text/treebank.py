"""Dependency treebanks: sentences as rows of words, read from CoNLL-U and written down again."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from earmark.values.errors import InputError

COLUMNS = 10
PUNCTUATION = "PUNCT"


@dataclass(frozen=True, slots=True)
class TreeWord:
    """One word of a tree. `head` is the index of its governor in the sentence, -1 at the root."""

    form: str
    pos: str
    tag: str
    head: int
    relation: str


Tree = tuple[TreeWord, ...]


def read_conllu(path: Path) -> Iterator[Tree]:
    """The sentences of a CoNLL-U file; multi-word tokens and empty nodes are left out."""
    rows: list[TreeWord] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.rstrip("\n")
            if not text:
                yield from _finished(rows, path, number)
                rows = []
            elif not text.startswith("#"):
                rows.extend(_word(text.split("\t"), f"{path}:{number}"))
    yield from _finished(rows, path, None)


def plain(tree: Tree) -> Tree:
    """The tree in lower case and without punctuation, as many captions are written.

    Words that hung on a mark of punctuation hang on the mark's governor instead. A sentence of
    nothing but punctuation gives an empty tree.

    Examples
    --------
    >>> yes = TreeWord("Yes", "INTJ", "UH", -1, "root")
    >>> plain((yes, TreeWord("!", "PUNCT", ".", 0, "punct")))
    (TreeWord(form='yes', pos='INTJ', tag='UH', head=-1, relation='root'),)
    """
    kept = [at for at, word in enumerate(tree) if word.pos != PUNCTUATION]
    new = {old: at for at, old in enumerate(kept)}

    def governor(at: int) -> int:
        head = tree[at].head
        while head >= 0 and head not in new:
            head = tree[head].head
        return new.get(head, -1)

    words = [replace(tree[at], form=tree[at].form.lower(), head=governor(at)) for at in kept]
    return _one_root(words)


def _one_root(words: list[TreeWord]) -> Tree:
    roots = [at for at, word in enumerate(words) if word.head < 0]
    for at in roots[:1]:
        words[at] = replace(words[at], relation="root")
    for at in roots[1:]:
        words[at] = replace(words[at], head=roots[0], relation="parataxis")
    return tuple(words)


def _finished(rows: Iterable[TreeWord], path: Path, line: int | None) -> Iterator[Tree]:
    tree = tuple(rows)
    if not tree:
        return
    at = f"{path}:{line}" if line else str(path)
    if sum(word.head < 0 for word in tree) != 1:
        raise InputError("a sentence has one root", at=at, got=" ".join(w.form for w in tree))
    if any(word.head >= len(tree) for word in tree):
        raise InputError("a head must be a word of its sentence", at=at)
    yield tree


def _word(cells: list[str], at: str) -> Iterator[TreeWord]:
    if len(cells) != COLUMNS:
        raise InputError(
            "a CoNLL-U line has ten columns", at=at, got=f"{len(cells)}", fix="separate by tabs"
        )
    if "-" in cells[0] or "." in cells[0]:
        return
    if not cells[6].isdigit():
        raise InputError("the head of a word is a number", at=at, got=cells[6])
    yield TreeWord(cells[1], cells[3], cells[4], int(cells[6]) - 1, cells[7])
