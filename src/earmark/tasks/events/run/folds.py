"""Learning within a study: each recording's output comes from a model that never saw it."""

from collections.abc import Sequence

from earmark.task.task import Training
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item


def recording_folds(items: Sequence[Item], count: int) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the items in each fold; parts of one recording stay together.

    There are `count` folds, or as many as there are recordings. Raise InputError if `count` is
    below 2, StudyError if there is one recording only.

    Examples
    --------
    >>> recording_folds([Item("a", "r"), Item("b", "r"), Item("c", "r")], 2)
    ((0, 2), (1,))
    """
    if count < 2:
        raise InputError("folds must be >= 2", got=count)
    groups = sorted({item.group for item in items})
    if len(groups) < 2:
        raise StudyError(
            "learning within a study needs two recordings or more",
            got=f"{len(groups)} recording",
            fix="make more recordings, or give a trained model with --model",
        )
    number = {group: k % min(count, len(groups)) for k, group in enumerate(groups)}
    folds: dict[int, list[int]] = {}
    for position, item in enumerate(items):
        folds.setdefault(number[item.group], []).append(position)
    return tuple(tuple(folds[k]) for k in sorted(folds))


def require_training(train_on: Training | None, system: str) -> Training:
    """Return what to learn from; raise StudyError, which says how to give it, if it is None."""
    if train_on is None:
        raise StudyError(
            f"{system} learns from a reference",
            fix="reconcile first, or pass --train-on NAME or --model FILE",
        )
    return train_on
