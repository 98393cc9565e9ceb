"""Energy: ridge regression of each label on the band energies around a frame, in closed form."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.events.values import Timeline, labels_of
from earmark.values.item import Item
from earmark.values.output import Output

if TYPE_CHECKING:
    from earmark.arrays import Floats, Floats32


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyOptions:
    """How the regression is fitted and read; the defaults were chosen by hand, not tuned."""

    folds: int = option(
        5,
        "Groups of recordings; the output of each comes from a model that learned from the others.",
    )
    threshold: float = option(0.4, "Value above which a label is active.")
    ridge: float = option(10.0, "Regularisation: how strongly the weights are held back.")


def energy(
    items: tuple[Item, ...],
    options: EnergyOptions = EnergyOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Timeline]]:
    """Predict the labels from log mel energies and their averages over a second."""
    import numpy as np

    from earmark.tasks.events.run import frames
    from earmark.tasks.events.run.folds import recording_folds, require_training

    training = require_training(train_on, "energy")
    bands = frames.Bands()
    labels = labels_of(items[0])
    inputs = [_features(frames.band_energies(item, bands), bands.seconds) for item in items]
    targets = [
        frames.targets(training.reference.values[item.id], labels, len(rows), bands.seconds)
        for item, rows in zip(items, inputs, strict=True)
    ]
    for fold in recording_folds(items, options.folds):
        others = [k for k in range(len(items)) if k not in fold]
        x = np.concatenate([inputs[k] for k in others]).astype(np.float64)  # (frames, features)
        y = np.concatenate([targets[k] for k in others])  # (frames, labels)
        weights = np.linalg.solve(x.T @ x + options.ridge * np.eye(x.shape[1]), x.T @ y)
        for k in fold:
            scores = np.clip(inputs[k] @ weights, 0.0, 1.0)
            line = frames.as_timeline(scores, labels, items[k], bands.seconds, options.threshold)
            yield Output("energy", items[k].id, line)


def _features(energies: "Floats32", seconds: float) -> "Floats":
    """Return each frame's energies, their mean and deviation over a second around it, and a 1.

    Shape (frames, bands) in, (frames, 3 * bands + 1) out.
    """
    import numpy as np

    width = max(1, round(1.0 / seconds))
    kernel = np.ones(width) / width
    mean = np.apply_along_axis(np.convolve, 0, energies, kernel, "same")
    square = np.apply_along_axis(np.convolve, 0, energies**2, kernel, "same")
    deviation = np.sqrt(np.maximum(square - mean**2, 0.0))
    return np.concatenate([energies, mean, deviation, np.ones((len(energies), 1))], axis=1)
