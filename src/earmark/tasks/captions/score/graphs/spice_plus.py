"""SPICE+ and SPICE+emb: graphs of captions, compared tuple by tuple (Gontier et al. 2023)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from earmark.score.metric import Metric, mean
from earmark.stats.rates import harmonic
from earmark.tasks.captions.score.fluency.detector import penalised
from earmark.tasks.captions.score.graphs.rules import graph_of
from earmark.tasks.captions.score.graphs.synonyms import same_or_synonym, synonym_source
from earmark.tasks.captions.score.graphs.term_weights import told, weigher
from earmark.tasks.captions.values import Captions, Graph, Tuple
from earmark.text.embed import DEFAULT_ENCODER, encoder, hold_little
from earmark.text.parse import Sentence, parse
from earmark.text.shipped import model_name
from earmark.values.counts import Mean

Floats = NDArray[np.float64]
BLOCK = 500
REMEMBERED = 10_000
_LATELY: dict[str, Sentence] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two graphs side by side: `matrix[i, j]` is how alike candidate i and reference j are.

    `weights` count the reference tuples; `precision`, `recall` and `value` follow from them.
    """

    candidate: tuple[Tuple, ...]
    reference: tuple[Tuple, ...]
    matrix: Floats
    weights: Floats
    precision: float
    recall: float
    value: float


def spice_plus(
    *,
    beta: float = 1.0,
    weights: str = "none",
    fluency: Literal["none", "builtin"] = "none",
) -> Metric:
    """SPICE+: F of tuples that are the same, or synonyms when WordNet is on this machine.

    Parameters
    ----------
    beta
        How many times recall weighs precision.
    weights
        `none`; `consensus` counts a tuple by the share of references that hold it; or the path of
        a JSON file, lemma to weight (1 for those not named).
    fluency
        `builtin` gives a tenth to captions that the shipped detector finds broken.

    Definition
    ----------
    Tuples (node), (node, attribute), (node, relation, node) of all captions of a side form one
    set. P = share of the candidate's that match, R = share of the references' that are matched;
    (1 + beta^2) P R / (beta^2 P + R).

    Undefined
    ---------
    Never; a side without any tuple scores 0.

    Notes
    -----
    Gontier et al. 2023. Higher is better; 0 to 1. Most values are low, and many are 0: use
    `spice_plus_emb` to rank. The signature says whether synonyms were used.
    """
    options = {
        "beta": beta,
        "weights": told(weights),
        "match": synonym_source(),
        "parser": model_name("parser"),
    }
    made = _metric("spice_plus", options, lambda a, b: exact(a, b), beta, weights, None)
    return penalised(made, fluency=fluency)


def spice_plus_emb(
    *,
    beta: float = 1.0,
    threshold: float | None = None,
    weights: str = "none",
    encoder: str = DEFAULT_ENCODER,
    fluency: Literal["none", "builtin"] = "none",
) -> Metric:
    """SPICE+emb: pseudo-F of the nearest tuples by sentence vectors.

    Parameters
    ----------
    beta
        How many times recall weighs precision. Recall can be gamed by padding: read the README.
    threshold
        When given, a similarity at or above it counts 1 and one below it 0.
    weights
        `none`; `consensus` counts a tuple by the share of references that hold it; or the path of
        a JSON file, lemma to weight (1 for those not named).
    encoder
        A sentence-transformers model by name or path.
    fluency
        `builtin` gives a tenth to captions that the shipped detector finds broken.

    Definition
    ----------
    S[i, j] = cosine of the vectors of candidate tuple i and reference tuple j, lemmas joined by
    blanks. P = mean over i of max over j, R = mean over j of max over i;
    (1 + beta^2) P R / (beta^2 P + R).

    Undefined
    ---------
    Never; a side without any tuple scores 0.

    Notes
    -----
    Gontier et al. 2023, equation 1. Higher is better; 0 to 1. It hears grammar not at all: add
    `fluency`.
    """
    options = {
        "beta": beta,
        "threshold": threshold,
        "weights": told(weights),
        "encoder": encoder,
        "parser": model_name("parser"),
    }
    compared = _by_vectors(encoder)
    made = _metric("spice_plus_emb", options, compared, beta, weights, threshold)
    return penalised(made, fluency=fluency)


Compare = Callable[[Sequence[Tuple], Sequence[Tuple]], Floats]


def _metric(
    name: str,
    options: Mapping[str, object],
    alike: Compare,
    beta: float,
    weights: str,
    threshold: float | None,
) -> Metric:
    def count_all(
        references: Mapping[str, Captions], outputs: Mapping[str, Captions]
    ) -> dict[str, Mean]:
        found = compare_all(
            references, outputs, alike=alike, beta=beta, weights=weights, threshold=threshold
        )
        return {item: Mean.of(one.value) for item, one in found}

    return Metric(
        task="captions",
        name=name,
        count=lambda reference, output: count_all({"item": reference}, {"item": output})["item"],
        count_all=count_all,
        rate=mean,
        options=options,
        average="macro",
    )


