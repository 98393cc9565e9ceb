"""CRNN: convolutions over time and frequency, then recurrence (Adavanne et al. 2017), in torch.

`small` is the same net with fewer channels, so that it trains on a laptop without a GPU. The epoch
is chosen on a recording held out of the training part, never on those whose output is scored.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from earmark.task.options import option
from earmark.task.task import Training
from earmark.tasks.events.values import Timeline, labels_of
from earmark.values import checks
from earmark.values.item import Item
from earmark.values.output import Output

if TYPE_CHECKING:
    from earmark.arrays import Floats32
    from earmark.tasks.events.run.nets import Crnn

Preset = Literal["small", "paper"]
PRESET_HELP = "`small` for a laptop, `paper` for the published size."
EPOCHS_HELP = "Passes over the training part at most."


@dataclass(frozen=True, slots=True, kw_only=True)
class CrnnOptions:
    """Which net is used, how it learns within a study, and how its scores are read."""

    model: Path | None = option(None, "A model that `earmark train events crnn` wrote.")
    preset: Preset = option("small", PRESET_HELP)
    folds: int = option(
        4, "Groups of recordings; the output of each comes from a net that learned from the others."
    )
    epochs: int = option(40, EPOCHS_HELP)
    threshold: float = option(0.5, "Score above which a label is active.")


def crnn(
    items: tuple[Item, ...],
    options: CrnnOptions = CrnnOptions(),
    *,
    train_on: Training | None,
    seed: int,
) -> Iterator[Output[Timeline]]:
    """Predict the labels by a convolutional recurrent net.

    Without a model it learns within the study, fold by fold.
    """
    if options.model is None:
        return _by_folds(items, options, train_on, seed)
    return _by_model(items, options.model, options.threshold)


def _by_model(items: tuple[Item, ...], model: Path, threshold: float) -> Iterator[Output[Timeline]]:
    from earmark.tasks.events.run import nets
    from earmark.tasks.events.run.frames import band_energies

    net = nets.load(model)
    for label in net.shape.labels:
        checks.one_of(label, labels_of(items[0]), what="label in the study", at=str(model))
    for item in items:
        yield _output(net, item, band_energies(item, net.shape.bands), threshold)


def _by_folds(
    items: tuple[Item, ...], options: CrnnOptions, train_on: Training | None, seed: int
) -> Iterator[Output[Timeline]]:
    from earmark.tasks.events.run import nets
    from earmark.tasks.events.run.folds import recording_folds, require_training

    training = require_training(train_on, "crnn")
    shape = nets.CrnnShape.of(options.preset, labels_of(items[0]))
    examples = nets.examples(items, training.reference.values, shape)
    for fold in recording_folds(items, options.folds):
        others = [examples[k] for k in range(len(items)) if k not in fold]
        net, _ = nets.train(shape, others, epochs=options.epochs, seed=seed)
        for k in fold:
            yield _output(net, items[k], examples[k].energies, options.threshold)


def _output(net: "Crnn", item: Item, energies: "Floats32", threshold: float) -> Output[Timeline]:
    from earmark.tasks.events.run import frames, nets

    scores = nets.scores(net, energies)
    seconds = net.shape.bands.seconds
    line = frames.as_timeline(scores, net.shape.labels, item, seconds, threshold)
    return Output("crnn", item.id, line)
