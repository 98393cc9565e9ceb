"""Train systems of this task, on a study or on a folder of labelled clips."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.events.run.crnn import CHECKPOINT_HELP, EPOCHS_HELP, PRESET_HELP, Preset, learn
from earmark.tasks.events.run.energy import RIDGE, RIDGE_HELP
from earmark.tasks.events.run.folds import require_training
from earmark.tasks.events.values import labels_of
from earmark.values.errors import InputError

if TYPE_CHECKING:
    from earmark.learn.checkpoint import Checkpoint
    from earmark.tasks.events.make.clips import Clips
    from earmark.tasks.events.run.mixtures import ClipBank
    from earmark.tasks.events.run.nets import CrnnShape
    from earmark.tasks.events.run.training import TrainedCrnn, Validation

# Parts that the sources of clips are divided into; one of them validates each net.
PARTS = 5
# Steps of an epoch when soundscapes are mixed anew in each, and their number. Chosen on real clips,
# folds 1 to 3 for training and fold 4 for validation, where longer training gained little.
MIXED_STEPS, MIXED_EPOCHS = 50, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class CrnnTrainingOptions:
    """How a CRNN is trained."""

    sounds: Path | None = option(
        None,
        "In place of a study, a folder of labelled clips, one folder per label: soundscapes are "
        "mixed anew in every epoch.",
    )
    preset: Preset = option("small", PRESET_HELP)
    epochs: int | None = option(None, f"{EPOCHS_HELP[:-1]}, with --sounds 30]")
    nets: int = option(
        PARTS,
        f"With --sounds, nets that learn, 1 to {PARTS}, each from all clips but another fifth, "
        "which validates it; their scores are averaged. Each takes 3 to 4 minutes on one core.",
    )
    checkpoint: Path | None = option(
        None, f"File in which unfinished training is kept: {CHECKPOINT_HELP}  [MODEL.checkpoint]"
    )

    def __post_init__(self) -> None:
        if not 1 <= self.nets <= PARTS:
            raise InputError(f"nets must be between 1 and {PARTS}", got=self.nets)


def train_crnn(
    train_on: Training | None,
    options: CrnnTrainingOptions = CrnnTrainingOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train a CRNN on a study, or on soundscapes of a folder's clips.

    A tenth of the recordings is drawn to choose the epoch and how scores are read; of clips, a
    fifth of the sources for each of several nets. Write the model to `out` and return its card.
    """
    from earmark.tasks.events.run import nets, pieces

    place = options.checkpoint or out.with_name(out.name + ".checkpoint")
    if options.sounds is not None:
        if train_on is not None:
            raise InputError(
                "a net learns from a study or from clips",
                got="--study and --sounds",
                fix="leave one out",
            )
        return _train_on_clips(options.sounds, options, out, place, seed)
    training = require_training(train_on, "crnn")
    shape = nets.CrnnShape.of(options.preset, labels_of(training.items[0]))
    values = training.reference.values
    examples = pieces.examples(training.items, values, shape.labels, shape.bands)
    learnt = learn(training, examples, options.preset, options.epochs, seed=seed, checkpoint=place)
    about: Mapping[str, object] = {"recordings": len(training.items), "seed": seed}
    return nets.save([learnt.net], learnt.reading, out, {**learnt.card, **about})


