"""Train the CRNN on a study."""

from dataclasses import dataclass
from pathlib import Path

from earmark.task.options import option
from earmark.task.task import Json, Training
from earmark.tasks.events.run.crnn import EPOCHS_HELP, PRESET_HELP, Preset
from earmark.tasks.events.run.folds import require_training
from earmark.tasks.events.values import labels_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CrnnTrainingOptions:
    """How a CRNN is trained."""

    preset: Preset = option("small", PRESET_HELP)
    epochs: int = option(40, EPOCHS_HELP)


def train_crnn(
    train_on: Training | None,
    options: CrnnTrainingOptions = CrnnTrainingOptions(),
    *,
    out: Path,
    seed: int,
) -> Json:
    """Train a CRNN on all recordings of a study but the last, which chooses the epoch.

    Write the model to `out` and return its card.
    """
    from earmark.tasks.events.run import nets

    training = require_training(train_on, "crnn")
    shape = nets.CrnnShape.of(options.preset, labels_of(training.items[0]))
    examples = nets.examples(training.items, training.reference.values, shape)
    net, card = nets.train(shape, examples, epochs=options.epochs, seed=seed)
    return nets.save(net, out, {**card, "recordings": len(training.items), "seed": seed})
