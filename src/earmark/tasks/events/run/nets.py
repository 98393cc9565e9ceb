"""The CRNN's net, its training and its file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from earmark.learn.fit import TrainingPlan, fit
from earmark.learn.threads import limited_threads, seeded
from earmark.stats.draw import stream
from earmark.tasks.events.run.frames import Bands, band_energies, targets
from earmark.tasks.events.values import Timeline
from earmark.values.errors import InputError
from earmark.values.item import Item

Floats = NDArray[np.float32]
Example = tuple[Floats, Floats]
POOLS = (5, 2, 2)


@dataclass(frozen=True, slots=True)
class Shape:
    """Everything that fixes the net: labels, features, sizes, and how it is trained."""

    labels: tuple[str, ...]
    bands: Bands = field(default_factory=Bands)
    channels: int = 32
    units: int = 32
    dropout: float = 0.25
    frames: int = 128
    batch: int = 4
    patience: int = 12

    @classmethod
    def of(cls, preset: str, labels: Sequence[str]) -> "Shape":
        """The small net, or the published one (366,822 parameters for six labels)."""
        if preset == "small":
            return cls(tuple(labels))
        wide = Bands(rate=44100)
        return cls(
            tuple(labels), wide, channels=128, dropout=0.5, frames=256, batch=128, patience=125
        )


class Crnn(nn.Module):  # type: ignore[misc]
    """Three convolutions that pool over frequency, two recurrent layers both ways, two dense."""

    def __init__(self, shape: Shape) -> None:
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
        """Logits, pieces by frames by labels; both directions of a layer are multiplied."""
        x = self.convolve(energies[:, None])
        x = x.permute(0, 2, 1, 3).flatten(2)
        for layer in self.recur:
            both, _ = layer(x)
            x = both[..., : self.shape.units] * both[..., self.shape.units :]
        return self.out(self.dense(x))


def examples(items: Sequence[Item], values: Mapping[str, Timeline], shape: Shape) -> list[Example]:
    """Energies and targets of every recording."""
    made = []
    for item in items:
        energies = band_energies(item, shape.bands)
        wanted = targets(values[item.id], shape.labels, len(energies), shape.bands.seconds)
        made.append((energies, wanted))
    return made


def train(
    shape: Shape, given: Sequence[Example], *, epochs: int, seed: int
) -> tuple[Crnn, dict[str, object]]:
    """A trained net. With three recordings or more the last is held out to choose the epoch."""
    held = given[-1] if len(given) > 2 else None
    learn = given[:-1] if held else given
    loss = nn.BCEWithLogitsLoss()
    plan = TrainingPlan(epochs=epochs, rate=3e-3, decay=1e-4, patience=shape.patience if held else epochs)
    number = iter(range(1, 10**9))
    with seeded(seed):
        net = Crnn(shape)
        found = fit(
            net,
            lambda epoch: _batches(learn, shape, stream(seed, "crnn epoch", epoch)),
            lambda model, batch: loss(model(batch[0]), batch[1]),
            check=lambda model: -_held_loss(model, held) if held else float(next(number)),
            plan=plan,
        )
    told: dict[str, object] = {
        "best_epoch": found.best_epoch,
        "held_out_loss": -found.best if held else None,
        "held_out_f1": _f1(net, held) if held else None,
        "cpu_seconds": round(found.cpu_seconds, 2),
        "parameters": sum(part.numel() for part in net.parameters()),
    }
    return net, told


def _batches(given: Sequence[Example], shape: Shape, rng: np.random.Generator) -> list[Any]:
    """Pieces of all recordings, cut at a new place each epoch, shuffled and batched."""
    pieces = []
    for energies, wanted in given:
        first = int(rng.integers(shape.frames))
        padded = [np.pad(x, ((first, shape.frames), (0, 0))) for x in (energies, wanted)]
        for start in range(0, first + len(energies), shape.frames):
            pieces.append([x[start : start + shape.frames] for x in padded])
    order = rng.permutation(len(pieces))
    rows = [order[k : k + shape.batch] for k in range(0, len(order), shape.batch)]
    count = len(order) // shape.batch if len(rows) > 1 and len(rows[-1]) < 2 else len(rows)
    return [
        tuple(torch.from_numpy(np.stack([pieces[k][side] for k in row])) for side in (0, 1))
        for row in rows[:count]
    ]


def _held_loss(net: Crnn, held: Example) -> float:
    """Cross-entropy on the held-out recording; unlike F1 it moves from the first epoch on."""
    chance = np.clip(scores(net, held[0]).astype(np.float64), 1e-6, 1 - 1e-6)
    wanted = held[1]
    return float(-np.mean(wanted * np.log(chance) + (1 - wanted) * np.log(1 - chance)))


def _f1(net: Crnn, held: Example) -> float:
    heard, wanted = scores(net, held[0]) > 0.5, held[1] > 0.5
    total = float(heard.sum() + wanted.sum())
    return 2 * float((heard & wanted).sum()) / total if total else 0.0


def scores(net: Crnn, energies: Floats) -> Floats:
    """Scores from 0 to 1, frames by labels."""
    net.eval()
    with torch.no_grad(), limited_threads(1):
        return np.asarray(torch.sigmoid(net(torch.from_numpy(energies)[None]))[0].numpy())


def save(net: Crnn, out: Path, told: Mapping[str, object]) -> dict[str, object]:
    """Write weights and shape to one file; the card."""
    from safetensors.torch import save_file

    card = {"task": "events", "system": "crnn", "shape": asdict(net.shape), **told}
    out.parent.mkdir(parents=True, exist_ok=True)
    save_file(net.state_dict(), str(out), metadata={"card": json.dumps(card)})
    return card


def load(path: Path) -> Crnn:
    """The net that `save` wrote."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="pt") as file:
            card = json.loads((file.metadata() or {})["card"])
            weights = {name: file.get_tensor(name) for name in file.keys()}
    except (OSError, KeyError, SafetensorError) as error:
        raise InputError("a CRNN model is a file that train wrote", at=path, got=error) from error
    shape = card["shape"]
    bands = Bands(**shape.pop("bands"))
    net = Crnn(Shape(labels=tuple(shape.pop("labels")), bands=bands, **shape))
    net.load_state_dict(weights)
    return net
