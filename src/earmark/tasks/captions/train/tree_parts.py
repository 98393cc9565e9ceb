"""Trees put together from smaller trees."""

from functools import cache

import numpy as np

from earmark.text.treebank import Tree, TreeWord

Part = tuple[str, Tree]
HEAD = "head"


def build(*parts: Part) -> Tree:
    """Return one tree of several, in order; the one whose relation is `head` governs the rest."""
    starts = np.cumsum([0] + [len(tree) for _, tree in parts]).tolist()
    roots = [
        start + next(k for k, word in enumerate(tree) if word.head < 0)
        for start, (_, tree) in zip(starts, parts, strict=False)
    ]
    head = roots[next(k for k, (relation, _) in enumerate(parts) if relation == HEAD)]
    words: list[TreeWord] = []
    for start, (relation, tree) in zip(starts, parts, strict=False):
        for word in tree:
            words.append(_moved(word, start, relation, head))
    return tuple(words)


def _moved(word: TreeWord, start: int, relation: str, head: int) -> TreeWord:
    if word.head >= 0:
        return TreeWord(word.form, word.pos, word.tag, word.head + start, word.relation)
    if relation == HEAD:
        return word
    return TreeWord(word.form, word.pos, word.tag, head, relation)


def leaf(form: str, pos: str, tag: str) -> Tree:
    """Return a tree of one word."""
    return (TreeWord(form, pos, tag, -1, "root"),)


@cache
def inflect(lemma: str, tag: str) -> str:
    """Return the form of a word, e.g. VBZ of `fly` is `flies`."""
    from lemminflect import getInflection

    forms = getInflection(lemma, tag=tag)
    return str(forms[0]) if forms else lemma


THE, OF, AND, COMMA = (
    leaf("the", "DET", "DT"),
    leaf("of", "ADP", "IN"),
    leaf("and", "CCONJ", "CC"),
    leaf(",", "PUNCT", ","),
)


def hang(tree: Tree, part: Tree, relation: str) -> Tree:
    """Attach a part after the tree: to its root, or to the participle that the root carries."""
    root = next(k for k, word in enumerate(tree) if word.head < 0)
    last = max((index for index, word in enumerate(tree) if word.head == root), default=root)
    on = last if tree[last].relation == "acl" and tree[last].tag == "VBG" else root
    if relation == "obl" and tree[on].pos == "NOUN":
        relation = "nmod"
    start = len(tree)
    moved = [_moved(word, start, relation, on) for word in part]
    return (*tree, *moved)
