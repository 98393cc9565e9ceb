"""Everything that is asked of a noun, one column a question; three families, by name."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from earmark.tasks.context.run.discourse.corpus import Flat
from earmark.tasks.context.run.discourse.memory import memory_columns
from earmark.tasks.context.run.discourse.ngram_counts import Around, Known
from earmark.tasks.context.run.discourse.similarity import similarity_columns

Array = Any
GIVEN = {
    "lw": "l",
    "wr": "r",
    "llw": "ll",
    "wrr": "rr",
    "lwr": "l_r",
    "l_w": "l2",
    "w_r": "r2",
}


@dataclass(frozen=True)
class Columns:
    """Named columns of numbers, one row a noun."""

    names: list[str] = field(default_factory=list)
    values: list[Array] = field(default_factory=list)

    def add(self, found: dict[str, Array]) -> None:
        """Take in columns."""
        for name, value in found.items():
            self.names.append(name)
            self.values.append(np.asarray(value, np.float32))

    def matrix(self) -> Array:
        """Rows by columns."""
        return np.column_stack(self.values)


def local_columns(flat: Flat, known: Known, rows: Array) -> dict[str, Array]:
    """What the words right beside a noun say, from counts of other documents."""
    nouns = flat.nouns[rows]
    around = Around.of(flat, nouns)
    asked = {**around.grams(), **around.contexts()}
    keys = np.concatenate(list(asked.values()))
    counts = known.outside(np.tile(flat.document[nouns], len(asked)), keys)
    count = dict(zip(asked, np.split(counts, len(asked)), strict=True))
    found = {f"log {name}": np.log1p(value) for name, value in count.items()}
    share = (count["w"] + 0.5) / known.seen.nouns
    for gram, context in GIVEN.items():
        expected = count[context] * share
        found[f"gain {gram}"] = np.log((count[gram] + 0.3) / (expected + 0.3))
        found[f"share {gram}"] = np.log((count[gram] + 0.1) / (count[context] + 1))
    present = known.seen.documents.look_up(flat.keys[nouns])
    if known.theirs is not None:
        mine = known.theirs.look_up(flat.document[nouns], asked["w"])
        present = present - (mine > 0)
    found["documents"] = np.log1p(present)
    found["bursts"] = np.log((count["w"] + 1) / (present + 1))
    return {**found, **_form(flat, nouns)}


def _form(flat: Flat, nouns: Array) -> dict[str, Array]:
    """Tags and letters at the place and beside it."""
    last = len(flat.types) - 1
    tags = flat.tags
    return {
        "tag": tags[nouns],
        "tag before": tags[np.maximum(nouns - 1, 0)],
        "tag after": tags[np.minimum(nouns + 1, last)],
        "upper": flat.upper[nouns],
        "upper before": flat.upper[np.maximum(nouns - 1, 0)],
        "letters": np.array([len(word) for word in flat.words])[flat.types[nouns]],
    }


def all_columns(
    flat: Flat, known: Known, topics: Sequence[Array], rows: Array
) -> dict[str, Columns]:
    """Local columns, and context columns: memory and similarity; for some of the nouns.

    `rows` numbers the nouns asked about; `topics[d]` has a vector for every word type, as learnt
    without document d.
    """
    local, context = Columns(), Columns()
    local.add(local_columns(flat, known, rows))
    context.add(memory_columns(flat, known, rows))
    context.add(similarity_columns(flat, topics, rows))
    return {"local": local, "context": context}
