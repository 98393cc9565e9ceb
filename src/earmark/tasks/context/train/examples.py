"""What systems learn from: passages with their labels, and some held out to choose a threshold."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from earmark.files import jsonl
from earmark.task.task import Training
from earmark.tasks.context.make.corrupt import restored
from earmark.tasks.context.values import Choice, Flags, Passage, Scores, Swap, Swaps
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.pack import unpack

KINDS: tuple[type, ...] = (Swap, Swaps, Flags, Choice, Scores)
HELD_OUT = 10


@dataclass(frozen=True, slots=True)
class Lesson:
    """Passages, and for each token whether it was swapped."""

    passages: tuple[Passage, ...]
    truths: tuple[Swaps | Flags, ...]
    labels: tuple[Any, ...]

    def originals(self) -> list[tuple[str, ...]]:
        """The tokens before they were changed, as far as the truth knows them."""
        return [
            restored(passage.tokens, truth) if isinstance(truth, Swaps) else passage.tokens
            for passage, truth in zip(self.passages, self.truths, strict=True)
        ]


def passages(items: Iterable[Item]) -> list[Passage]:
    """The passages that items hold."""
    return [Passage.of(item) for item in items]


def told(train_on: Training | None, develop: Path | None) -> tuple[Lesson, Lesson]:
    """What to learn from, and what to choose the threshold on.

    Without a study to develop on, about every tenth document is held out, by its id.
    """
    if train_on is None:
        raise InputError("training needs a study", fix="name it: --study STUDY")
    everything = lesson(train_on.items, train_on.reference.values)
    if develop is not None:
        return everything, lesson(*read_study(develop))
    held = [zlib.crc32(p.id.encode()) % HELD_OUT == 0 for p in everything.passages]
    if all(held) or not any(held):
        return everything, everything
    return part(everything, [not one for one in held]), part(everything, held)


def lesson(items: Sequence[Item], values: Any) -> Lesson:
    """Items with their truth; labels of another length are refused."""
    found = [p for p in passages(items) if p.id in values]
    truths = tuple(values[passage.id] for passage in found)
    for passage, truth in zip(found, truths, strict=True):
        if truth.length != len(passage.tokens):
            raise InputError(
                "there must be one label for every token",
                at=f"item {passage.id}",
                got=f"{truth.length} labels, {len(passage.tokens)} tokens",
            )
    if not found:
        raise InputError("there is nothing to learn from", fix="make a study with known swaps")
    labels = tuple(np.array(truth.labels, np.int8) for truth in truths)
    return Lesson(tuple(found), truths, labels)


def part(whole: Lesson, chosen: Sequence[bool]) -> Lesson:
    """Those passages of a lesson that are chosen."""
    index = [k for k, yes in enumerate(chosen) if yes]
    return Lesson(
        tuple(whole.passages[k] for k in index),
        tuple(whole.truths[k] for k in index),
        tuple(whole.labels[k] for k in index),
    )


def read_study(folder: Path) -> tuple[list[Item], dict[str, Any]]:
    """Items and truth of a study's material."""
    place = folder / "1-material"
    if not (place / "items.jsonl").exists() or not (place / "truth.jsonl").exists():
        raise InputError("a study with known swaps is needed", at=folder, fix="make it first")
    kinds = (Item, *KINDS)
    items = [unpack(value, kinds) for _, value in jsonl.read(place / "items.jsonl")]
    values = {
        row["item"]: unpack(row["value"], kinds) for _, row in jsonl.read(place / "truth.jsonl")
    }
    return [item for item in items if isinstance(item, Item)], values
