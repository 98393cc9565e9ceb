"""CRNN: convolutions over time and frequency, then recurrence (Adavanne et al. 2017), in torch.

`small` is the same net with fewer channels, so that it trains on a laptop without a GPU. The epoch
is chosen on a recording held out of the training part, never on the recordings that are put out.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from earmark.task.task import Json, Training
from earmark.tasks.events.values import Timeline
from earmark.values import checks
from earmark.values.item import Item
from earmark.values.output import Output

Preset = Literal["small", "paper"]


def crnn(  # noqa: PLR0913
    items: tuple[Item, ...],
    *,
    train_on: Training | None,
    seed: int,
    model: Path | None = None,
    preset: Preset = "small",
    folds: int = 4,
    epochs: int = 40,
    threshold: float = 0.5,
) -> Iterator[Output[Timeline]]:
    """A convolutional recurrent net; without a model it learns within the study, fold by fold.

    Parameters
    ----------
    model
        A model that `earmark train events crnn` wrote.
    preset
        `small` for a laptop, `paper` for the published size.
    folds
        Groups of recordings; each is put out by a net that learned from the others.
    epochs
        Passes over the training part at most.
    threshold
        Score above which a label is active.
    """
    from earmark.tasks.events.run import nets
    from earmark.tasks.events.run.folds import folds as deal
    from earmark.tasks.events.run.folds import need
    from earmark.tasks.events.values import labels_of

    if model is not None:
        net = nets.load(model)
        for label in net.shape.labels:
            checks.one_of(label, labels_of(items[0]), what="label in the study", at=str(model))
        for item in items:
            yield _output(net, item, threshold)
        return
    training = need(train_on, "crnn")
    shape = nets.Shape.of(preset, labels_of(items[0]))
    examples = nets.examples(items, training.reference.values, shape)
    for fold in deal(items, folds):
        learn = [k for k in range(len(items)) if k not in fold]
        net, _ = nets.train(shape, [examples[k] for k in learn], epochs=epochs, seed=seed)
        for k in fold:
            yield _output(net, items[k], threshold, examples[k][0])


def _output(net: Any, item: Item, threshold: float, energies: Any = None) -> Output[Timeline]:
    from earmark.tasks.events.run import frames, nets

    if energies is None:
        energies = frames.band_energies(item, net.shape.bands)
    scores = nets.scores(net, energies)
    seconds = net.shape.bands.seconds
    line = frames.as_timeline(scores, net.shape.labels, item, seconds, threshold)
    return Output("crnn", item.id, line)


def fit_crnn(training: Training, *, out: Path, seed: int, preset: Preset, epochs: int) -> Json:
    """Train on a whole study and write the model."""
    from earmark.tasks.events.run import nets
    from earmark.tasks.events.values import labels_of

    items: Sequence[Item] = training.items
    shape = nets.Shape.of(preset, labels_of(items[0]))
    examples = nets.examples(items, training.reference.values, shape)
    net, told = nets.train(shape, examples, epochs=epochs, seed=seed)
    return nets.save(net, out, {**told, "recordings": len(items), "seed": seed})
