"""Captions as graphs, by linguistic rules over dependency trees (SPICE+, section 2.1).

Each rule is one small function that looks at one word and gives tuples; `RULES` is the list.
Coordination and "A of B" are followed wherever a rule asks who or what (`Tree.together`,
`Tree.bearers`), which is what the paper's two post-processing steps amount to.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from earmark.tasks.captions.score.graphs.tree import NOUNS, Tree
from earmark.tasks.captions.values import Graph
from earmark.text.parse import Sentence

Found = Iterator[tuple[str, ...]]
Rule = Callable[[Tree, int], Found]


def graph_of(sentences: Iterable[Sentence]) -> Graph:
    """One graph for all the captions of one side."""
    made = Graph()
    for sentence in sentences:
        made = made | _graph(Tree(sentence))
    return made


def _graph(tree: Tree) -> Graph:
    found = {row for at in range(len(tree.words)) for rule in RULES for row in rule(tree, at)}
    return Graph(
        frozenset(row[0] for row in found if len(row) == 1),
        frozenset((row[0], row[1]) for row in found if len(row) == 2),
        frozenset((row[0], row[1], row[2]) for row in found if len(row) == 3),
    )


def a_thing(tree: Tree, at: int) -> Found:
    """A dog: a noun is a node."""
    if tree.is_thing(at):
        yield (tree.name(at),)


def a_quality(tree: Tree, at: int) -> Found:
    """A loud horn, two dogs, a train horn: what stands before a noun is its attribute."""
    if not tree.is_thing(at):
        return
    for child in tree.children(at, "amod", "nummod", "compound"):
        if tree.words[child].relation == "compound:prt":
            continue
        shared = [at] + [
            other
            for other in tree.together(at)[1:]
            if tree.is_thing(other)
            and not tree.children(other, "det", "amod", "acl", "nummod")
            and tree.words[child].pos in {"ADJ", "VERB"}
        ]
        for one, quality in product(shared, tree.together(child)):
            yield from ((tree.name(b), tree.words[quality].lemma) for b in tree.bearers(one))


def a_state(tree: Tree, at: int) -> Found:
    """The engine is loud; he is a man: what a subject is said to be."""
    if not tree.children(at, "cop"):
        return
    for subject in _things(tree, tree.subjects(at)):
        if tree.words[at].pos in NOUNS:
            yield (subject, "be", tree.name(at))
        else:
            for one in tree.together(at):
                if tree.words[one].pos in {"ADJ", "VERB"}:
                    yield (subject, tree.words[one].lemma)


def a_doing(tree: Tree, at: int) -> Found:
    """A dog barks; people talking; rain continues to pour; a radio is being played."""
    if not _acts(tree, at):
        return
    done_to = _things(tree, _flat(tree, tree.children(at, "obj")))
    agents = _things(tree, _flat(tree, tree.children(at, "obl:agent")))
    lemma = tree.words[at].lemma
    for subject in _things(tree, tree.subjects(at)):
        if tree.is_passive(at) and agents:
            yield from ((agent, lemma, subject) for agent in agents)
        elif done_to:
            yield from ((subject, lemma, thing) for thing in done_to)
        else:
            yield (subject, lemma)


def a_place(tree: Tree, at: int) -> Found:
    """Walks on gravel: a doer, a verb with its preposition, and a thing."""
    if not (_acts(tree, at) or tree.is_named_doing(at)):
        return
    named = tree.is_named_doing(at)
    subjects = [tree.name(at)] if named else _things(tree, tree.subjects(at))
    for child in tree.children(at, "obl"):
        word = tree.preposition(child)
        if tree.words[child].relation != "obl" or not word:
            continue
        relation = word if named else f"{tree.words[at].lemma} {word}"
        for subject, thing in product(subjects, _things(tree, tree.together(child))):
            yield (subject, relation, thing)


def a_link(tree: Tree, at: int) -> Found:
    """A bell in a tower: two nouns and what joins them; "A of B" is one thing, not a link."""
    if not tree.is_thing(at):
        return
    for child in tree.children(at, "nmod"):
        word = tree.preposition(child)
        if word in {"", "of"} or tree.words[child].relation != "nmod":
            continue
        for one in tree.bearers(at):
            yield from (
                (tree.name(one), word, thing) for thing in _things(tree, tree.together(child))
            )


def an_owner(tree: Tree, at: int) -> Found:
    """A bird's wings: who has it."""
    for child in tree.children(at, "nmod:poss"):
        if tree.is_thing(child) and tree.is_thing(at):
            yield (tree.name(child), "have", tree.name(at))


def an_object_of_doing(tree: Tree, at: int) -> Found:
    """Typing a letter: a sound named by its verb, and what it is done to."""
    if tree.is_named_doing(at):
        for thing in _things(tree, _flat(tree, tree.children(at, "obj"))):
            yield (tree.name(at), thing)


def _acts(tree: Tree, at: int) -> bool:
    word = tree.words[at]
    if word.pos != "VERB" or word.relation in {"amod", "compound"} or word.lemma == "be":
        return False
    return not tree.is_named_doing(at)


def _flat(tree: Tree, places: Iterable[int]) -> list[int]:
    return [one for place in places for one in tree.together(place)]


def _things(tree: Tree, places: Iterable[int]) -> list[str]:
    """The names of the things among these, B for "A of B", each once."""
    names = [tree.name(b) for one in places if tree.is_thing(one) for b in tree.bearers(one)]
    return list(dict.fromkeys(names))


RULES: tuple[Rule, ...] = (
    a_thing,
    a_quality,
    a_state,
    a_doing,
    a_place,
    a_link,
    an_owner,
    an_object_of_doing,
)
