"""The CRNN's net, its training and its file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from earmark.arrays import Floats32
from earmark.files.folder import write_file
from earmark.files.json_text import parse_json
from earmark.files.models import use_model
from earmark.files.text import require_regular
from earmark.learn.fit import TrainingPlan, fit
from earmark.learn.threads import limited_threads, seeded
from earmark.stats import rates
from earmark.stats.draw import stream
from earmark.tasks.events.run.frames import Bands, band_energies, targets
from earmark.tasks.events.values import Timeline
from earmark.values.counts import Hits
from earmark.values.errors import InputError
from earmark.values.item import Item
from earmark.values.score import number

# Frequency pooling of the three convolutions: 40 bands become 8, 4, 2 (Adavanne et al. 2017).
POOLS = (5, 2, 2)

# Learning rate and weight decay: chosen by hand on synthesised soundscapes; not tuned.
RATE, DECAY = 3e-3, 1e-4

# Probabilities are kept this far from 0 and 1 before their logarithm is taken.
LEAST = 1e-6


class CrnnExample(NamedTuple):
    """A recording to learn from."""

    energies: Floats32  # (frames, bands)
    targets: Floats32  # (frames, labels): 1 where a label is active


@dataclass(frozen=True, slots=True)
class CrnnShape:
    """Everything that fixes the net: labels, features, sizes, and how it is trained.

    `frames` is the length of the pieces that recordings are cut into, `batch` how many pieces make
    a step, `patience` after how many epochs without a lower loss training stops. The defaults are
    the preset `small`; its sizes were chosen by hand for a laptop.
    """

    labels: tuple[str, ...]
    bands: Bands = field(default_factory=Bands)
    channels: int = 32
    units: int = 32
    dropout: float = 0.25
    frames: int = 128
    batch: int = 4
    patience: int = 12

    @classmethod
    def of(cls, preset: str, labels: Sequence[str]) -> "CrnnShape":
        """Return the small net, or the published one (366,822 parameters for six labels)."""
        if preset == "small":
            return cls(tuple(labels))
        wide = Bands(rate=44100)
        return cls(
            tuple(labels), wide, channels=128, dropout=0.5, frames=256, batch=128, patience=125
        )


class Crnn(nn.Module):  # type: ignore[misc]
    """Three convolutions that pool over frequency, two recurrent layers both ways, two dense."""

    def __init__(self, shape: CrnnShape) -> None:
        super().__init__()
        self.shape = shape
        blocks: list[nn.Module] = []
        channels, bands = 1, shape.bands.bands
        for pool in POOLS:
            blocks += [
                nn.Conv2d(channels, shape.channels, 3, padding=1),
                nn.BatchNorm2d(shape.channels),
                nn.ReLU(),
                nn.MaxPool2d((1, pool)),
                nn.Dropout(shape.dropout),
            ]
            channels, bands = shape.channels, bands // pool
        self.convolve = nn.Sequential(*blocks)
        sizes = (channels * bands, shape.units)
        self.recur = nn.ModuleList(
            nn.GRU(size, shape.units, bidirectional=True, batch_first=True) for size in sizes
        )
        self.dense = nn.Sequential(nn.Linear(shape.units, shape.units), nn.Dropout(shape.dropout))
        self.out = nn.Linear(shape.units, len(shape.labels))

    def forward(self, energies: Any) -> Any:
        """Return logits (pieces, frames, labels); both directions of a layer are multiplied."""
        x = self.convolve(energies[:, None])
        x = x.permute(0, 2, 1, 3).flatten(2)
        for layer in self.recur:
            both, _ = layer(x)
            x = both[..., : self.shape.units] * both[..., self.shape.units :]
        return self.out(self.dense(x))


def examples(
    items: Sequence[Item], values: Mapping[str, Timeline], shape: CrnnShape
) -> list[CrnnExample]:
    """Return energies and targets of every recording."""
    result = []
    for item in items:
        energies = band_energies(item, shape.bands)
        active = targets(values[item.id], shape.labels, len(energies), shape.bands.seconds)
        result.append(CrnnExample(energies, active))
    return result


def train(
    shape: CrnnShape, recordings: Sequence[CrnnExample], *, epochs: int, seed: int
) -> tuple[Crnn, dict[str, object]]:
    """Return a trained net, and what its card says about the training.

    With three recordings or more the last is held out to choose the epoch; with fewer the last
    epoch counts.
    """
    held_out = recordings[-1] if len(recordings) > 2 else None
    learned_from = recordings[:-1] if held_out else recordings
    loss = nn.BCEWithLogitsLoss()
    patience = shape.patience if held_out else epochs
    plan = TrainingPlan(epochs=epochs, rate=RATE, decay=DECAY, patience=patience)
    # without a held-out recording every epoch is better than the one before
    epoch_numbers = iter(range(1, epochs + 1))
    with seeded(seed):
        net = Crnn(shape)
        result = fit(
            net,
            lambda epoch: _batches(learned_from, shape, stream(seed, "crnn epoch", epoch)),
            lambda model, batch: loss(model(batch[0]), batch[1]),
            check=lambda model: -_loss(model, held_out) if held_out else float(next(epoch_numbers)),
            plan=plan,
        )
    return net, {
        "best_epoch": result.best_epoch,
        "held_out_loss": -result.best if held_out else None,
        "held_out_f1": _f1(net, held_out) if held_out else None,
        "cpu_seconds": round(result.cpu_seconds, 2),
        "parameters": sum(part.numel() for part in net.parameters()),
    }


def _batches(
    recordings: Sequence[CrnnExample], shape: CrnnShape, rng: np.random.Generator
) -> list[tuple[torch.Tensor, ...]]:
    """Return batches of (energies, targets) of one epoch.

    Recordings are cut at a new place each epoch; pieces are shuffled. A last batch of one piece is
    left out, because batch normalisation needs two.
    """
    pieces = []
    for recording in recordings:
        first = int(rng.integers(shape.frames))
        padded = [np.pad(side, ((first, shape.frames), (0, 0))) for side in recording]
        for start in range(0, first + len(recording.energies), shape.frames):
            pieces.append([side[start : start + shape.frames] for side in padded])
    order = rng.permutation(len(pieces))
    rows = [order[k : k + shape.batch] for k in range(0, len(order), shape.batch)]
    if len(rows) > 1 and len(rows[-1]) < 2:
        rows = rows[:-1]
    return [
        tuple(torch.from_numpy(np.stack([pieces[k][side] for k in row])) for side in (0, 1))
        for row in rows
    ]


def _loss(net: Crnn, held_out: CrnnExample) -> float:
    """Return the cross-entropy on a recording; unlike F1 it moves from the first epoch on."""
    probability = np.clip(scores(net, held_out.energies).astype(np.float64), LEAST, 1 - LEAST)
    active = held_out.targets
    return float(-np.mean(active * np.log(probability) + (1 - active) * np.log(1 - probability)))


def _f1(net: Crnn, held_out: CrnnExample) -> float | None:
    """Return the F1 of frames at a threshold of 0.5; None if it is undefined."""
    output, reference = scores(net, held_out.energies) > 0.5, held_out.targets > 0.5
    parts = (reference & output, reference & ~output, ~reference & output)
    return number(rates.f1(Hits(*(int(part.sum()) for part in parts))))


def scores(net: Crnn, energies: Floats32) -> Floats32:
    """Return scores from 0 to 1: (frames, labels)."""
    net.eval()
    with torch.no_grad(), limited_threads(1):
        return np.asarray(torch.sigmoid(net(torch.from_numpy(energies)[None]))[0].numpy())


def save(net: Crnn, out: Path, training: Mapping[str, object]) -> dict[str, object]:
    """Write weights and card to one file; return the card."""
    from safetensors.torch import save as as_bytes

    card = {"task": "events", "system": "crnn", "shape": asdict(net.shape), **training}
    write_file(out, as_bytes(net.state_dict(), metadata={"card": json.dumps(card)}))
    return card


def load(path: Path) -> Crnn:
    """Return the net that `save` wrote; raise InputError if the file is none."""
    from safetensors import SafetensorError, safe_open

    require_regular(path)
    try:
        with safe_open(str(use_model(path)), framework="pt") as file:
            card = parse_json((file.metadata() or {})["card"])
            weights = {name: file.get_tensor(name) for name in file.keys()}
        return _build(card["shape"], weights)
    except (
        AttributeError, LookupError, OSError, RuntimeError, SafetensorError, TypeError, ValueError
    ) as error:  # fmt: skip
        raise InputError("a CRNN model is a file that train wrote", at=path, got=error) from error


def _build(card: Mapping[str, Any], weights: Mapping[str, Any]) -> Crnn:
    shape = dict(card)
    bands = Bands(**shape.pop("bands"))
    net = Crnn(CrnnShape(labels=tuple(shape.pop("labels")), bands=bands, **shape))
    net.load_state_dict(weights)
    return net
