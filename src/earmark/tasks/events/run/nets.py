"""The CRNN's net and its file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from earmark.arrays import Floats32
from earmark.files.folder import write_file
from earmark.files.json_text import parse_json
from earmark.files.models import use_model
from earmark.files.text import require_regular
from earmark.learn.threads import limited_threads
from earmark.tasks.events.run.frames import LEAST_DEVIATION, LEAST_ENERGY, Bands, ScoreReading
from earmark.values.errors import InputError

# Frames that a recording is scored in at a time, and those on each side that are dropped: the net
# sees enough around every frame, and hours of sound need little memory.
STRETCH, MARGIN = 8192, 256


@dataclass(frozen=True, slots=True)
class CrnnShape:
    """Everything that fixes the net.

    `channels` and `pools` are of each convolution, a pool being (frames, bands). `product` says how
    the two directions of a recurrent layer are merged: multiplied, with a dense layer before the
    last, as published, or side by side. The defaults are the preset `small`.
    """

    labels: tuple[str, ...]
    bands: Bands = field(default_factory=lambda: Bands(window=1024, hop=512))
    channels: tuple[int, ...] = (16, 32, 64, 64)
    pools: tuple[tuple[int, int], ...] = ((2, 2), (2, 2), (1, 2), (1, 5))
    units: int = 32
    dropout: float = 0.2
    product: bool = False

    @classmethod
    def of(cls, preset: str, labels: Sequence[str]) -> "CrnnShape":
        """Return the small net, or the published one (366,822 parameters for six labels).

        Adavanne et al. 2017: frequency pooling alone, by 5, 2 and 2.
        """
        if preset == "small":
            return cls(tuple(labels))
        return cls(
            tuple(labels),
            Bands(rate=44100),
            channels=(128, 128, 128),
            pools=((1, 5), (1, 2), (1, 2)),
            dropout=0.5,
            product=True,
        )


class Crnn(nn.Module):  # type: ignore[misc]
    """Convolutions that pool, two recurrent layers both ways, a dense output for every frame.

    Energies go in as they are; their logarithm is standardised by the means and deviations of the
    training set, which are stored with the weights.
    """

    def __init__(self, shape: CrnnShape) -> None:
        super().__init__()
        self.shape = shape
        self.register_buffer("mean", torch.zeros(shape.bands.bands))
        self.register_buffer("deviation", torch.ones(shape.bands.bands))
        blocks: list[nn.Module] = []
        before, bands = 1, shape.bands.bands
        for channels, pool in zip(shape.channels, shape.pools, strict=True):
            blocks += [
                nn.Conv2d(before, channels, 3, padding=1),
                nn.BatchNorm2d(channels),
                nn.MaxPool2d(pool),  # before ReLU, which gives the same of fewer numbers
                nn.ReLU(),
                nn.Dropout(shape.dropout),
            ]
            before, bands = channels, bands // pool[1]
        self.convolve = nn.Sequential(*blocks)
        width = shape.units if shape.product else 2 * shape.units
        self.recur = nn.ModuleList(
            nn.GRU(size, shape.units, bidirectional=True, batch_first=True)
            for size in (before * bands, width)
        )
        self.between = nn.Dropout(0.0 if shape.product else shape.dropout)
        self.dense = (
            nn.Sequential(nn.Linear(width, width), nn.Dropout(shape.dropout))
            if shape.product
            else nn.Identity()
        )
        self.out = nn.Linear(width, len(shape.labels))
        # channels last in memory: a step of training takes a fifth less on a processor
        self.to(memory_format=torch.channels_last)

    def standardise(self, power: torch.Tensor) -> torch.Tensor:
        """Return the standardised logarithm of energies (..., bands)."""
        return (torch.log(power + LEAST_ENERGY) - self.mean) / self.deviation

    def scale_to(self, energies: Floats32) -> None:
        """Standardise by these log energies (frames, bands) from now on."""
        self.mean.copy_(torch.from_numpy(energies.mean(axis=0)))
        self.deviation.copy_(torch.from_numpy(energies.std(axis=0) + LEAST_DEVIATION))

    def forward(self, energies: torch.Tensor) -> torch.Tensor:
        """Return logits (pieces, frames, labels) of standardised energies."""
        frames = energies.shape[1]
        step = int(np.prod([pool[0] for pool in self.shape.pools]))
        x = nn.functional.pad(energies, (0, 0, 0, -frames % step))
        x = self.convolve(x[:, None].contiguous(memory_format=torch.channels_last))
        x = x.permute(0, 2, 1, 3).flatten(2)
        for number, layer in enumerate(self.recur):
            x, _ = layer(self.between(x) if number else x)
            if self.shape.product:
                x = x[..., : self.shape.units] * x[..., self.shape.units :]
        return self.out(self.dense(x)).repeat_interleave(step, 1)[:, :frames]


def scores(nets: Sequence[Crnn], power: Floats32) -> Floats32:
    """Return scores from 0 to 1 of mel energies, the mean over nets: (frames, labels)."""
    return np.asarray(np.mean([_scores(net, power) for net in nets], axis=0))


def _scores(net: Crnn, power: Floats32) -> Floats32:
    net.eval()
    step = STRETCH - 2 * MARGIN
    rows = []
    with torch.no_grad(), limited_threads(1):
        for start in range(0, len(power), step):
            first, last = max(0, start - MARGIN), min(len(power), start + step + MARGIN)
            energies = net.standardise(torch.from_numpy(power[first:last]))
            part = torch.sigmoid(net(energies[None]))[0].numpy()
            rows.append(part[start - first : start - first + step])
    return np.concatenate(rows)


def save(
    nets: Sequence[Crnn], reading: ScoreReading, out: Path, training: Mapping[str, object]
) -> dict[str, object]:
    """Write weights, how scores are read, and card to one file; return the card.

    Nets of one model have one shape.
    """
    from safetensors.torch import save as as_bytes

    card = {
        "task": "events",
        "system": "crnn",
        "shape": asdict(nets[0].shape),
        "nets": len(nets),
        "reading": asdict(reading),
        **training,
    }
    weights = {
        f"{k}.{name}": value.contiguous()
        for k, net in enumerate(nets)
        for name, value in net.state_dict().items()
    }
    write_file(out, as_bytes(weights, metadata={"card": json.dumps(card)}))
    return card


def load(path: Path) -> tuple[tuple[Crnn, ...], ScoreReading]:
    """Return the nets and the reading that `save` wrote; raise InputError if the file is none."""
    from safetensors import SafetensorError, safe_open

    require_regular(path)
    try:
        with safe_open(str(use_model(path)), framework="pt") as file:
            card = parse_json((file.metadata() or {})["card"])
            weights = {name: file.get_tensor(name) for name in file.keys()}
        reading = ScoreReading(**{name: tuple(own) for name, own in card["reading"].items()})
        return tuple(_build(card["shape"], own) for own in _by_net(weights)), reading
    except (
        AttributeError, LookupError, OSError, RuntimeError, SafetensorError, TypeError, ValueError
    ) as error:  # fmt: skip
        raise InputError("a CRNN model is a file that train wrote", at=path, got=error) from error


def _by_net(weights: Mapping[str, torch.Tensor]) -> list[dict[str, torch.Tensor]]:
    """Return the weights of each net; names begin with its number. There is one at least."""
    by_net: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in weights.items():
        number, _, name = key.partition(".")
        by_net.setdefault(int(number), {})[name] = value
    return [by_net[k] for k in range(max(1, len(by_net)))]


def _build(card: Mapping[str, Any], weights: Mapping[str, Any]) -> Crnn:
    shape = dict(card)
    net = Crnn(
        CrnnShape(
            labels=tuple(shape.pop("labels")),
            bands=Bands(**shape.pop("bands")),
            channels=tuple(shape.pop("channels")),
            pools=tuple(tuple(pool) for pool in shape.pop("pools")),
            **shape,
        )
    )
    net.load_state_dict(weights)
    return net
