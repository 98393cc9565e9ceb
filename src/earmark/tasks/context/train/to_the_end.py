"""Training a network to its end: until the loss on the development study has stopped falling."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from earmark.learn.checkpoint import Checkpoint
from earmark.learn.fit import TrainingPlan, fit
from earmark.stats.draw import stream
from earmark.task.progress import notify
from earmark.task.task import Json
from earmark.tasks.context.run.lstm import Chunk, Loss, LstmNetwork, batches, mean_loss
from earmark.values.errors import InputError

# Adam's learning rate is the paper's. It gives no size of batches and no bound on the norm of
# gradients; these were chosen by hand and not tuned.
LEARNING_RATE = 1e-3
BATCH_WORDS = 1024
GRADIENT_NORM = 5.0


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a network learns from, by which loss, and on what the end is judged, by which."""

    chunks: Sequence[Chunk]
    loss_of: Loss
    development: Sequence[Chunk]
    development_loss_of: Loss
    labels: Sequence[Any] = ()  # of both, where the losses know of any: for the checkpoint


@dataclass(frozen=True, slots=True)
class Schooling:
    """How long a network learns at most, and where it is kept meanwhile.

    The last epoch ends early when `epochs` is no whole number. `patience` epochs without a lower
    development loss are the end. `made_of` is all else that the weights depend on.
    """

    epochs: float
    patience: int
    seed: int
    checkpoint: Path
    made_of: Mapping[str, Any]

    def plan(self) -> TrainingPlan:
        """Return it in the training loop's terms."""
        return TrainingPlan(
            epochs=math.ceil(self.epochs),
            rate=LEARNING_RATE,
            decay=0.0,
            clip=GRADIENT_NORM,
            patience=self.patience,
            schedule="constant",
            fused=True,
            long_epochs=True,
        )


def learn(net: LstmNetwork, lesson: Lesson, schooling: Schooling) -> Json:
    """Train the network by Adam over shuffled batches, and leave it with its best epoch's weights.

    Returns
    -------
    dict
        For the card: how many epochs there were, which was the best (from 1), the mean loss and
        the development loss of each, and whether patience or the number of epochs ended it.
    """

    def batches_of(epoch: int) -> list[list[Chunk]]:
        everything = list(
            batches(lesson.chunks, BATCH_WORDS, stream(schooling.seed, "epoch", epoch))
        )
        return everything[: max(1, round(len(everything) * min(1.0, schooling.epochs - epoch)))]

    def check(own: LstmNetwork) -> float:
        loss = mean_loss(
            own, lesson.development, lesson.development_loss_of, batch_words=BATCH_WORDS
        )
        notify(f"development loss {loss:.4f}")
        return -loss

    # it stays until the caller has written the model
    place = Checkpoint(schooling.checkpoint, of=_digest(lesson, schooling), stays=True)
    plan = schooling.plan()
    result = fit(net, batches_of, lesson.loss_of, check=check, plan=plan, checkpoint=place)
    if result.best_epoch < 0:
        raise InputError(
            "the network learnt nothing: its development loss is no number",
            got=[-row["check"] for row in result.log],
            fix="look for passages that are empty or far too long, or try another --seed",
        )
    epochs = len(result.log)
    waited = epochs - 1 - result.best_epoch >= schooling.patience
    return {
        "epochs": schooling.epochs if epochs == plan.epochs else float(epochs),
        "best_epoch": result.best_epoch + 1,
        "losses": [row["loss"] for row in result.log],
        "development_losses": [-row["check"] for row in result.log],
        "ended_by": "patience" if waited else "epochs",
    }


def _digest(lesson: Lesson, schooling: Schooling) -> str:
    """Return a digest of what the weights after an epoch depend on.

    The number of epochs is no part of it unless the last one ends early, nor is the patience: a
    training goes on under another limit, or ends with the epochs that it has.
    """
    content = hashlib.sha256()
    for chunk in (*lesson.chunks, *lesson.development):
        content.update(f"{chunk.document} {chunk.start} {len(chunk.words)}\n".encode())
        content.update(chunk.words.tobytes())
    for row in lesson.labels:
        content.update(np.ascontiguousarray(row).tobytes())
    parts: list[float] = [len(lesson.chunks), len(lesson.development), schooling.seed]
    if schooling.epochs % 1:
        parts.append(schooling.epochs)
    content.update(json.dumps([dict(schooling.made_of), *parts], sort_keys=True).encode())
    return content.hexdigest()
