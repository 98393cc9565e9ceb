"""What systems learn from: passages with labels, some of them held out to choose a threshold."""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from earmark.files import jsonl
from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.context.values import KINDS, Flags, Passage, Swaps
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.pack import unpack

# One document in so many is held out when no study to develop on is named.
HELD_OUT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DevelopOptions:
    """What a trainer chooses its threshold on."""

    develop: Path | None = option(
        None,
        "A study to choose the threshold on; without one, every tenth document is held out.",
    )


@dataclass(frozen=True, slots=True)
class LabelledPassages:
    """Passages, and for each token whether it was swapped."""

    passages: tuple[Passage, ...]
    truths: tuple[Swaps | Flags, ...]

    @property
    def labels(self) -> tuple[NDArray[np.int8], ...]:
        """The labels of each passage; (tokens,) each."""
        return tuple(np.array(truth.labels, np.int8) for truth in self.truths)

    def originals(self) -> list[tuple[str, ...]]:
        """Return the tokens before they were changed, as far as the truth knows them."""
        return [
            truth.restored(passage.tokens) if isinstance(truth, Swaps) else passage.tokens
            for passage, truth in zip(self.passages, self.truths, strict=True)
        ]

    def subset(self, chosen: Iterable[bool]) -> "LabelledPassages":
        """Return the chosen passages."""
        chosen = tuple(chosen)
        return LabelledPassages(
            tuple(p for p, yes in zip(self.passages, chosen, strict=True) if yes),
            tuple(t for t, yes in zip(self.truths, chosen, strict=True) if yes),
        )


class TrainingSplit(NamedTuple):
    """What to learn from, and what to choose the threshold on."""

    learn: LabelledPassages
    held_out: LabelledPassages


def split_training(
    train_on: Training | None, develop: Path | None, also: Sequence[Path] = ()
) -> TrainingSplit:
    """Return the passages of studies to learn from, and those to choose the threshold on.

    `also` are further studies; a document's id may be in one of them only. Without a study to
    develop on, about every tenth document is held out, by its id. When that leaves one side empty,
    both sides are all that is there.
    """
    if train_on is None:
        raise InputError("training needs a study", fix="name it: --study STUDY")
    first = labelled_passages(train_on.items, train_on.reference.values)
    everything = _together([first, *map(_read_labelled, also)])
    if develop is not None:
        return TrainingSplit(everything, _read_labelled(develop))
    held_out = [zlib.crc32(p.id.encode()) % HELD_OUT == 0 for p in everything.passages]
    if all(held_out) or not any(held_out):
        return TrainingSplit(everything, everything)
    return TrainingSplit(
        everything.subset(not yes for yes in held_out), everything.subset(held_out)
    )


def _together(studies: Sequence[LabelledPassages]) -> LabelledPassages:
    """Return the passages of all studies."""
    passages = tuple(passage for study in studies for passage in study.passages)
    checks.unique((passage.id for passage in passages), what="passage", at="the studies")
    return LabelledPassages(passages, tuple(truth for study in studies for truth in study.truths))


def _read_labelled(folder: Path) -> LabelledPassages:
    """Return the labelled passages of a study; raise InputError if its files are damaged."""
    try:
        return labelled_passages(*read_study(folder))
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            "a study to learn from must be as Earmark wrote it",
            at=folder / "1-material",
            got=f"{type(error).__name__}: {error}",
            fix=f"see what changed: earmark verify {folder.name}",
        ) from error


def labelled_passages(items: Sequence[Item], references: Mapping[str, Any]) -> LabelledPassages:
    """Return the items that have a reference, with it.

    Raises
    ------
    InputError
        If no item has a reference, or a reference has another number of tokens than its item.
    """
    passages = tuple(Passage.of(item) for item in items if item.id in references)
    truths = tuple(references[passage.id] for passage in passages)
    for passage, truth in zip(passages, truths, strict=True):
        if truth.length != len(passage.tokens):
            raise InputError(
                "there must be one label for every token",
                at=f"item {passage.id}",
                got=f"{truth.length} labels, {len(passage.tokens)} tokens",
            )
    if not passages:
        raise InputError("there is nothing to learn from", fix="make a study with known swaps")
    return LabelledPassages(passages, truths)


def read_study(folder: Path) -> tuple[list[Item], dict[str, Any]]:
    """Return the items and the truth of a study's material."""
    material = folder / "1-material"
    if not (material / "items.jsonl").exists() or not (material / "truth.jsonl").exists():
        raise InputError("a study with known swaps is needed", at=folder, fix="make it first")
    kinds = (Item, *KINDS)
    items = [unpack(value, kinds) for _, value in jsonl.read(material / "items.jsonl")]
    values = {
        row["item"]: unpack(row["value"], kinds) for _, row in jsonl.read(material / "truth.jsonl")
    }
    return [item for item in items if isinstance(item, Item)], values
