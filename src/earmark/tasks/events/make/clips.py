"""Where the sounds of a soundscape come from: a folder of labelled clips, or our own synthesis.

Clips come in folds that share no source, and a soundscape draws from one fold only: so systems that
learn within a study can be tested on clips that they never learned from.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from earmark.arrays import Samples
from earmark.files.sound import read_sound, sound_seconds
from earmark.stats.draw import stream
from earmark.tasks.events.make.sounds import LENGTHS, SOUNDS, synthesise
from earmark.values.errors import InputError

SUFFIXES = (".wav", ".flac", ".ogg", ".mp3")

# Synthesised clips per label and fold. Chosen by hand.
POOL = 10

# Clips that are kept in memory at a time, at most 60 s each by default.
DECODED = 256

# Names that say which recording a clip was cut from: ESC-50 (fold-source-take-class) and
# UrbanSound8K (source-class-occurrence-slice). Other clips are sources of their own.
SOURCES = (re.compile(r"\d-(?P<source>\d+)-[A-Z]-\d+"), re.compile(r"(?P<source>\d+)-\d+-\d+-\d+"))

Stretches = tuple[tuple[float, float], ...]  # onsets and offsets within a clip, in seconds


@dataclass(frozen=True, slots=True)
class Silence:
    """What is silence within a clip: see `audio/silence.py`; `under_db` None means nothing is."""

    under_db: float | None = None
    gap: float = 0.5


@dataclass(frozen=True, slots=True)
class Clips:
    """Clips of one fold by label; `samples(label, number)` returns the sound of one.

    `stretches` are where each sounds, its first beginning at 0 and its last ending with the clip;
    `names` say where each comes from.
    """

    stretches: Mapping[str, tuple[Stretches, ...]]
    names: Mapping[str, tuple[str, ...]]
    samples: Callable[[str, int], Samples]
    left_out: int = 0
    labels: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(sorted(self.stretches)))

    def draw(self, label: str, rng: np.random.Generator) -> tuple[int, float]:
        """Draw a clip of the label uniformly; return its number and length in seconds."""
        number = int(rng.integers(len(self.stretches[label])))
        return number, self.stretches[label][number][-1][1]


def synthesised_clips(rate: int, seed: int, fold: int = 0) -> Clips:
    """Return a pool of clips of each of the six sounds, each synthesised when first needed.

    All folds have clips of the same lengths, so that what sounds when does not depend on them.
    """
    lengths = {
        label: tuple(
            round(float(stream(seed, "clip", label, k).uniform(*LENGTHS[label])), 3)
            for k in range(POOL)
        )
        for label in SOUNDS
    }

    @lru_cache(maxsize=DECODED)
    def samples(label: str, number: int) -> Samples:
        rng = stream(seed, "sound", label, number, *([fold] if fold else []))
        return synthesise(label, lengths[label][number], rate=rate, rng=rng)

    return Clips(
        {label: tuple(((0.0, each),) for each in own) for label, own in lengths.items()},
        {label: tuple(f"{label}/{fold}-{k}" for k in range(POOL)) for label in lengths},
        samples,
    )


def folder_clips(
    folder: Path, rate: int, limits: tuple[float, float], *, silence: Silence, folds: int, seed: int
) -> tuple[Clips, ...]:
    """Return the clips of a folder with one folder per label, in folds that share no source.

    Clips whose seconds lie outside `limits` are left out and counted, silent ones too. There are
    fewer folds where a label has fewer sources. Raise InputError if the folder is none, or if a
    label is left without a clip.
    """
    paths, left_out = _fitting(folder, limits)
    stretches = {
        path: sounds
        for own in paths.values()
        for path in own
        if (sounds := _stretches(path, rate, silence))
    }
    left_out += sum(map(len, paths.values())) - len(stretches)
    paths = {label: [path for path in own if path in stretches] for label, own in paths.items()}
    _refuse_empty(paths, folder, limits)

    @lru_cache(maxsize=DECODED)
    def decoded(path: Path) -> Samples:
        first, end = (round(stretches[path][k][k] * rate) for k in (0, -1))
        return read_sound(path, rate=rate)[0][first:end]

    def part(own: Mapping[str, list[Path]]) -> Clips:
        return Clips(
            {label: tuple(_from_zero(stretches[path]) for path in own[label]) for label in own},
            {label: tuple(f"{label}/{path.name}" for path in own[label]) for label in own},
            lambda label, number: decoded(own[label][number]),
            left_out,
        )

    return tuple(part(own) for own in divide(paths, folds, seed))


def joined(folds: Sequence[Clips]) -> Clips:
    """Return the clips of several folds as one."""

    def samples(label: str, number: int) -> Samples:
        for fold in folds:
            if number < len(fold.names[label]):
                return fold.samples(label, number)
            number -= len(fold.names[label])
        raise IndexError(number)

    labels = folds[0].labels
    return Clips(
        {k: tuple(each for fold in folds for each in fold.stretches[k]) for k in labels},
        {k: tuple(each for fold in folds for each in fold.names[k]) for k in labels},
        samples,
        folds[0].left_out,
    )


def source_of(path: Path) -> str:
    """Return the recording that a clip was cut from, as its name says, or else the name itself.

    Examples
    --------
    >>> source_of(Path("dog/1-30226-B-0.flac"))
    '30226'
    """
    match = next((m for pattern in SOURCES if (m := pattern.fullmatch(path.stem))), None)
    return match["source"] if match else path.stem


def divide(paths: Mapping[str, list[Path]], folds: int, seed: int) -> list[dict[str, list[Path]]]:
    """Return the clips of each fold by label; clips of one source stay together.

    Label by label, sources are dealt in an order drawn by the seed, each to the fold that has the
    fewest of this label. There are as many folds as the rarest label has sources, or `folds`.
    """
    sources = {label: sorted({source_of(path) for path in own}) for label, own in paths.items()}
    count = min([folds, *(len(own) for own in sources.values())])
    fold_of: dict[str, int] = {}
    for label, own in sorted(sources.items()):
        sizes = Counter(fold_of[source] for source in own if source in fold_of)
        for k in stream(seed, "clip folds", label).permutation(len(own)).tolist():
            if own[k] not in fold_of:
                fold_of[own[k]] = min(range(count), key=lambda fold: (sizes[fold], fold))
                sizes[fold_of[own[k]]] += 1
    parts = [
        {label: [p for p in own if fold_of[source_of(p)] == k] for label, own in paths.items()}
        for k in range(count)
    ]
    # a source of two labels may leave a fold without one of them: then fewer folds
    full = all(own for part in parts for own in part.values())
    return parts if full else divide(paths, count - 1, seed)


def _fitting(folder: Path, limits: tuple[float, float]) -> tuple[dict[str, list[Path]], int]:
    """Return the clips of fitting length by label, and how many do not fit."""
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
    return paths, left_out


def _refuse_empty(
    paths: Mapping[str, list[Path]], folder: Path, limits: tuple[float, float]
) -> None:
    empty = [label for label, own in paths.items() if not own]
    if not paths or empty:
        raise InputError(
            "every label needs a clip of a fitting length that is not silent",
            at=folder,
            got=f"none for {', '.join(empty)}" if empty else "no sound files in its folders",
            want=f"{limits[0]:g} to {limits[1]:g} s",
            fix="widen --shortest and --longest, or add clips"
            if paths
            else f"put clips into a folder per label; whole recordings come by --audio {folder}",
        )


def _stretches(path: Path, rate: int, silence: Silence) -> Stretches:
    """Return where a clip sounds, in seconds; nowhere when it is digital silence."""
    if silence.under_db is None:
        return ((0.0, sound_seconds(path)),)
    from earmark.audio.silence import sounding

    samples, _ = read_sound(path, rate=rate)
    parts = sounding(samples, rate, under_db=silence.under_db, gap=silence.gap)
    return tuple((first / rate, end / rate) for first, end in parts)


def _from_zero(stretches: Stretches) -> Stretches:
    first = stretches[0][0]
    return tuple((onset - first, offset - first) for onset, offset in stretches)
