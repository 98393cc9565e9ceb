"""Floors: what a system must beat to have learnt anything of the sounds.

`silent` outputs nothing, `frequent` the most frequent label all the time, `loud` that label where
the recording is louder than its background by a difference that the training part taught.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.events.values import Timeline, labels_of
from earmark.values import checks
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.output import Output

if TYPE_CHECKING:
    from earmark.arrays import Floats

# The background of a recording: the level below which a tenth of its frames are.
BACKGROUND_SHARE = 0.1
# Decibels above the background that are tried, and those over which a score rises from .27 to .73.
LEVELS, SOFT_DB = tuple(range(1, 31)), 1.0
THRESHOLD = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorOptions:
    """What a floor learns from: other recordings of the study, or those of its model."""

    model: Path | None = option(None, "A model that `earmark train events` wrote for this system.")
    folds: int = option(
        5,
        "Groups of recordings that share no clips; the output of each comes from what the others "
        "taught.",
    )


@dataclass(frozen=True, slots=True)
class Floor:
    """The most frequent label, and the level in dB above the background from which it is active."""

    label: str
    level_db: float


def silent(
    items: tuple[Item, ...], *, train_on: Training | None, seed: int
) -> Iterator[Output[Timeline]]:
    """Predict that nothing sounds, ever."""
    import numpy as np

    for item in items:
        yield _output("silent", item, np.zeros((1, len(labels_of(item)))), None)


def frequent(
    items: tuple[Item, ...],
    options: FloorOptions = FloorOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Timeline]]:
    """Predict the label that is active longest in the training part, all the time."""
    import numpy as np

    for item, floor in _learnt("frequent", items, options, train_on):
        columns = np.array([[label == floor.label for label in labels_of(item)]], dtype=np.float64)
        yield _output("frequent", item, columns, None)


def loud(
    items: tuple[Item, ...],
    options: FloorOptions = FloorOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Timeline]]:
    """Predict the most frequent label wherever it is loud."""
    import numpy as np

    for item, floor in _learnt("loud", items, options, train_on):
        level, seconds = levels(item)
        loudness = 1 / (1 + np.exp(-(level - floor.level_db) / SOFT_DB))
        columns = np.array([label == floor.label for label in labels_of(item)], dtype=np.float64)
        yield _output("loud", item, loudness[:, None] * columns, seconds)


def _learnt(
    system: str, items: tuple[Item, ...], options: FloorOptions, train_on: Training | None
) -> Iterator[tuple[Item, Floor]]:
    """Yield every item with what other recordings taught about it."""
    from earmark.tasks.events.run.folds import recording_folds, require_training

    if options.model is not None:
        floor = load(options.model, system)
        checks.one_of(
            floor.label, labels_of(items[0]), what="label in the study", at=str(options.model)
        )
        yield from ((item, floor) for item in items)
        return
    training = require_training(train_on, system)
    for fold in recording_folds(items, options.folds):
        others = [item for k, item in enumerate(items) if k not in fold]
        floor = learn(others, training.reference.values, with_level=system == "loud")
        yield from ((items[k], floor) for k in fold)


def learn(items: Sequence[Item], values: Mapping[str, Timeline], *, with_level: bool) -> Floor:
    """Return the label that is active longest, and the level with the highest F1 of frames."""
    import numpy as np

    from earmark.tasks.events.run.frames import targets

    totals = dict.fromkeys(labels_of(items[0]), 0.0)
    for item in items:
        for event in values[item.id].events:
            totals[event.label] = totals.get(event.label, 0.0) + event.length
    label = max(sorted(totals), key=lambda name: totals[name])
    if not with_level:
        return Floor(label, 0.0)
    hits = np.zeros((2, len(LEVELS)))  # true positives; output and reference frames
    for item in items:
        level, seconds = levels(item)
        active = targets(values[item.id], [label], len(level), seconds)[:, 0] > 0
        output = level[:, None] > np.array(LEVELS)
        hits += [(output & active[:, None]).sum(0), output.sum(0) + active.sum()]
    return Floor(label, float(LEVELS[int(np.argmax(hits[0] / np.maximum(hits[1], 1)))]))


def levels(item: Item) -> "tuple[Floats, float]":
    """Return the level of every frame in dB above the background, and the seconds of a frame."""
    import numpy as np

    from earmark.tasks.events.run.frames import LEAST_ENERGY, Bands, item_power

    bands = Bands()
    level = 10 * np.log10(item_power(item, bands).sum(axis=1, dtype=np.float64) + LEAST_ENERGY)
    return level - np.quantile(level, BACKGROUND_SHARE), bands.seconds


def _output(system: str, item: Item, scores: "Floats", seconds: float | None) -> Output[Timeline]:
    """Return scores (frames, labels) as an output; without `seconds` one frame is all of it."""
    from earmark.tasks.events.run.frames import ScoreReading, as_timeline
    from earmark.tasks.events.values import recording_seconds

    labels = labels_of(item)
    reading = ScoreReading.even(len(labels), THRESHOLD)
    width = recording_seconds(item) if seconds is None else seconds
    return Output(system, item.id, as_timeline(scores, labels, item, width, reading))


def save(system: str, floor: Floor, out: Path, training: Json) -> Json:
    """Write a floor to a JSON file; return its card."""
    from earmark.files.folder import write_file

    card = {"task": "events", "system": system, **asdict(floor), **training}
    write_file(out, json.dumps(card, indent=2) + "\n")
    return card


def load(path: Path, system: str) -> Floor:
    """Return the floor that `save` wrote; raise InputError if the file is none of this system."""
    from earmark.files.json_text import read_json
    from earmark.files.models import use_model

    card: Any = read_json(use_model(path))
    if not isinstance(card, dict) or card.get("system") != system:
        raise InputError(f"a model of {system} is a file that train wrote", at=path)
    return Floor(str(card["label"]), float(card["level_db"]))
