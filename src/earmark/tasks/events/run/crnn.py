"""CRNN: convolutions over time and frequency, then recurrence (Adavanne et al. 2017), in torch.

`paper` is the published net, trained as published; `small` pools in time too and learns from pieces
that are varied anew in every epoch, so that it trains in minutes without a GPU. The epoch and the
thresholds are chosen on recordings drawn from the training part, never on those whose output is
scored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
    from earmark.tasks.events.run.frames import ScoreReading
    from earmark.tasks.events.run.nets import Crnn
    from earmark.tasks.events.run.pieces import CrnnExample
    from earmark.tasks.events.run.training import TrainedCrnn

Preset = Literal["small", "paper"]
PRESET_HELP = "`small` for a laptop, `paper` for the published net and training."
EPOCHS_HELP = "Passes over the training part at most.  [40, paper 500]"
CHECKPOINT_HELP = "the same command goes on from there after it was ended."


@dataclass(frozen=True, slots=True, kw_only=True)
class CrnnOptions:
    """Which net is used, how it learns within a study, and how its scores are read."""

    model: Path | None = option(None, "A model that `earmark train events crnn` wrote.")
    preset: Preset = option("small", PRESET_HELP)
    folds: int = option(
        4,
        "Groups of recordings that share no clips; the output of each comes from a net that "
        "learned from the others.",
    )
    epochs: int | None = option(None, EPOCHS_HELP)
    threshold: float | None = option(
        None,
        "Score above which a label is active.  [chosen per label on validation recordings; paper "
        "0.5]",
    )
    checkpoints: Path | None = option(
        None, f"Folder in which unfinished training is kept: {CHECKPOINT_HELP}"
    )


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


def _by_model(
    items: tuple[Item, ...], model: Path, threshold: float | None
) -> Iterator[Output[Timeline]]:
    from earmark.tasks.events.run import nets
    from earmark.tasks.events.run.frames import item_power

    loaded, reading = nets.load(model)
    shape = loaded[0].shape
    for label in shape.labels:
        checks.one_of(label, labels_of(items[0]), what="label in the study", at=str(model))
    for item in items:
        yield _output(loaded, reading, item, item_power(item, shape.bands), threshold)


def _by_folds(
    items: tuple[Item, ...], options: CrnnOptions, train_on: Training | None, seed: int
) -> Iterator[Output[Timeline]]:
    from earmark.tasks.events.run import nets, pieces
    from earmark.tasks.events.run.folds import recording_folds, require_training

    training = require_training(train_on, "crnn")
    values = training.reference.values
    shape = nets.CrnnShape.of(options.preset, labels_of(items[0]))
    every = pieces.examples(items, values, shape.labels, shape.bands)
    for number, fold in enumerate(recording_folds(items, options.folds)):
        others = [k for k in range(len(items)) if k not in fold]
        part = Training(tuple(items[k] for k in others), training.reference)
        place = options.checkpoints and options.checkpoints / f"fold-{number}.checkpoint"
        learnt = learn(
            part, [every[k] for k in others], options.preset, options.epochs,
            seed=seed, checkpoint=place,
        )  # fmt: skip
        for k in fold:
            yield _output([learnt.net], learnt.reading, items[k], every[k].power, options.threshold)


def learn(
    training: Training,
    examples: "Sequence[CrnnExample]",
    preset: Preset,
    epochs: int | None,
    *,
    seed: int,
    checkpoint: Path | None,
) -> "TrainedCrnn":
    """Return a net that learned from recordings; a few, drawn by the seed, only validate."""
    from earmark.learn.checkpoint import Checkpoint
    from earmark.tasks.events.run import nets
    from earmark.tasks.events.run.folds import validation_draw
    from earmark.tasks.events.run.training import RECIPES, Validation, batches_of, train

    recipe = RECIPES[preset] if epochs is None else replace(RECIPES[preset], epochs=epochs)
    held_out = validation_draw(training.items, seed=seed)
    batches = batches_of(
        [each for k, each in enumerate(examples) if k not in held_out], recipe, seed=seed
    )
    validation = Validation(
        [examples[k] for k in sorted(held_out)],
        [training.reference.values[training.items[k].id] for k in sorted(held_out)],
    )
    shape = nets.CrnnShape.of(preset, labels_of(training.items[0]))
    place = None if checkpoint is None else Checkpoint(checkpoint)
    learnt = train(shape, recipe, batches, validation, seed=seed, checkpoint=place)
    names = [training.items[k].id for k in sorted(held_out)]
    return learnt._replace(card={**learnt.card, "validated_on": names})


def _output(
    trained: "Sequence[Crnn]",
    reading: "ScoreReading",
    item: Item,
    power: "Floats32",
    threshold: float | None,
) -> Output[Timeline]:
    from earmark.tasks.events.run import frames, nets

    labels, seconds = trained[0].shape.labels, trained[0].shape.bands.seconds
    if threshold is not None:
        reading = replace(reading, thresholds=(threshold,) * len(labels))
    line = frames.as_timeline(nets.scores(trained, power), labels, item, seconds, reading)
    return Output("crnn", item.id, line)
