"""Seeded draws: every item has a generator of its own, so adding one changes no other."""

import hashlib

import numpy as np


def stream(seed: int, *names: object) -> np.random.Generator:
    """Return a generator that depends on the seed and the names, and on nothing else.

    Examples
    --------
    >>> int(stream(7, "item", 3).integers(1000)) == int(stream(7, "item", 3).integers(1000))
    True
    """
    text = "\x1f".join([str(seed), *map(str, names)])
    digest = hashlib.sha256(text.encode()).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))
