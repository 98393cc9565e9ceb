"""Why a caption scored what it did: the graphs, what matched what, and the parts of `earshot`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from earmark.tasks.captions.values import Captions

if TYPE_CHECKING:
    from earmark.tasks.captions.score.graphs.comparison import GraphComparison


def explain_all(
    references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, Any]:
    """Return for each item its tuples, their nearest matches, the similarities, and the parts."""
    from earmark.tasks.captions.score.earshot.parts import all_parts
    from earmark.tasks.captions.score.graphs.comparison import (
        GraphMatcher,
        by_vectors,
        parsed_captions,
    )

    first = {item: Captions(captions.texts[:1]) for item, captions in outputs.items()}
    parts = all_parts(references, first)
    matcher = GraphMatcher(prepare=by_vectors())
    return {
        item: {
            "candidate": list(outputs[item].texts),
            "spice_plus_emb": {
                "precision": round(compared.precision, 4),
                "recall": round(compared.recall, 4),
                "value": round(compared.value, 4),
            },
            "tuples": [list(row) for row in compared.candidate],
            "reference_tuples": [list(row) for row in compared.reference],
            "matches": _matches(compared),
            "similarity": [[round(float(x), 3) for x in row] for row in compared.matrix],
            "earshot": {
                "similarity": round(parts[item].similarity, 4),
                "coverage": round(parts[item].coverage, 4),
                "unsupported": round(parts[item].unsupported, 4),
                "broken": round(parts[item].disfluency, 4),
                "value": round(parts[item].value(), 4),
            },
        }
        for item, compared in matcher.compare_all(references, outputs, parsed_captions())
    }


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
