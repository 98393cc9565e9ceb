"""Energy: ridge regression of each label on the band energies around a frame, in closed form."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.events.values import Timeline, labels_of
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

if TYPE_CHECKING:
    from earmark.arrays import Floats, Floats32
    from earmark.tasks.events.run.frames import Bands

RIDGE, RIDGE_HELP = 10.0, "Regularisation: how strongly the weights are held back."


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyOptions:
    """How the regression is fitted and read; the defaults were chosen by hand, not tuned."""

    model: Path | None = option(None, "A model that `earmark train events energy` wrote.")
    folds: int = option(
        5,
        "Groups of recordings that share no clips; the output of each comes from a model that "
        "learned from the others.",
    )
    threshold: float = option(0.4, "Value above which a label is active.")
    ridge: float = option(RIDGE, RIDGE_HELP)


@dataclass(frozen=True, slots=True)
class EnergyModel:
    """Weights of the regression, (features, labels), and what they are of."""

    labels: tuple[str, ...]
    bands: "Bands"
    weights: "Floats"


def energy(
    items: tuple[Item, ...],
    options: EnergyOptions = EnergyOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Timeline]]:
    """Predict the labels from log mel energies and their averages over a second."""
    from earmark.tasks.events.run import frames
    from earmark.tasks.events.run.folds import recording_folds, require_training

    if options.model is not None:
        model = load(options.model)
        for label in model.labels:
            checks.one_of(
                label, labels_of(items[0]), what="label in the study", at=str(options.model)
            )
        for item in items:
            yield _output(model, item, features(item, model.bands), options.threshold)
        return
    training = require_training(train_on, "energy")
    labels, bands = labels_of(items[0]), frames.Bands()
    inputs = [features(item, bands) for item in items]
    for fold in recording_folds(items, options.folds):
        others = [k for k in range(len(items)) if k not in fold]
        lines = [training.reference.values[items[k].id] for k in others]
        model = fit_ridge([inputs[k] for k in others], lines, labels, bands, options.ridge)
        for k in fold:
            yield _output(model, items[k], inputs[k], options.threshold)


def fit_ridge(
    inputs: "Sequence[Floats]",
    lines: Sequence[Timeline],
    labels: tuple[str, ...],
    bands: "Bands",
    ridge: float,
) -> EnergyModel:
    """Return the regression of these timelines on the features of their recordings."""
    import numpy as np

    from earmark.tasks.events.run import frames

    pairs = zip(lines, inputs, strict=True)
    active = [frames.targets(line, labels, len(rows), bands.seconds) for line, rows in pairs]
    x = np.concatenate(inputs).astype(np.float64)  # (frames, features)
    y = np.concatenate(active)  # (frames, labels)
    weights = np.linalg.solve(x.T @ x + ridge * np.eye(x.shape[1]), x.T @ y)
    return EnergyModel(labels, bands, np.asarray(weights, dtype=np.float64))


def _output(model: EnergyModel, item: Item, rows: "Floats", threshold: float) -> Output[Timeline]:
    import numpy as np

    from earmark.tasks.events.run import frames

    scores = np.clip(rows @ model.weights, 0.0, 1.0)
    reading = frames.ScoreReading.even(len(model.labels), threshold)
    line = frames.as_timeline(scores, model.labels, item, model.bands.seconds, reading)
    return Output("energy", item.id, line)


def features(item: Item, bands: "Bands") -> "Floats":
    """Return the features of every frame of a recording."""
    from earmark.tasks.events.run import frames

    return _features(frames.standardised(frames.item_power(item, bands)), bands.seconds)


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


def save(model: EnergyModel, out: Path, training: Json) -> Json:
    """Write a model to one file; return its card."""
    from safetensors.numpy import save as as_bytes

    from earmark.files.folder import write_file

    card = {
        "task": "events",
        "system": "energy",
        "labels": list(model.labels),
        "bands": asdict(model.bands),
        **training,
    }
    write_file(out, as_bytes({"weights": model.weights}, metadata={"card": json.dumps(card)}))
    return card


def load(path: Path) -> EnergyModel:
    """Return the model that `save` wrote; raise InputError if the file is none."""
    from safetensors import SafetensorError, safe_open

    from earmark.files.json_text import parse_json
    from earmark.files.models import use_model
    from earmark.files.text import require_regular
    from earmark.tasks.events.run.frames import Bands

    require_regular(path)
    try:
        with safe_open(str(use_model(path)), framework="np") as file:
            card = parse_json((file.metadata() or {})["card"])
            weights = file.get_tensor("weights")
        return EnergyModel(tuple(card["labels"]), Bands(**card["bands"]), weights)
    except (LookupError, OSError, SafetensorError, TypeError, ValueError) as error:
        raise InputError(
            "an energy model is a file that train wrote", at=path, got=error
        ) from error
