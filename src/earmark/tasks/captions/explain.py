"""Why a caption scored what it did: graphs, what matched what, words, the parts of `earshot`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from earmark.task.extras import missing_packages
from earmark.tasks.captions.values import Captions
from earmark.text.embed import DEFAULT_ENCODER, encoder_packages
from earmark.text.parse import PACKAGES as PARSER

if TYPE_CHECKING:
    from earmark.tasks.captions.score.graphs.comparison import GraphComparison

Sides = Mapping[str, Captions]
Section = tuple[str, dict[str, Any]]  # an item, and what is said of it
THRESHOLD = 0.9  # as `fense` penalises: see score/fluency/penalty.py


def explain_all(
    references: Mapping[str, Captions],
    outputs: Mapping[str, Captions],
    metrics: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return for each item what its scores by some metrics are made of.

    Without metrics, what `earshot` and `spice_plus_emb` are made of, or words alone where the
    models of those are not installed. SPICE and its kin are made of
    tuples and their nearest matches, sentence similarity of a cosine per reference, and the
    n-gram metrics of the words that both sides have.
    """
    asked = frozenset(metrics or _by_default())
    parts: dict[str, dict[str, Any]] = {
        item: {"candidate": list(outputs[item].texts), "references": list(references[item].texts)}
        for item in references
    }
    for explainable, explain in SECTIONS:
        if asked & explainable:
            for item, section in explain(references, outputs, asked):
                parts[item] |= section
    return parts


def _by_default() -> tuple[str, ...]:
    has_models = not missing_packages(*PARSER, *encoder_packages(DEFAULT_ENCODER))
    return ("earshot", "spice_plus_emb") if has_models else ("cider_d",)


def _words(references: Sides, outputs: Sides, asked: frozenset[str]) -> Iterator[Section]:
    """Yield the words that a caption shares with its references, and those it does not."""
    from earmark.tasks.captions.score.ngrams.tokens import tokenise

    for item, captions in outputs.items():
        own = dict.fromkeys(word for text in captions.texts for word in tokenise(text))
        theirs = Counter(
            w for text in references[item].texts for w in dict.fromkeys(tokenise(text))
        )
        words = {
            "shared": [word for word in own if word in theirs],
            "in_no_reference": [word for word in own if word not in theirs],
            # what most references say is missed most
            "missing": [word for word, _ in theirs.most_common() if word not in own],
        }
        yield item, {"words": words}


def _sentences(references: Sides, outputs: Sides, asked: frozenset[str]) -> Iterator[Section]:
    """Yield the cosine of a caption with each of its references, and if it is disfluent."""
    from earmark.tasks.captions.score.fluency.detector import detector
    from earmark.text.embed import DEFAULT_ENCODER, encoder

    order = sorted(
        {t for side in (references, outputs) for own in side.values() for t in own.texts}
    )
    vectors = dict(zip(order, encoder(DEFAULT_ENCODER).sentences(order), strict=True))
    probabilities = detector().probabilities([own.texts[0] for own in outputs.values()]).tolist()
    for (item, own), probability in zip(outputs.items(), probabilities, strict=True):
        vector = vectors[own.texts[0]]
        cosines = [round(float(vector @ vectors[text]), 4) for text in references[item].texts]
        section: dict[str, Any] = {"cosines": cosines}
        if "fense" in asked:
            section["disfluent"] = {
                "probability": round(float(probability), 4),
                "penalised": probability > THRESHOLD,
            }
        yield item, {"sentence": section}


def _graphs(references: Sides, outputs: Sides, asked: frozenset[str]) -> Iterator[Section]:
    """Yield the tuples of both sides, their nearest matches and similarities, precision, recall."""
    from earmark.tasks.captions.score.graphs.comparison import (
        GraphMatcher,
        by_vectors,
        by_words,
        parsed_captions,
    )

    name = "spice_plus_emb" if "spice_plus_emb" in asked else "spice_plus"
    matcher = GraphMatcher(prepare=by_vectors() if name == "spice_plus_emb" else by_words)
    for item, compared in matcher.compare_all(references, outputs, parsed_captions()):
        yield (
            item,
            {
                name: {
                    "precision": round(compared.precision, 4),
                    "recall": round(compared.recall, 4),
                    "value": round(compared.value, 4),
                },
                "tuples": [list(row) for row in compared.candidate],
                "reference_tuples": [list(row) for row in compared.reference],
                "matches": _matches(compared),
                "similarity": [[round(float(x), 3) for x in row] for row in compared.matrix],
            },
        )


def _earshot(references: Sides, outputs: Sides, asked: frozenset[str]) -> Iterator[Section]:
    """Yield the parts of `earshot`."""
    from earmark.tasks.captions.score.earshot.parts import all_parts

    first = {item: Captions(captions.texts[:1]) for item, captions in outputs.items()}
    for item, parts in all_parts(references, first).items():
        section = {
            "similarity": round(parts.similarity, 4),
            "coverage": round(parts.coverage, 4),
            "unsupported": round(parts.unsupported, 4),
            "generic": round(parts.generic, 4),
            "distance": round(parts.distance, 4),
            "contradicted": round(parts.contradicted, 4),
            "log_odds_of_disfluency": round(parts.disfluency, 4),
            "value": round(parts.value(), 4),
        }
        yield item, {"earshot": section}


# which metrics a section explains, and the function that writes it
SECTIONS = (
    (frozenset({"earshot"}), _earshot),
    (frozenset({"spice_plus_emb", "spice_plus", "spice", "spider", "spider_plus"}), _graphs),
    (frozenset({"sentence", "fense"}), _sentences),
    (
        frozenset(
            "cider cider_d bleu_1 bleu_2 bleu_3 bleu_4 rouge_l meteor spider spider_plus".split()
        ),
        _words,
    ),
)


def explain_one(references: tuple[str, ...], caption: str) -> dict[str, Any]:
    """Return the same for one caption and its references."""
    sides = {"item": Captions(references)}, {"item": Captions((caption,))}
    explanation: dict[str, Any] = explain_all(*sides)["item"]
    return explanation


def _matches(compared: "GraphComparison") -> list[dict[str, object]]:
    """Return the nearest reference tuple of each candidate tuple."""
    if not compared.matrix.size:
        return []
    return [
        {
            "tuple": list(row),
            "nearest": list(compared.reference[int(similarities.argmax())]),
            "similarity": round(float(similarities.max()), 3),
        }
        for row, similarities in zip(compared.candidate, compared.matrix, strict=True)
    ]
