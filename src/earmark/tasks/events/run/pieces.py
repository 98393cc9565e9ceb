"""What a net learns from: recordings as energies and targets, cut into pieces and varied."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from earmark.arrays import Floats32
from earmark.stats.draw import stream
from earmark.tasks.events.run.frames import Bands, item_power, targets
from earmark.tasks.events.values import Timeline
from earmark.values.item import Item

Rng = np.random.Generator

# Of all pieces this share is mixed with another, at levels up to this far apart. Chosen on folds 1
# to 3 of real clips for training, fold 4 for validation, as the widths below.
MIXED, MIXED_DB = 0.5, 10.0
# A piece's gain in dB, up or down; the bands that are blanked, twice, as a share of all at most.
GAIN_DB = 5.0
MASKS, MASKED = 2, 1 / 6


class CrnnExample(NamedTuple):
    """A recording to learn from."""

    power: Floats32  # (frames, bands): mel energies
    targets: Floats32  # (frames, labels): 1 where a label is active


class CrnnBatch(NamedTuple):
    """Pieces for one step."""

    power: Floats32  # (pieces, frames, bands)
    targets: Floats32  # (pieces, frames, labels)
    masks: Floats32  # (pieces, bands): 0 where a band is blanked


Batches = Callable[[int], list[CrnnBatch]]  # of an epoch, as many in each


def examples(
    items: Sequence[Item], values: Mapping[str, Timeline], labels: Sequence[str], bands: Bands
) -> list[CrnnExample]:
    """Return energies and targets of every recording."""
    result = []
    for item in items:
        power = item_power(item, bands)
        active = targets(values[item.id], labels, len(power), bands.seconds)
        result.append(CrnnExample(power, active))
    return result


def fixed_batches(
    recordings: Sequence[CrnnExample], *, frames: int, batch: int, seed: int
) -> Batches:
    """Return a function from an epoch to its batches: the same pieces in another order.

    Recordings are cut one piece after another, as the published code does. A last batch of one
    piece is left out, because batch normalisation needs two.
    """
    pieces = [piece for each in recordings for piece in _cut(each, frames)]

    def batches(epoch: int) -> list[CrnnBatch]:
        order = stream(seed, "crnn epoch", epoch).permutation(len(pieces)).tolist()
        rows = [order[k : k + batch] for k in range(0, len(order), batch)]
        if len(rows) > 1 and len(rows[-1]) < 2:
            rows = rows[:-1]
        return [_stack([pieces[k] for k in row]) for row in rows]

    return batches


def varied_batches(
    recordings: Sequence[CrnnExample], *, frames: int, batch: int, steps: int, seed: int
) -> Batches:
    """Return a function from an epoch to its batches: pieces drawn, mixed and varied anew."""

    def batches(epoch: int) -> list[CrnnBatch]:
        rng = stream(seed, "crnn epoch", epoch)
        return [_varied(_drawn(recordings, frames, batch, rng), rng) for _ in range(steps)]

    return batches


def mixture_batches(
    mixture: Callable[[Rng], CrnnExample], *, frames: int, batch: int, steps: int, seed: int
) -> Batches:
    """Return a function from an epoch to its batches: pieces of new soundscapes, varied.

    `mixture` returns a soundscape that is used up, piece by piece, before the next is drawn.
    """

    def pieces(rng: Rng) -> Iterator[CrnnExample]:
        while True:
            yield from _cut(mixture(rng), frames, whole=True)

    def batches(epoch: int) -> list[CrnnBatch]:
        rng = stream(seed, "crnn epoch", epoch)
        source = pieces(rng)
        pool = [next(source) for _ in range(steps * batch)]
        order = rng.permutation(len(pool)).reshape(steps, batch).tolist()
        return [_varied([pool[k] for k in row], rng) for row in order]

    return batches


def _cut(recording: CrnnExample, frames: int, *, whole: bool = False) -> list[CrnnExample]:
    """Return the pieces of a recording, the last filled up with silence or, if `whole`, dropped."""
    count = len(recording.power)
    last = count - frames + 1 if whole else count
    return [_piece(recording, start, frames) for start in range(0, last, frames)]


def _piece(recording: CrnnExample, start: int, frames: int) -> CrnnExample:
    power, active = (side[start : start + frames] for side in recording)
    missing = ((0, frames - len(power)), (0, 0))
    return CrnnExample(np.pad(power, missing), np.pad(active, missing))


def _drawn(
    recordings: Sequence[CrnnExample], frames: int, count: int, rng: Rng
) -> list[CrnnExample]:
    """Return pieces drawn at random; some are laid over another."""
    drawn = []
    for _ in range(count):
        piece = _random_piece(recordings, frames, rng)
        if rng.random() < MIXED:
            other = _random_piece(recordings, frames, rng)
            gain = np.float32(10 ** (rng.uniform(-MIXED_DB, MIXED_DB) / 10))
            # energies of sounds that have nothing to do with each other add up
            piece = CrnnExample(
                piece.power + gain * other.power, np.maximum(piece.targets, other.targets)
            )
        drawn.append(piece)
    return drawn


def _random_piece(recordings: Sequence[CrnnExample], frames: int, rng: Rng) -> CrnnExample:
    lengths = np.array([len(each.power) for each in recordings], dtype=np.float64)
    recording = recordings[int(rng.choice(len(recordings), p=lengths / lengths.sum()))]
    start = int(rng.integers(max(1, len(recording.power) - frames + 1)))
    return _piece(recording, start, frames)


def _stack(pieces: Sequence[CrnnExample]) -> CrnnBatch:
    power, active = (np.stack([piece[side] for piece in pieces]) for side in (0, 1))
    return CrnnBatch(power, active, np.ones((len(pieces), power.shape[2]), dtype=np.float32))


def _varied(pieces: Sequence[CrnnExample], rng: Rng) -> CrnnBatch:
    """Return a batch whose pieces are louder or softer and lack some bands."""
    power, active, masks = _stack(pieces)
    gains = 10 ** (rng.uniform(-GAIN_DB, GAIN_DB, (len(pieces), 1, 1)) / 10)
    bands = masks.shape[1]
    for row in masks:
        for _ in range(MASKS):
            width = int(rng.integers(int(bands * MASKED) + 1))
            first = int(rng.integers(bands - width + 1))
            row[first : first + width] = 0
    return CrnnBatch(power * gains.astype(np.float32), active, masks)
