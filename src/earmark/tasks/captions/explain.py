"""Why a caption scored what it did: the graphs, what matched what, and the parts of `earshot`."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from earmark.tasks.captions.values import Captions


def explain_all(
    references: Mapping[str, Captions], outputs: Mapping[str, Captions]
) -> dict[str, Any]:
    """For each item: tuples, the nearest of the other side, the similarity matrix, the parts."""
    from earmark.tasks.captions.score.earshot.metric import explain
    from earmark.tasks.captions.score.graphs.spice_plus import compare_all

    single = {item: Captions(said.texts[:1]) for item, said in outputs.items()}
    parts = explain(references, single)
    return {
        item: {
            "candidate": list(outputs[item].texts),
            "spice_plus_emb": {
                "precision": round(found.precision, 4),
                "recall": round(found.recall, 4),
                "value": round(found.value, 4),
            },
            "tuples": [list(row) for row in found.candidate],
            "reference_tuples": [list(row) for row in found.reference],
            "matches": _matches(found),
            "similarity": [[round(float(x), 3) for x in row] for row in found.matrix],
            "earshot": {
                **{name: round(value, 4) for name, value in asdict(parts[item]).items()},
                "value": round(parts[item].value(), 4),
            },
        }
        for item, found in compare_all(references, outputs)
    }


def explain_one(references: tuple[str, ...], caption: str) -> dict[str, Any]:
    """The same for one caption."""
    told: dict[str, Any] = explain_all({"it": Captions(references)}, {"it": Captions((caption,))})
    one: dict[str, Any] = told["it"]
    return one


def _matches(found: Any) -> list[dict[str, object]]:
    """The nearest reference tuple of each candidate tuple."""
    if not found.matrix.size:
        return []
    return [
        {
            "tuple": list(row),
            "nearest": list(found.reference[int(found.matrix[at].argmax())]),
            "similarity": round(float(found.matrix[at].max()), 3),
        }
        for at, row in enumerate(found.candidate)
    ]
