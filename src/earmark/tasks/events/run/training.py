"""How a CRNN is trained: as published, or in minutes on one core."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from earmark.arrays import Floats32
from earmark.files.digest import content_digest
from earmark.learn.checkpoint import Checkpoint
from earmark.learn.fit import Schedule, TrainingPlan, fit
from earmark.learn.threads import seeded
from earmark.tasks.events.run import pieces
from earmark.tasks.events.run.frames import LEAST_ENERGY, ScoreReading
from earmark.tasks.events.run.nets import Crnn, CrnnShape, scores
from earmark.tasks.events.run.pieces import Batches, CrnnBatch, CrnnExample
from earmark.tasks.events.run.tuning import choose_reading
from earmark.tasks.events.values import Timeline

# Probabilities are kept this far from 0 and 1 before their logarithm is taken.
LEAST = 1e-6
# Epochs whose pieces the scaler looks at when soundscapes are mixed anew in each.
SCALED_EPOCHS = 4


@dataclass(frozen=True, slots=True)
class CrnnRecipe:
    """How a net learns.

    `frames` is the length of the pieces that recordings are cut into, `batch` how many make a step,
    `steps` the fewest steps of an epoch, which otherwise has as many pieces as the recordings give.
    `varied` pieces are drawn, mixed, made louder or softer and masked; others are cut one after
    another. `tuned`: thresholds and medians are chosen on the validation recordings. What is not
    said of `paper` was chosen on real clips, three folds for training and one for validation.
    """

    epochs: int
    patience: int
    frames: int = 256
    batch: int = 16
    steps: int = 10
    rate: float = 2e-3
    decay: float = 1e-2
    clip: float | None = 2.0
    smoothing: float = 0.995
    schedule: Schedule = "one-cycle"
    varied: bool = True
    tuned: bool = True
    threshold: float = 0.4


# As published: Adam at Keras' default rate, up to 500 epochs, patience 125, batches of 128 pieces
# of 256 frames, a threshold of .5 (Adavanne et al. 2017, and their code).
RECIPES = {
    "small": CrnnRecipe(epochs=40, patience=40),
    "paper": CrnnRecipe(
        epochs=500,
        patience=125,
        batch=128,
        steps=1,
        rate=1e-3,
        decay=0.0,
        clip=None,
        smoothing=0.0,
        schedule="constant",
        varied=False,
        tuned=False,
        threshold=0.5,
    ),
}


class Validation(NamedTuple):
    """Recordings that choose the epoch and how scores are read; neither learnt from nor scored."""

    examples: Sequence[CrnnExample] = ()
    lines: Sequence[Timeline] = ()


class TrainedCrnn(NamedTuple):
    """A net, how its scores are read, and what its card says about the training."""

    net: Crnn
    reading: ScoreReading
    card: dict[str, object]


def batches_of(recordings: Sequence[CrnnExample], recipe: CrnnRecipe, *, seed: int) -> Batches:
    """Return the batches of an epoch, cut from recordings as the recipe says."""
    frames, batch = recipe.frames, recipe.batch
    if not recipe.varied:
        return pieces.fixed_batches(recordings, frames=frames, batch=batch, seed=seed)
    total = sum(len(each.power) for each in recordings)
    steps = max(recipe.steps, -(-total // (frames * batch)))
    return pieces.varied_batches(recordings, frames=frames, batch=batch, steps=steps, seed=seed)


def train(
    shape: CrnnShape,
    recipe: CrnnRecipe,
    batches: Batches,
    validation: Validation,
    *,
    seed: int,
    checkpoint: Checkpoint | None = None,
) -> TrainedCrnn:
    """Return a trained net; without validation recordings its last epoch counts.

    `checkpoint` says where it is kept meanwhile; what it is of is added here.
    """
    held_out = validation.examples
    plan = TrainingPlan(
        epochs=recipe.epochs,
        rate=recipe.rate,
        decay=recipe.decay,
        clip=recipe.clip,
        patience=recipe.patience if held_out else recipe.epochs,
        smoothing=recipe.smoothing,
        schedule=recipe.schedule,
    )
    first = batches(0)
    with seeded(seed):
        net = Crnn(shape)
        net.scale_to(_log_energies(batches, first, recipe))
        result = fit(
            net,
            batches,
            _step_loss,
            check=partial(_check, held_out) if held_out else None,
            plan=plan,
            checkpoint=_checkpoint(checkpoint, shape, recipe, seed, first, held_out),
        )
    return TrainedCrnn(
        net,
        read_best([net], recipe, [validation]),
        {
            "best_epoch": result.best_epoch,
            "epochs": len(result.log),
            "held_out_loss": -result.best if held_out else None,
            "cpu_seconds": round(result.cpu_seconds, 2),
            "parameters": sum(part.numel() for part in net.parameters()),
        },
    )


def _log_energies(batches: Batches, first: Sequence[CrnnBatch], recipe: CrnnRecipe) -> Floats32:
    """Return log energies of the training set (frames, bands), of a few epochs where they vary."""
    epochs = [first] + [batches(k) for k in range(1, SCALED_EPOCHS if recipe.varied else 1)]
    rows = [batch.power.reshape(-1, batch.power.shape[2]) for epoch in epochs for batch in epoch]
    # silence that fills up the last piece of a recording is not of the training set
    power = np.concatenate(rows)
    return np.asarray(np.log(power[power.any(axis=1)] + LEAST_ENERGY), dtype=np.float32)


def _step_loss(net: nn.Module, batch: CrnnBatch) -> torch.Tensor:
    power, active, masks = map(torch.from_numpy, batch)
    logits = net(net.standardise(power) * masks[:, None, :])
    return nn.functional.binary_cross_entropy_with_logits(logits, active)


def _check(held_out: Sequence[CrnnExample], net: Crnn) -> float:
    """Return what an epoch is chosen by: minus the cross-entropy on validation recordings."""
    losses = [_loss(scores([net], each.power), each.targets) for each in held_out]
    return -float(np.mean(np.concatenate(losses)))


def _loss(probability: Floats32, active: Floats32) -> Floats32:
    """Return the cross-entropy of every frame; unlike F1 it moves from the first epoch on."""
    inside = np.clip(probability.astype(np.float64), LEAST, 1 - LEAST)
    cross = active * np.log(inside) + (1 - active) * np.log(1 - inside)
    return np.asarray(-cross.mean(axis=1))


def read_best(
    nets: Sequence[Crnn], recipe: CrnnRecipe, validations: Sequence[Validation]
) -> ScoreReading:
    """Return how scores are read best, each net's on the recordings that validate it."""
    shape = nets[0].shape
    lines = [line for each in validations for line in each.lines]
    if not lines or not recipe.tuned:
        return ScoreReading.even(len(shape.labels), recipe.threshold)
    rows = [
        scores([net], each.power)
        for net, validation in zip(nets, validations, strict=True)
        for each in validation.examples
    ]
    seconds = shape.bands.seconds
    return choose_reading(rows, lines, shape.labels, seconds, threshold=recipe.threshold)


def _checkpoint(
    place: Checkpoint | None,
    shape: CrnnShape,
    recipe: CrnnRecipe,
    seed: int,
    first: Sequence[CrnnBatch],
    held_out: Sequence[CrnnExample],
) -> Checkpoint | None:
    """Return where the training is kept; what it depends on is the digest of all its inputs."""
    if place is None:
        return None
    content = hashlib.sha256()
    for array in (*(side for batch in first for side in batch), *(s for e in held_out for s in e)):
        content.update(np.ascontiguousarray(array).tobytes())
    made_of: Mapping[str, object] = {
        "shape": asdict(shape), "recipe": asdict(recipe), "seed": seed, "data": content.hexdigest()
    }  # fmt: skip
    return replace(place, of=content_digest(json.dumps(made_of)))
