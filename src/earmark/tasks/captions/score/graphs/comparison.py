"""Two graphs side by side: which tuples of a caption match tuples of its references."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from earmark.arrays import Bools, Floats, Floats32
from earmark.stats.rates import harmonic
from earmark.tasks.captions.score.graphs.negation import is_negative
from earmark.tasks.captions.score.graphs.rules import graph_of
from earmark.tasks.captions.score.graphs.synonyms import same_or_synonym
from earmark.tasks.captions.score.graphs.term_weights import Weigher, equal_weights
from earmark.tasks.captions.score.recent import RecentTexts
from earmark.tasks.captions.values import Captions, Graph, Tuple
from earmark.text.embed import DEFAULT_ENCODER, encoder
from earmark.text.parse import Sentence, parse

# Items per block: what is held at once is the trees and the tuples' vectors of this many items.
BLOCK = 500
# Captions whose trees are kept: a block of items with up to 20 captions each. A tree takes some kB.
REMEMBERED = 10_000

Similarity = Callable[[Sequence[Tuple], Sequence[Tuple]], Floats]
"""From m candidate and n reference tuples to their similarities, of shape (m, n)."""

Prepare = Callable[[Sequence[Tuple]], Similarity]
"""From all tuples of a block to the similarity of any two of them; embeds them in one batch."""


@dataclass(frozen=True, slots=True, eq=False)
class GraphComparison:
    """Two graphs side by side, and what follows from their similarities."""

    candidate: tuple[Tuple, ...]
    reference: tuple[Tuple, ...]
    matrix: Floats  # (candidate tuples, reference tuples), similarities
    weights: Floats  # (reference tuples,)
    precision: float
    recall: float
    value: float


def parsed_captions() -> RecentTexts[Sentence]:
    """Return an empty cache of captions' dependency trees."""
    return RecentTexts(parse, size=REMEMBERED)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GraphMatcher:
    """How the graphs of captions are compared.

    A similarity at or above `threshold` counts 1 and one below it 0; None counts it as it is.
    """

    prepare: Prepare
    beta: float = 1.0
    threshold: float | None = None
    weigh: Weigher = equal_weights

    def compare_all(
        self,
        references: Mapping[str, Captions],
        outputs: Mapping[str, Captions],
        trees: RecentTexts[Sentence],
    ) -> Iterator[tuple[str, GraphComparison]]:
        """Yield each item with its comparison; items are read in blocks to bound the memory."""
        items = list(references)
        for start in range(0, len(items), BLOCK):
            block = items[start : start + BLOCK]
            texts = [t for i in block for t in (*references[i].texts, *outputs[i].texts)]
            graphs = {text: graph_of([tree]) for text, tree in trees.of(texts).items()}
            pairs = {
                item: GraphPair(
                    _union(graphs[text] for text in outputs[item].texts),
                    tuple(graphs[text] for text in references[item].texts),
                )
                for item in block
            }
            similarity = self.prepare(sorted({row for p in pairs.values() for row in p.tuples()}))
            for item, pair in pairs.items():
                yield item, self._compare(pair, similarity)

    def _compare(self, pair: "GraphPair", similarity: Similarity) -> GraphComparison:
        candidate, reference = pair.candidate.tuples, _union(pair.references).tuples
        weights = self.weigh(reference, pair.references)
        if not candidate or not reference:
            empty = np.zeros((len(candidate), len(reference)))
            return GraphComparison(candidate, reference, empty, weights, 0.0, 0.0, 0.0)
        matrix = similarity(candidate, reference) * _same_polarity(candidate, reference)
        credit = matrix if self.threshold is None else (matrix >= self.threshold).astype(float)
        own_weights = self.weigh(candidate, pair.references)
        precision = _weighted_mean(credit.max(axis=1), own_weights)
        recall = _weighted_mean(credit.max(axis=0), weights)
        value = max(0.0, harmonic(max(0.0, precision), max(0.0, recall), beta=self.beta))
        return GraphComparison(candidate, reference, matrix, weights, precision, recall, value)


@dataclass(frozen=True, slots=True)
class GraphPair:
    """The graph of an item's candidate captions, and one graph for each of its references."""

    candidate: Graph
    references: tuple[Graph, ...]

    def tuples(self) -> Iterator[Tuple]:
        """Yield the tuples of both sides; some come more than once."""
        for graph in (self.candidate, *self.references):
            yield from graph.tuples


def compare_one(references: Captions, candidate: Captions) -> GraphComparison:
    """Return the comparison of one item by sentence vectors, as SPICE+emb makes it."""
    matcher = GraphMatcher(prepare=by_vectors())
    sides = {"item": references}, {"item": candidate}
    return next(matcher.compare_all(*sides, parsed_captions()))[1]


def curve(references: Captions, candidates: Captions) -> list[tuple[int, float, float]]:
    """Return precision and recall as the number of candidates grows (the paper's figure 2)."""
    rows = []
    for size in range(1, len(candidates.texts) + 1):
        comparison = compare_one(references, Captions(candidates.texts[:size]))
        rows.append((size, comparison.precision, comparison.recall))
    return rows


def by_words(tuples: Sequence[Tuple]) -> Similarity:
    """Return a similarity of 1 for tuples that are equal or synonyms, else 0; prepare nothing."""
    return exact


def exact(candidate: Sequence[Tuple], reference: Sequence[Tuple]) -> Floats:
    """Return 1 where two tuples are equal (or synonyms, if WordNet is found) by word, else 0."""
    return np.array([[float(same_or_synonym(a, b)) for b in reference] for a in candidate])


def by_vectors(model: str = DEFAULT_ENCODER) -> Prepare:
    """Return what embeds the tuples of a block, for cosines of their sentence vectors."""

    def prepare(tuples: Sequence[Tuple]) -> Similarity:
        texts = sorted({" ".join(row) for row in tuples})
        return partial(_cosines, dict(zip(texts, encoder(model).sentences(texts), strict=True)))

    return prepare


def _cosines(
    vectors: Mapping[str, Floats32], candidate: Sequence[Tuple], reference: Sequence[Tuple]
) -> Floats:
    sides = [np.stack([vectors[" ".join(row)] for row in side]) for side in (candidate, reference)]
    cosines: Floats = (sides[0] @ sides[1].T).astype(float)
    return cosines


def _union(graphs: Iterator[Graph] | Sequence[Graph]) -> Graph:
    union = Graph()
    for graph in graphs:
        union = union | graph
    return union


def _same_polarity(candidate: Sequence[Tuple], reference: Sequence[Tuple]) -> Bools:
    """Return where both tuples affirm or both deny, of shape (candidate, reference)."""
    sides = [np.array([is_negative(row) for row in side]) for side in (candidate, reference)]
    same: Bools = sides[0][:, None] == sides[1][None, :]
    return same


def _weighted_mean(values: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total else 0.0
