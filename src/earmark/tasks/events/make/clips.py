"""Where the sounds of a soundscape come from: a folder of labelled clips, or our own synthesis."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from earmark.arrays import Samples
from earmark.files.sound import read_sound, sound_seconds
from earmark.stats.draw import stream
from earmark.tasks.events.make.sounds import LENGTHS, SOUNDS, synthesise
from earmark.values.errors import InputError

SUFFIXES = (".wav", ".flac", ".ogg", ".mp3")

# Synthesised clips per label; once made they are kept in memory. Chosen by hand.
POOL = 10

# Clips of a folder that are kept decoded at a time, at most 60 s each by default.
DECODED = 256


@dataclass(frozen=True, slots=True)
class Clips:
    """Clips by label with their lengths; `samples(label, number)` returns the sound."""

    lengths: Mapping[str, tuple[float, ...]]
    samples: Callable[[str, int], Samples]
    left_out: int = 0
    labels: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(sorted(self.lengths)))

    def draw(self, label: str, rng: np.random.Generator) -> tuple[int, float]:
        """Draw a clip of the label uniformly; return its number and length in seconds."""
        number = int(rng.integers(len(self.lengths[label])))
        return number, self.lengths[label][number]


def synthesised_clips(rate: int, seed: int) -> Clips:
    """Return a pool of clips of each of the six sounds, each synthesised when first needed."""
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
    """Return the clips of a folder with one folder per label.

    Clips whose seconds lie outside `limits` are left out and counted. Raise InputError if the
    folder is none, or if a label is left without a clip.
    """
    if not folder.is_dir():
        raise InputError("labelled clips come as a folder of folders", at=folder)
    paths: dict[str, list[Path]] = {}
    left_out = 0
    for path in sorted(folder.glob("*/*")):
        if path.suffix.lower() in SUFFIXES:
            fits = limits[0] <= sound_seconds(path) <= limits[1]
            paths.setdefault(path.parent.name, [])
            paths[path.parent.name] += [path] if fits else []
            left_out += not fits
    empty = [label for label, own in paths.items() if not own]
    if not paths or empty:
        raise InputError(
            "every label needs a clip of a fitting length",
            at=folder,
            got=f"none for {', '.join(empty)}" if empty else "no sound files in its folders",
            want=f"{limits[0]:g} to {limits[1]:g} s",
            fix="widen --shortest and --longest, or add clips"
            if paths
            else f"put clips into a folder per label; whole recordings come by --audio {folder}",
        )
    lengths = {label: tuple(map(sound_seconds, own)) for label, own in paths.items()}

    @lru_cache(maxsize=DECODED)
    def samples(label: str, number: int) -> Samples:
        return read_sound(paths[label][number], rate=rate)[0]

    return Clips(lengths, samples, left_out)
