"""Learning within a study: each recording's output comes from a model that never saw it."""

from collections.abc import Sequence

from earmark.stats.draw import stream
from earmark.task.progress import notify
from earmark.task.task import Training
from earmark.values.errors import InputError, StudyError
from earmark.values.item import Item

# Of the recordings to learn from, the share that is held out to choose an epoch and thresholds.
VALIDATION = 0.1


def recording_folds(items: Sequence[Item], count: int) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the items in each fold; parts of one recording stay together.

    Recordings that were made from the same source clips stay together too, so that no fold is
    tested on clips that it learnt from; if all hang together so, recordings alone are kept apart,
    with a note. There are `count` folds, or as many as there are such groups. Raise InputError if
    `count` is below 2, StudyError if there is one recording only.

    Examples
    --------
    >>> recording_folds([Item("a", "r"), Item("b", "r"), Item("c", "r")], 2)
    ((0, 2), (1,))
    """
    if count < 2:
        raise InputError("folds must be >= 2", got=count)
    recordings = sorted({item.group for item in items})
    if len(recordings) < 2:
        raise StudyError(
            "learning within a study needs two recordings or more",
            got=f"{len(recordings)} recording",
            fix="make more recordings, or give a trained model with --model",
        )
    groups = _groups(items)
    if len(set(groups.values())) < 2:
        notify("all recordings share source clips: folds keep recordings apart, not clips")
        groups = {name: name for name in recordings}
    order = list(dict.fromkeys(groups[name] for name in recordings))
    number = {group: k % min(count, len(order)) for k, group in enumerate(order)}
    folds: dict[int, list[int]] = {}
    for position, item in enumerate(items):
        folds.setdefault(number[groups[item.group]], []).append(position)
    return tuple(tuple(folds[k]) for k in sorted(folds))


def _groups(items: Sequence[Item]) -> dict[str, str]:
    """Return for each recording the first of those that it hangs together with by its clips."""
    root = {item.group: item.group for item in items}
    first_with: dict[str, str] = {}

    def top(name: str) -> str:
        while root[name] != name:
            name = root[name]
        return name

    for item in items:
        for clip in clips_of(item):
            other = top(first_with.setdefault(clip, item.group))
            low, high = sorted((other, top(item.group)))
            root[high] = low
    return {name: top(name) for name in root}


def clips_of(item: Item) -> tuple[str, ...]:
    """Return the source clips that a recording was made from, as its details list them."""
    clips = item.details.get("clips", ())
    return tuple(map(str, clips)) if isinstance(clips, list | tuple) else ()


def validation_draw(items: Sequence[Item], *, seed: int) -> frozenset[int]:
    """Return the positions of recordings to validate on, drawn by the seed.

    One in ten, one at least; none where there are fewer than three recordings.
    """
    recordings = sorted({item.group for item in items})
    if len(recordings) < 3:
        return frozenset()
    count = max(1, round(VALIDATION * len(recordings)))
    drawn = stream(seed, "validation recordings").permutation(len(recordings))[:count]
    chosen = {recordings[k] for k in drawn.tolist()}
    return frozenset(k for k, item in enumerate(items) if item.group in chosen)


def require_training(train_on: Training | None, system: str) -> Training:
    """Return what to learn from; raise StudyError, which says how to give it, if it is None."""
    if train_on is None:
        raise StudyError(
            f"{system} learns from a reference",
            fix="reconcile first, or pass --train-on NAME or --model FILE",
        )
    return train_on
