"""Runs of one to four words, counted for many captions at once.

A run is known by a 64-bit number made of its words, so that blocks of captions can be counted one
after another without a dictionary of all runs, and a million captions fit in memory. Two of ten
million runs share a number with a chance of three in a million.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from earmark.text.vector_store import key_of

Tokens = tuple[str, ...]
Keys = NDArray[np.uint64]
ORDER = 4
BLOCK = 20_000
STEP = np.uint64(0x9E3779B97F4A7C15)
SALT = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """The distinct runs of each of a block of captions, with how often they occur there."""

    caption: NDArray[np.int64]
    order: NDArray[np.int64]
    key: Keys
    times: NDArray[np.int64]
    lengths: NDArray[np.int64]


def count(captions: Sequence[Tokens]) -> Grams:
    """The runs of one to four words in each caption."""
    lengths = np.array([len(words) for words in captions], dtype=np.int64)
    flat = np.array([_word(word) for words in captions for word in words], dtype=np.uint64)
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


def _tallied(parts: list[tuple[NDArray[np.int64], Keys, int]], lengths: NDArray[np.int64]) -> Grams:
    caption = np.concatenate([part[0] for part in parts])
    key = np.concatenate([part[1] for part in parts])
    order = np.concatenate([np.full(len(part[0]), part[2]) for part in parts])
    inside = within(caption, key)
    sorted_by = np.argsort(inside)
    starts = _starts(inside[sorted_by])
    times = np.diff(np.append(starts, len(key)))
    first = sorted_by[starts]
    return Grams(caption[first], order[first], key[first], times, lengths)


def _starts(column: Keys) -> NDArray[np.int64]:
    """Where a new value begins in a sorted column."""
    if not len(column):
        return np.zeros(0, dtype=np.int64)
    return np.concatenate([[0], np.flatnonzero(column[1:] != column[:-1]) + 1])


def within(item: NDArray[np.int64], key: Keys) -> Keys:
    """One number for a run inside an item."""
    with np.errstate(over="ignore"):
        return key ^ ((item.astype(np.uint64) + np.uint64(1)) * STEP)


def look_up(keys: Keys, table: Keys, values: NDArray[np.generic]) -> NDArray[np.float64]:
    """The values of keys in a sorted table; 0 for those that are not there."""
    if not len(table):
        return np.zeros(len(keys))
    at = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.where(table[at] == keys, values[at], 0).astype(np.float64)


def highest(keys: Keys, values: NDArray[np.int64]) -> tuple[Keys, NDArray[np.int64]]:
    """Each distinct key, sorted, with the highest of its values."""
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    starts = _starts(keys)
    if not len(starts):
        return keys, values
    return keys[starts], np.maximum.reduceat(values, starts)


def blocks(size: int) -> Iterator[slice]:
    """Slices that together cover `size` things."""
    return (slice(start, start + BLOCK) for start in range(0, size, BLOCK))


@lru_cache(maxsize=200_000)
def _word(word: str) -> int:
    return int.from_bytes(key_of(word)[:8], "little")