def compare_all(
    references: Mapping[str, Captions],
    outputs: Mapping[str, Captions],
    *,
    alike: Compare | None = None,
    beta: float = 1.0,
    weights: str = "none",
    threshold: float | None = None,
) -> Iterator[tuple[str, Comparison]]:
    """Each item with its two graphs side by side; read in blocks, so that memory stays bounded."""
    weigh = weigher(weights)
    items = list(references)
    hold_little(len(items))
    for start in range(0, len(items), BLOCK):
        some = items[start : start + BLOCK]
        trees = parsed([t for i in some for t in (*references[i].texts, *outputs[i].texts)])
        if alike is None or hasattr(alike, "warm"):
            alike = alike or _by_vectors(DEFAULT_ENCODER)
            _warm(alike, some, references, outputs, trees)
        for item in some:
            candidate = graph_of(trees[text] for text in outputs[item].texts)
            graphs = [graph_of([trees[text]]) for text in references[item].texts]
            yield item, _compared(candidate, graphs, alike, weigh, (beta, threshold))


def compare_one(references: Captions, said: Captions) -> Comparison:
    """The two graphs of one item."""
    return next(compare_all({"item": references}, {"item": said}))[1]


def parsed(texts: Sequence[str]) -> dict[str, Sentence]:
    """Each different text as a sentence; the last few thousand are remembered."""
    wanted = list(dict.fromkeys(texts))
    new = [text for text in wanted if text not in _LATELY]
    _LATELY.update(zip(new, parse(new), strict=True) if new else ())
    found = {text: _LATELY[text] for text in wanted}
    for text in list(_LATELY)[: max(0, len(_LATELY) - REMEMBERED)]:
        del _LATELY[text]
    return found


def _compared(
    candidate: Graph,
    graphs: Sequence[Graph],
    alike: Compare,
    weigh: Callable[[Sequence[Tuple], Sequence[Graph]], Floats],
    settings: tuple[float, float | None],
) -> Comparison:
    beta, threshold = settings
    whole = Graph()
    for graph in graphs:
        whole = whole | graph
    mine, theirs = candidate.tuples, whole.tuples
    counts = weigh(theirs, graphs)
    if not mine or not theirs:
        empty = np.zeros((len(mine), len(theirs)))
        return Comparison(mine, theirs, empty, counts, 0.0, 0.0, 0.0)
    matrix = alike(mine, theirs)
    judged = matrix if threshold is None else (matrix >= threshold).astype(float)
    precision = _weighted(judged.max(axis=1), weigh(mine, graphs))
    recall = _weighted(judged.max(axis=0), counts)
    value = max(0.0, harmonic(max(0.0, precision), max(0.0, recall), beta=beta))
    return Comparison(mine, theirs, matrix, counts, precision, recall, value)


def _weighted(values: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    return float(values @ weights) / total if total else 0.0


def exact(mine: Sequence[Tuple], theirs: Sequence[Tuple]) -> Floats:
    """1 where two tuples are the same word by word, synonyms included when WordNet is here."""
    return np.array([[float(same_or_synonym(a, b)) for b in theirs] for a in mine])


class _by_vectors:  # noqa: N801
    """Cosines of tuples' sentence vectors; `warm` embeds many at once."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.known: dict[str, NDArray[np.float32]] = {}

    def warm(self, tuples: Sequence[Tuple]) -> None:
        """Embed these, and forget others."""
        texts = sorted({" ".join(row) for row in tuples})
        self.known = dict(zip(texts, encoder(self.model).sentences(texts), strict=True))

    def __call__(self, mine: Sequence[Tuple], theirs: Sequence[Tuple]) -> Floats:
        rows = [np.stack([self.known[" ".join(row)] for row in side]) for side in (mine, theirs)]
        cosines: Floats = (rows[0] @ rows[1].T).astype(float)
        return cosines


def _warm(
    alike: Compare,
    items: Sequence[str],
    references: Mapping[str, Captions],
    outputs: Mapping[str, Captions],
    trees: Mapping[str, Sentence],
) -> None:
    rows: set[Tuple] = set()
    for item in items:
        for texts in (references[item].texts, outputs[item].texts):
            rows.update(graph_of(trees[text] for text in texts).tuples)
    alike.warm(sorted(rows))  # type: ignore[attr-defined]


def curve(references: Captions, candidates: Captions) -> list[tuple[int, float, float]]:
    """Precision and recall as the number of candidates grows (the paper's figure 2)."""
    rows = []
    for size in range(1, len(candidates.texts) + 1):
        found = compare_one(references, Captions(candidates.texts[:size]))
        rows.append((size, found.precision, found.recall))
    return rows
