"""Weights of tuples: by consensus of the references, or by a dictionary of terms."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.captions.values import Graph, Tuple
from earmark.values.errors import InputError

Floats = NDArray[np.float64]


def weigher(weights: str) -> Callable[[Sequence[Tuple], Sequence[Graph]], Floats]:
    """What counts tuples: nothing, the consensus of the references, or a table of lemmas."""
    if weights == "none":
        return lambda rows, graphs: np.ones(len(rows))
    if weights == "consensus":
        return _consensus
    table = term_weights(Path(weights))
    return lambda rows, graphs: np.array(
        [max(table.get(lemma, 1.0) for lemma in row) if row else 1.0 for row in rows]
    )


def _consensus(rows: Sequence[Tuple], graphs: Sequence[Graph]) -> Floats:
    """The share of references that hold a tuple; one that none holds counts as one reference."""
    held = [set(graph.tuples) for graph in graphs]
    return np.array([max(1, sum(row in one for one in held)) / len(held) for row in rows])


@cache
def term_weights(path: Path) -> Mapping[str, float]:
    """Lemma to weight, from a JSON file."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            "weights are none, consensus, or a JSON file",
            at=path,
            got=str(error),
            want='{"siren": 3.0, ...}',
        ) from error
    if not isinstance(table, dict) or not all(
        isinstance(value, int | float) and value >= 0 for value in table.values()
    ):
        raise InputError("a weight is a number from 0 on", at=path, want='{"siren": 3.0, ...}')
    return {str(lemma): float(value) for lemma, value in table.items()}


def told(weights: str) -> str:
    """What the signature says of the weights; a table is known by its content."""
    if weights in {"none", "consensus"}:
        return weights
    text = json.dumps(dict(sorted(term_weights(Path(weights)).items())))
    return "terms-" + hashlib.sha256(text.encode()).hexdigest()[:12]
