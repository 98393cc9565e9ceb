"""Dependency treebanks: sentences as rows of words, read from CoNLL-U."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from earmark.text.conllu import ConlluWord, read_conllu
from earmark.values.errors import InputError

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


def read_trees(path: Path) -> Iterator[Tree]:
    """Yield the sentences of a CoNLL-U file as trees; raise InputError for one that is no tree."""
    for sentence in read_conllu(path):
        tree = tuple(_tree_word(word, path) for word in sentence.words)
        _must_be_a_tree(tree, place=f"{path}:{sentence.line}")
        yield tree


def plain(tree: Tree) -> Tree:
    """Return the tree in lower case and without punctuation, as many captions are written.

    Words that hung on a mark of punctuation hang on the mark's governor instead. A sentence of
    nothing but punctuation gives an empty tree.

    Examples
    --------
    >>> yes = TreeWord("Yes", "INTJ", "UH", -1, "root")
    >>> plain((yes, TreeWord("!", "PUNCT", ".", 0, "punct")))
    (TreeWord(form='yes', pos='INTJ', tag='UH', head=-1, relation='root'),)
    """
    words = {old: word for old, word in enumerate(tree) if word.pos != PUNCTUATION}
    new = {old: index for index, old in enumerate(words)}

    def governor(word: TreeWord) -> int:
        head = word.head
        while head >= 0 and head not in new:
            head = tree[head].head
        return new.get(head, -1)

    return _one_root(
        [replace(word, form=word.form.lower(), head=governor(word)) for word in words.values()]
    )


def _one_root(words: list[TreeWord]) -> Tree:
    """Return the words with the first root as the only one; the others hang on it."""
    roots = [index for index, word in enumerate(words) if word.head < 0]
    others = {index: ("parataxis", roots[0]) for index in roots}
    changes = {**others, **{index: ("root", -1) for index in roots[:1]}}
    return tuple(
        replace(word, relation=changes[index][0], head=changes[index][1])
        if index in changes
        else word
        for index, word in enumerate(words)
    )


def _tree_word(word: ConlluWord, path: Path) -> TreeWord:
    if not word.head.isdigit():
        raise InputError(
            "the head of a word must be a number", at=f"{path}:{word.line}", got=word.head
        )
    return TreeWord(word.form, word.upos, word.xpos, int(word.head) - 1, word.relation)


def _must_be_a_tree(tree: Tree, *, place: str) -> None:
    if sum(word.head < 0 for word in tree) != 1:
        forms = " ".join(word.form for word in tree)
        raise InputError("a sentence must have one root", at=place, got=forms)
    if any(word.head >= len(tree) for word in tree):
        raise InputError("a head must be a word of its sentence", at=place)
