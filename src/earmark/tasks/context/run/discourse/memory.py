"""The document's own memory: was this noun said before, and would an earlier one fit better."""

from typing import Any

import numpy as np

from earmark.tasks.context.run.discourse.corpus import Flat, mix
from earmark.tasks.context.run.discourse.ngram_counts import CONTEXTS, WIDTHS, Around, Known, Table

Array = Any
BACK = 10
FAR = 500.0
OWN = 3.0


def memory_columns(flat: Flat, known: Known, rows: Array) -> dict[str, Array]:
    """Mentions, distances, word pairs said elsewhere in the document, and better candidates."""
    everywhere = {
        **_mentions(flat, flat.keys[flat.nouns], "word"),
        **_mentions(flat, flat.stems[flat.nouns], "stem"),
        **_pairs(flat),
        "place": flat.place[flat.nouns] / np.diff(flat.starts)[flat.document[flat.nouns]],
        "length": np.log(np.diff(flat.starts))[flat.document[flat.nouns]],
    }
    return {
        **{name: value[rows] for name, value in everywhere.items()},
        **_rivals(flat, known, rows),
    }


def _mentions(flat: Flat, keys: Array, name: str) -> dict[str, Array]:
    """How often the noun is said in the document, and how many nouns away the nearest are."""
    document = flat.document[flat.nouns]
    pair = mix(document.astype(np.uint64), keys)
    table = Table.of(pair)
    order = np.argsort(pair, kind="stable")
    number = np.arange(len(pair))
    same = np.append(pair[order][1:] == pair[order][:-1], False)
    gap = np.where(same, np.append(number[order][1:], 0) - number[order], FAR)
    after = np.full(len(pair), FAR)
    before = np.full(len(pair), FAR)
    after[order] = np.minimum(gap, FAR)
    before[order[1:]] = np.minimum(gap[:-1], FAR)
    return {
        f"{name} said": np.log(table.look_up(pair)),
        f"{name} before": np.log(before),
        f"{name} after": np.log(after),
        f"{name} near": np.log(np.minimum(before, after)),
    }


def _pairs(flat: Flat) -> dict[str, Array]:
    """How often the noun stands beside the same neighbour elsewhere in the document."""
    around = Around.of(flat, flat.nouns)
    document = flat.document[flat.nouns].astype(np.uint64)
    found = {}
    for name, gram, context in (("lw", "lw", "l"), ("wr", "wr", "r")):
        pair = mix(document, around.grams()[gram])
        place = mix(document, around.contexts()[context])
        again = Table.of(pair).look_up(pair) - 1
        found[f"own {name}"] = again
        found[f"own {name} other"] = Table.of(place).look_up(place) - 1 - again
    return found


def _rivals(flat: Flat, known: Known, rows: Array) -> dict[str, Array]:
    """Whether one of the last nouns of the same kind would fit the place better than the noun."""
    nouns = flat.nouns[rows]
    back = rows[:, None] - np.arange(1, BACK + 1)
    earlier = flat.nouns[back]
    usable = (back >= 0) & (flat.document[earlier] == flat.document[nouns][:, None])
    usable &= flat.tags[earlier] == flat.tags[nouns][:, None]
    rival = flat.keys[earlier]
    usable &= rival != flat.keys[nouns][:, None]
    around = Around.of(flat, nouns)
    document = flat.document[nouns][:, None]
    own = _fit(known, document, around.here[:, None], around, own=1)
    theirs = _fit(known, document, rival, around, own=0)
    worst = -50.0
    best = {name: np.where(usable, value, worst).max(axis=1) for name, value in theirs.items()}
    found = {}
    for name, value in best.items():
        found[f"rival {name}"] = np.where(value > worst, value, np.nan)
        found[f"rival {name} ahead"] = np.where(value > worst, value - own[name][:, 0], np.nan)
    return found


def _fit(known: Known, document: Array, words: Array, around: Around, own: int) -> dict[str, Array]:
    """Log shares of words between the neighbours, from other documents and from this one."""
    document = np.repeat(document, words.shape[1], axis=1)
    total = known.outside(document, mix(np.uint64(WIDTHS["w"]), words))
    share = (total + 0.5) / known.seen.nouns
    left = np.repeat(around.left[:, None], words.shape[1], axis=1)
    right = np.repeat(around.right[:, None], words.shape[1], axis=1)
    found = {}
    for name, gram, context in (
        ("left", mix(np.uint64(WIDTHS["lw"]), left, words), mix(np.uint64(CONTEXTS["l"]), left)),
        ("right", mix(np.uint64(WIDTHS["wr"]), words, right), mix(np.uint64(CONTEXTS["r"]), right)),
    ):
        said = np.maximum(known.own.look_up(document, gram) - own, 0)
        above = known.outside(document, gram) + OWN * said + 5 * share
        places = known.outside(document, context) + OWN * known.own.look_up(document, context)
        found[name] = np.log(above / (places + 5))
    found["both"] = found["left"] + found["right"] - np.log(share)
    return found
