"""Weights of tuples: all equal, by consensus of the references, or by a table of terms."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from earmark.arrays import Floats
from earmark.files.digest import content_digest
from earmark.files.json_text import read_json
from earmark.tasks.captions.values import Graph, Tuple
from earmark.values.errors import InputError

Weigher = Callable[[Sequence[Tuple], Sequence[Graph]], Floats]
"""From tuples and the references' graphs to a weight for each tuple."""


def weigher(weights: str) -> Weigher:
    """Return what weighs tuples: `none`, `consensus`, or a JSON file of lemmas by its path."""
    if weights == "none":
        return equal_weights
    if weights == "consensus":
        return _consensus
    table = term_weights(Path(weights))
    return lambda rows, graphs: np.array(
        [max(table.get(lemma, 1.0) for lemma in row) if row else 1.0 for row in rows]
    )


def equal_weights(rows: Sequence[Tuple], graphs: Sequence[Graph]) -> Floats:
    """Return 1 for each tuple."""
    return np.ones(len(rows))


def _consensus(rows: Sequence[Tuple], graphs: Sequence[Graph]) -> Floats:
    """Return the share of references that hold each tuple; at least that of one reference."""
    references = [set(graph.tuples) for graph in graphs]
    counts = [max(1, sum(row in tuples for tuples in references)) for row in rows]
    return np.array([count / len(references) for count in counts])


def term_weights(path: Path) -> Mapping[str, float]:
    """Read lemmas and their weights from a JSON file; raise InputError if it holds others."""
    try:
        table = read_json(path)
    except InputError as error:
        raise InputError(
            "weights are none, consensus, or a JSON file",
            at=path,
            got=str(error),
            want='{"siren": 3.0, ...}',
        ) from error
    if not isinstance(table, dict) or not all(
        isinstance(value, int | float) and value >= 0 for value in table.values()
    ):
        raise InputError("a weight must be a number >= 0", at=path, want='{"siren": 3.0, ...}')
    return {str(lemma): float(value) for lemma, value in table.items()}


def weights_name(weights: str) -> str:
    """Return what the signature says of the weights; a table is identified by its content."""
    if weights in {"none", "consensus"}:
        return weights
    text = json.dumps(dict(sorted(term_weights(Path(weights)).items())))
    return "terms-" + content_digest(text)[:12]
