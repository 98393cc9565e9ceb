"""Train the CRNN on a study."""

from pathlib import Path
from typing import Literal

from earmark.task.task import Json, Training
from earmark.tasks.events.run.folds import need


def train_crnn(
    train_on: Training | None,
    *,
    out: Path,
    seed: int,
    preset: Literal["small", "paper"] = "small",
    epochs: int = 40,
) -> Json:
    """A CRNN trained on all recordings of a study but the last, which chooses the epoch.

    Parameters
    ----------
    preset
        `small` for a laptop, `paper` for the published size.
    epochs
        Passes over the training part at most.
    """
    from earmark.tasks.events.run.crnn import fit_crnn

    training = need(train_on, "crnn")
    return fit_crnn(training, out=out, seed=seed, preset=preset, epochs=epochs)
