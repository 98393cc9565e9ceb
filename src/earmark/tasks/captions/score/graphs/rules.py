"""Captions as graphs, by linguistic rules over dependency trees (SPICE+, section 2.1).

Each rule is one small function that looks at one word and yields tuples; `RULES` is the list.
Coordination and "A of B" are followed wherever a rule asks who or what (`DependencyTree.conjuncts`,
`DependencyTree.bearers`), which is what the paper's two post-processing steps amount to.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from earmark.tasks.captions.score.graphs.lexicon import NOUNS
from earmark.tasks.captions.score.graphs.repair import repaired
from earmark.tasks.captions.score.graphs.tree import DependencyTree
from earmark.tasks.captions.values import Graph
from earmark.text.parse import Sentence

Tuples = Iterator[tuple[str, ...]]
Rule = Callable[[DependencyTree, int], Tuples]


def graph_of(sentences: Iterable[Sentence]) -> Graph:
    """Return one graph for all the captions of one side."""
    graph = Graph()
    for sentence in sentences:
        graph = graph | _graph(DependencyTree(repaired(sentence)))
    return graph


def _graph(tree: DependencyTree) -> Graph:
    rows = {row for word in range(len(tree.words)) for rule in RULES for row in rule(tree, word)}
    return Graph(
        frozenset(row[0] for row in rows if len(row) == 1),
        frozenset((row[0], row[1]) for row in rows if len(row) == 2),
        frozenset((row[0], row[1], row[2]) for row in rows if len(row) == 3),
    )


def nodes(tree: DependencyTree, word: int) -> Tuples:
    """Yield a node for a noun: a dog."""
    if tree.is_thing(word):
        yield (tree.name(word),)


def modifiers(tree: DependencyTree, word: int) -> Tuples:
    """Yield what precedes a noun as its attribute: a loud horn, two dogs, a train horn."""
    if not tree.is_thing(word):
        return
    for child in tree.children(word, "amod", "nummod", "compound"):
        if tree.words[child].relation == "compound:prt" or tree.is_degree(child):
            continue
        modified = [word, *_also_modified(tree, word, child)]
        for noun, modifier in product(modified, tree.conjuncts(child)):
            yield from ((tree.name(b), tree.quality(modifier)) for b in tree.bearers(noun))


def _also_modified(tree: DependencyTree, noun: int, modifier: int) -> list[int]:
    """Return further nouns that share an adjective: "loud cars and horns" are both loud."""
    if tree.words[modifier].pos not in {"ADJ", "VERB"}:
        return []
    return [
        other
        for other in tree.conjuncts(noun)[1:]
        if tree.is_thing(other) and not tree.children(other, "det", "amod", "acl", "nummod")
    ]


def copulas(tree: DependencyTree, word: int) -> Tuples:
    """Yield what a subject is said to be: the engine is loud; he is a man."""
    if not tree.children(word, "cop"):
        return
    for subject in _names(tree, tree.subjects(word)):
        if tree.words[word].pos in NOUNS:
            yield (subject, "be", tree.name(word))
        else:
            for predicate in _same_subject(tree, word):
                if tree.words[predicate].pos in {"ADJ", "VERB"}:
                    yield (subject, tree.quality(predicate))


def _same_subject(tree: DependencyTree, word: int) -> list[int]:
    """Return a predicate and those joined to it that have no subject of their own."""
    return [one for one in tree.conjuncts(word) if one == word or not tree.children(one, "nsubj")]


def actions(tree: DependencyTree, word: int) -> Tuples:
    """Yield what a subject does: a dog barks; rain continues to pour; a radio is being played."""
    if not _is_action(tree, word):
        return
    objects = _names(tree, _with_conjuncts(tree, tree.objects(word)))
    agents = _names(tree, _with_conjuncts(tree, tree.agents(word)))
    lemma = tree.quality(word)
    for subject in _names(tree, tree.subjects(word)):
        if tree.is_passive(word) and agents:
            yield from ((agent, lemma, subject) for agent in agents)
        elif objects:
            yield from ((subject, lemma, thing) for thing in objects)
        else:
            yield (subject, lemma)


def places(tree: DependencyTree, word: int) -> Tuples:
    """Yield a subject, a verb with its preposition, and a noun: walks on gravel."""
    is_gerund = tree.is_gerund(word)
    if not (is_gerund or _is_action(tree, word)):
        return
    subjects = [tree.name(word)] if is_gerund else _names(tree, tree.subjects(word))
    for child in tree.children(word, "obl"):
        preposition = tree.preposition(child)
        if tree.words[child].relation != "obl" or not preposition:
            continue
        companion = tree.companion(child)
        if companion:  # "a car drives off with sirens in the distance"
            things = _names(tree, tree.conjuncts(child))
            owners = _names(tree, companion)
            yield from ((one, preposition, thing) for one, thing in product(owners, things))
            continue
        relation = preposition if is_gerund else f"{tree.quality(word)} {preposition}"
        for subject, thing in product(subjects, _names(tree, tree.conjuncts(child))):
            yield (subject, relation, thing)


def noun_relations(tree: DependencyTree, word: int) -> Tuples:
    """Yield two nouns and their preposition: a bell in a tower.

    "A of B" is one thing instead, or B has A.
    """
    if not tree.is_thing(word):
        return
    for child in tree.children(word, "nmod"):
        preposition = tree.preposition(child)
        if preposition in {"", "of"} or tree.words[child].relation != "nmod":
            continue
        things = _names(tree, tree.conjuncts(child))
        for noun in tree.bearers(word):
            yield from ((tree.name(noun), preposition, thing) for thing in things)


def owners(tree: DependencyTree, word: int) -> Tuples:
    """Yield who has it: a bird's wings, a dog and its collar, the ticking of a clock."""
    if not tree.is_thing(word):
        return
    for owner in _names(tree, tree.owners(word)):
        yield (owner, "have", tree.name(word))


def gerund_objects(tree: DependencyTree, word: int) -> Tuples:
    """Yield the object of a sound that is named by its verb: typing a letter."""
    if tree.is_gerund(word):
        for thing in _names(tree, _with_conjuncts(tree, tree.children(word, "obj"))):
            yield (tree.name(word), thing)


def _is_action(tree: DependencyTree, index: int) -> bool:
    word = tree.words[index]
    if word.pos != "VERB" or word.relation in {"amod", "compound"} or word.lemma == "be":
        return False
    return not tree.is_gerund(index)


def _with_conjuncts(tree: DependencyTree, words: Iterable[int]) -> list[int]:
    return [conjunct for word in words for conjunct in tree.conjuncts(word)]


def _names(tree: DependencyTree, words: Iterable[int]) -> list[str]:
    """Return the names of the things among these words, B for "A of B", each once."""
    names = [tree.name(b) for word in words if tree.is_thing(word) for b in tree.bearers(word)]
    return list(dict.fromkeys(names))


RULES: tuple[Rule, ...] = (
    nodes,
    modifiers,
    copulas,
    actions,
    places,
    noun_relations,
    owners,
    gerund_objects,
)
