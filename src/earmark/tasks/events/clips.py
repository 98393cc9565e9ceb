"""Where the sounds of a soundscape come from: a folder of labelled clips, or our own synthesis."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from earmark.files.sound import read_sound, sound_seconds
from earmark.stats.draw import stream
from earmark.tasks.events.sounds import LENGTHS, SOUNDS, synthesise
from earmark.values.errors import InputError

Samples = NDArray[np.float32]
SUFFIXES = (".wav", ".flac", ".ogg", ".mp3")
POOL = 10


@dataclass(frozen=True, slots=True)
class Clips:
    """Clips by label with their lengths; `samples(label, number)` gives the sound."""

    lengths: Mapping[str, tuple[float, ...]]
    samples: Callable[[str, int], Samples]
    left_out: int = 0
    labels: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(sorted(self.lengths)))

    def draw(self, label: str, rng: np.random.Generator) -> tuple[int, float]:
        """A clip of the label, each as likely as the other, and its length."""
        number = int(rng.integers(len(self.lengths[label])))
        return number, self.lengths[label][number]


def made_clips(rate: int, seed: int) -> Clips:
    """A pool of synthesised clips of each of the six sounds, made when first needed."""
    lengths = {
        label: tuple(
            round(float(stream(seed, "clip", label, k).uniform(*LENGTHS[label])), 3)
            for k in range(POOL)
        )
        for label in SOUNDS
    }

    @cache
    def samples(label: str, number: int) -> Samples:
        rng = stream(seed, "sound", label, number)
        return synthesise(label, lengths[label][number], rate=rate, rng=rng)

    return Clips(lengths, samples)


def folder_clips(folder: Path, rate: int, limits: tuple[float, float]) -> Clips:
    """The clips of a folder with one folder a label; those outside the limits are counted."""
    if not folder.is_dir():
        raise InputError("labelled clips come as a folder of folders", at=folder)
    found: dict[str, list[Path]] = {}
    left_out = 0
    for path in sorted(folder.glob("*/*")):
        if path.suffix.lower() in SUFFIXES:
            fits = limits[0] <= sound_seconds(path) <= limits[1]
            found.setdefault(path.parent.name, [])
            found[path.parent.name] += [path] if fits else []
            left_out += not fits
    empty = [label for label, paths in found.items() if not paths]
    if not found or empty:
        raise InputError(
            "every label needs a clip of a fitting length",
            at=folder,
            got=f"none for {', '.join(empty)}" if empty else "no sound files in its folders",
            want=f"{limits[0]:g} to {limits[1]:g} s",
            fix="widen --shortest and --longest, or add clips",
        )
    lengths = {label: tuple(map(sound_seconds, paths)) for label, paths in found.items()}

    @lru_cache(maxsize=256)
    def samples(label: str, number: int) -> Samples:
        return read_sound(found[label][number], rate=rate)[0]

    return Clips(lengths, samples, left_out)
