"""Energy: a linear reading of band energies around a frame, in closed form."""

from collections.abc import Iterator

from earmark.task.task import Training
from earmark.tasks.events.values import Timeline
from earmark.values.item import Item
from earmark.values.output import Output


def energy(
    items: tuple[Item, ...],
    *,
    train_on: Training | None,
    seed: int,
    folds: int = 5,
    threshold: float = 0.4,
    ridge: float = 10.0,
) -> Iterator[Output[Timeline]]:
    """Ridge regression of the labels on log mel energies and their averages over a second.

    Parameters
    ----------
    folds
        Groups of recordings; each is put out by a model that learned from the others.
    threshold
        Value above which a label is active.
    ridge
        How strongly the weights are held back.
    """
    import numpy as np

    from earmark.tasks.events.run import frames
    from earmark.tasks.events.run.folds import folds as deal
    from earmark.tasks.events.run.folds import need
    from earmark.tasks.events.values import labels_of

    training = need(train_on, "energy")
    bands = frames.Bands()
    labels = labels_of(items[0])
    inputs = [_features(frames.band_energies(item, bands), bands.seconds) for item in items]
    wanted = [
        frames.targets(training.reference.values[item.id], labels, len(rows), bands.seconds)
        for item, rows in zip(items, inputs, strict=True)
    ]
    for fold in deal(items, folds):
        learn = [k for k in range(len(items)) if k not in fold]
        x = np.concatenate([inputs[k] for k in learn]).astype(np.float64)
        y = np.concatenate([wanted[k] for k in learn])
        weights = np.linalg.solve(x.T @ x + ridge * np.eye(x.shape[1]), x.T @ y)
        for k in fold:
            scores = np.clip(inputs[k] @ weights, 0.0, 1.0)
            line = frames.as_timeline(scores, labels, items[k], bands.seconds, threshold)
            yield Output("energy", items[k].id, line)


def _features(energies, seconds: float):  # type: ignore[no-untyped-def]
    """A frame's energies, their mean and spread over a second around it, and a constant."""
    import numpy as np

    width = max(1, round(1.0 / seconds))
    kernel = np.ones(width) / width
    mean = np.apply_along_axis(np.convolve, 0, energies, kernel, "same")
    square = np.apply_along_axis(np.convolve, 0, energies**2, kernel, "same")
    spread = np.sqrt(np.maximum(square - mean**2, 0.0))
    return np.concatenate([energies, mean, spread, np.ones((len(energies), 1))], axis=1)
