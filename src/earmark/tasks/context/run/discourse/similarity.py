"""How much a noun has to do with what is said around it, by the vectors of words."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from earmark.tasks.context.run.discourse.corpus import Flat
from earmark.tasks.context.run.discourse.vectors import piece_vectors, unit

Array = Any
SPANS = (8, 25, 60)
NEAR = 12


def similarity_columns(flat: Flat, topics: Sequence[Array], rows: Array) -> dict[str, Array]:
    """Cosines of nouns with the words around them, by both kinds of vectors.

    Documents are taken one by one, so that memory stays small.
    """
    pieces = piece_vectors(flat)
    found = {}
    for name, tables in (("pieces", [pieces] * len(topics)), ("topics", topics)):
        parts = [_document(flat, d, table) for d, table in enumerate(tables)]
        joined = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
        found.update({f"{name} {key}": value[rows] for key, value in joined.items()})
    return found


def _document(flat: Flat, document: int, table: Array) -> dict[str, Array]:
    """Likeness of every noun of a document to words around, near nouns, and the whole."""
    low, high = flat.starts[document], flat.starts[document + 1]
    used = table[flat.types[low:high]] * flat.content[low:high, None]
    first, last = np.searchsorted(flat.nouns, [low, high])
    nouns = flat.nouns[first:last] - low
    here = unit(used[nouns])
    sums = np.concatenate([np.zeros((1, used.shape[1]), used.dtype), np.cumsum(used, axis=0)])
    found = {}
    for span in SPANS:
        begin, end = np.maximum(nouns - span, 0), np.minimum(nouns + span + 1, high - low)
        found[f"within {span}"] = _cosine(here, sums[end] - sums[begin] - used[nouns])
    _, index, times = np.unique(
        flat.types[low:high][nouns], return_inverse=True, return_counts=True
    )
    whole = sums[-1] - used[nouns] * times[index][:, None]
    found["document"] = _cosine(here, whole)
    return {**found, **_nearest(here, flat.stems[low:high][nouns])}


def _nearest(here: Array, stems: Array) -> dict[str, Array]:
    """The likest other noun among the nearest ones, before and after."""
    count = len(here)
    gap = np.arange(count)[:, None] - np.arange(count)[None, :]
    like = here @ here.T
    other = (stems[:, None] != stems[None, :]) & (np.abs(gap) <= NEAR)
    before = np.where(other & (gap > 0), like, -1.0)
    after = np.where(other & (gap < 0), like, -1.0)
    whole = np.where(stems[:, None] != stems[None, :], like, -1.0)
    return {
        "likest before": before.max(axis=1, initial=-1.0),
        "likest after": after.max(axis=1, initial=-1.0),
        "likest sum": np.maximum(before, 0).sum(axis=1) + np.maximum(after, 0).sum(axis=1),
        "likest of all": whole.max(axis=1, initial=-1.0),
    }


def _cosine(rows: Array, others: Array) -> Array:
    lengths = np.linalg.norm(others, axis=1)
    return np.einsum("ij,ij->i", rows, others) / np.maximum(lengths, 1e-9)
