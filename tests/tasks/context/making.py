"""Corrupted talks, and systems run and trained on them, for the tests of this task."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from earmark.task.options import call_with
from earmark.task.task import Json, Training
from earmark.tasks.context.make.corrupted import CorruptedOptions, make_corrupted
from earmark.tasks.context.values import Passage, Scores

# Sizes of a network that trains within a second.
TINY = {"vocabulary": 500, "embedding": 8, "units": 12, "longest": 20}


def corrupted(*, seed: int = 0, **options: Any) -> Iterator[Any]:
    """Make corrupted documents with these options."""
    return make_corrupted(options=CorruptedOptions(**options), seed=seed)


def run(system: Callable[..., Any], training: Training, **options: Any) -> dict[str, Any]:
    """Return a system's scores of the items by id."""
    outputs = call_with(system, training.items, options=options, train_on=None, seed=1)
    return {output.item: output.value for output in outputs}


def train(
    trainer: Callable[..., Any], training: Training, out: Path, *, seed: int, **options: Any
) -> Json:
    """Train a system and return the model's card."""
    card: Json = call_with(trainer, training, options=options, out=out, seed=seed)
    return card


def complete(scores: dict[str, Scores], training: Training) -> bool:
    """Return whether every token of every item has a score."""
    return all(scores[i.id].length == len(Passage.of(i).tokens) for i in training.items)
