"""Runs of one to four words, counted for many captions at once.

A run is known by a 64-bit number made of its words, so that blocks of captions can be counted one
after another without a dictionary of all runs. Two of ten million runs share a number with a
chance of three in a million.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.captions.score.ngrams.blocks import Keys, Whole, Words

ORDER = 4
STEP = np.uint64(0x9E3779B97F4A7C15)
SALT = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """The distinct runs of each of a block of captions, with how often they occur there."""

    caption: Whole
    order: Whole
    key: Keys
    times: Whole
    lengths: Whole


def count(captions: Words) -> Grams:
    """The runs of one to four words in each caption."""
    flat, lengths = captions.keys, captions.lengths
    of = np.repeat(np.arange(len(captions)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(flat))
    parts = []
    with np.errstate(over="ignore"):
        keys = flat
        for order in range(ORDER):
            if order:
                keys = keys[:-1] * STEP + flat[order:] if len(keys) else keys
            there = left[: len(keys)] > order
            parts.append((of[: len(keys)][there], keys[there] * SALT + np.uint64(order), order))
    return _tallied(parts, lengths)


def _tallied(parts: list[tuple[Whole, Keys, int]], lengths: Whole) -> Grams:
    caption = np.concatenate([part[0] for part in parts])
    key = np.concatenate([part[1] for part in parts])
    order = np.concatenate([np.full(len(part[0]), part[2]) for part in parts])
    inside = within(caption, key)
    sorted_by = np.argsort(inside)
    starts = _starts(inside[sorted_by])
    times = np.diff(np.append(starts, len(key)))
    first = sorted_by[starts]
    return Grams(caption[first], order[first], key[first], times, lengths)


def _starts(column: Keys) -> Whole:
    """Where a new value begins in a sorted column."""
    if not len(column):
        return np.zeros(0, dtype=np.int64)
    return np.concatenate([[0], np.flatnonzero(column[1:] != column[:-1]) + 1])


def within(item: Whole, key: Keys) -> Keys:
    """One number for a run inside an item."""
    with np.errstate(over="ignore"):
        return key ^ ((item.astype(np.uint64) + np.uint64(1)) * STEP)


def look_up(keys: Keys, table: Keys, values: NDArray[np.generic]) -> NDArray[np.float64]:
    """The values of keys in a sorted table; 0 for those that are not there."""
    if not len(table):
        return np.zeros(len(keys))
    at = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.where(table[at] == keys, values[at], 0).astype(np.float64)


def highest(keys: Keys, values: Whole) -> tuple[Keys, Whole]:
    """Each distinct key, sorted, with the highest of its values."""
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    starts = _starts(keys)
    if not len(starts):
        return keys, values
    return keys[starts], np.maximum.reduceat(values, starts)
