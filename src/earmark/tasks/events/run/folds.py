"""Learning within a study: each recording is put out by a model that never heard it."""

from collections.abc import Sequence

from earmark.task.task import Training
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item


def folds(items: Sequence[Item], count: int) -> tuple[tuple[int, ...], ...]:
    """Recordings dealt out to folds; parts of one recording stay together.

    Examples
    --------
    >>> folds([Item("a", "r"), Item("b", "r"), Item("c", "r")], 2)
    ((0, 2), (1,))
    """
    if count < 2:
        raise InputError("there must be two folds or more", got=count)
    groups = sorted({item.group for item in items})
    if len(groups) < 2:
        raise StudyError(
            "learning within a study needs two recordings or more",
            got=f"{len(groups)} recording",
            fix="make more recordings, or give a trained model with --model",
        )
    number = {group: k % min(count, len(groups)) for k, group in enumerate(groups)}
    dealt: dict[int, list[int]] = {}
    for position, item in enumerate(items):
        dealt.setdefault(number[item.group], []).append(position)
    return tuple(tuple(dealt[k]) for k in sorted(dealt))


def need(train_on: Training | None, system: str) -> Training:
    """What to learn from, or an error that says how to give it."""
    if train_on is None:
        raise StudyError(
            f"{system} learns from a reference",
            fix="reconcile first, or pass --train-on NAME or --model FILE",
        )
    return train_on