def _train_on_clips(
    folder: Path, options: CrnnTrainingOptions, out: Path, checkpoint: Path, seed: int
) -> Json:
    """Train nets on soundscapes that are mixed anew in every epoch; each lacks a part of the clips.

    That part validates it, so that every clip helps to choose how scores are read, and each is
    learnt from by all nets but one.
    """
    from earmark.learn.checkpoint import Checkpoint
    from earmark.tasks.events.run import nets
    from earmark.tasks.events.run.mixtures import clip_bank, validation_examples
    from earmark.tasks.events.run.training import RECIPES, Validation, read_best

    shape = nets.CrnnShape.of(options.preset, ["?"])
    parts = _parts(folder, shape.bands.rate, seed)
    shape = replace(shape, labels=parts[0].labels)
    banks = [clip_bank(part, shape.bands, seed=seed) for part in parts]
    count = min(options.nets, len(parts))
    places = [checkpoint.with_name(f"{checkpoint.name}.{k}") for k in range(count)]
    validations = [
        Validation(*validation_examples(part, shape.bands, seed=seed)) for part in parts[:count]
    ]
    learnt = []
    for k, validation in enumerate(validations):
        others = [bank for number, bank in enumerate(banks) if number != k]
        place = Checkpoint(places[k], stays=True)
        bank = others[0].joined_to(others[1:])
        learnt.append(_learn_clips(bank, shape, options, validation, seed + k, place))
    trained = [each.net for each in learnt]
    reading = read_best(trained, RECIPES[options.preset], validations)
    clips = sum(len(own) for part in parts for own in part.names.values())
    card = {**_joint_card([each.card for each in learnt]), "clips": clips, "seed": seed}
    card = nets.save(trained, reading, out, card)
    for path in places:
        path.unlink(missing_ok=True)
    return card


def _parts(folder: Path, rate: int, seed: int) -> "tuple[Clips, ...]":
    """Return the clips of a folder in parts that share no source."""
    from earmark.tasks.events.make.soundscapes import SoundscapeOptions, clip_folds

    parts = clip_folds(SoundscapeOptions(rate=rate, clip_folds=PARTS), folder, seed=seed)
    if len(parts) < 2:
        raise InputError(
            "clips need at least two sources per label: one to learn from, one to validate",
            at=folder,
        )
    return parts


def _joint_card(cards: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return what is said of nets that were trained after one another: each's, and sums."""
    joint: dict[str, object] = {
        name: [card[name] for card in cards] for name in ("best_epoch", "epochs", "held_out_loss")
    }
    joint["parameters"] = sum(int(str(card["parameters"])) for card in cards)
    joint["cpu_seconds"] = round(sum(float(str(card["cpu_seconds"])) for card in cards), 2)
    return joint


def _learn_clips(
    bank: "ClipBank",
    shape: "CrnnShape",
    options: CrnnTrainingOptions,
    validation: "Validation",
    seed: int,
    checkpoint: "Checkpoint",
) -> "TrainedCrnn":
    """Return a net that learned from new mixtures of these clips in every epoch."""
    from earmark.tasks.events.run import pieces
    from earmark.tasks.events.run.training import RECIPES, train

    recipe = replace(RECIPES[options.preset], epochs=options.epochs or MIXED_EPOCHS)
    batches = pieces.mixture_batches(
        bank.mixture, frames=recipe.frames, batch=recipe.batch, steps=MIXED_STEPS, seed=seed
    )
    return train(shape, recipe, batches, validation, seed=seed, checkpoint=checkpoint)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyTrainingOptions:
    """How the regression is fitted."""

    ridge: float = option(RIDGE, RIDGE_HELP)


def train_energy(
    train_on: Training | None,
    options: EnergyTrainingOptions = EnergyTrainingOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Fit the regression on all recordings of a study; write it to `out` and return its card."""
    from earmark.tasks.events.run import energy
    from earmark.tasks.events.run.frames import Bands

    training = require_training(train_on, "energy")
    bands, labels = Bands(), labels_of(training.items[0])
    inputs = [energy.features(item, bands) for item in training.items]
    lines = [training.reference.values[item.id] for item in training.items]
    model = energy.fit_ridge(inputs, lines, labels, bands, options.ridge)
    return energy.save(model, out, {"recordings": len(lines), "ridge": options.ridge})


def train_frequent(train_on: Training | None, *, out: Path, seed: int) -> Json:
    """Find the most frequent label of a study; write it to `out` and return the card."""
    return _train_floor("frequent", train_on, out)


def train_loud(train_on: Training | None, *, out: Path, seed: int) -> Json:
    """Find the most frequent label of a study and its level; write them, return the card."""
    return _train_floor("loud", train_on, out)


def _train_floor(system: str, train_on: Training | None, out: Path) -> Json:
    from earmark.tasks.events.run import floors

    training = require_training(train_on, system)
    values = training.reference.values
    floor = floors.learn(training.items, values, with_level=system == "loud")
    return floors.save(system, floor, out, {"recordings": len(training.items)})
