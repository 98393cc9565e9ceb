"""Children's voices from nothing: a source, a throat that moves, and what the mouth adds.

A voice is drawn as tracks, a row every few milliseconds: pitch, three resonances of the throat,
how loud it is voiced and how loud it hisses. The resonances of the vowels are the means of the
children of Peterson and Barney (1952); their pitch was 250 to 275 Hz, at play it goes higher.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from earmark.tasks.events.make.sources import Rng, Samples, resonate, slow, turns

Floats = NDArray[np.float64]

HOP = 128
WINDOW = 512
VOWELS = (
    (370, 3200, 3730),
    (690, 2610, 3570),
    (1010, 2320, 3320),
    (1030, 1370, 3170),
    (680, 1060, 3180),
    (430, 1170, 3260),
)
PLACES = (1100, 2000, 2800)
OPEN = 0.65


@dataclass(frozen=True, slots=True)
class Tracks:
    """What a voice does, row by row; `rows` of them a second."""

    rows: float
    hertz: Floats
    voiced: Floats
    hiss: Floats
    throat: Floats


def voice(samples: int, rate: int, begins: float, rng: Rng) -> Samples:
    """One child chattering and calling, with pauses for breath, from second `begins` on."""
    tracks = _chatter(samples // HOP + 2, rate / HOP, begins, rng)
    pitch = _by_sample(tracks.hertz, samples) * (1 + 0.008 * slow(samples, rate, 60, rng))
    phase = turns(pitch.astype(np.float32), samples, rate)
    flow = np.where(phase < OPEN, phase**2 * (OPEN - phase), 0)
    pulses = np.diff(flow, prepend=flow[:1])
    breath = rng.standard_normal(samples) * 0.1
    source = (pulses / np.std(pulses) + breath) * _by_sample(tracks.voiced, samples)
    vowels = _through(source, tracks.throat, rate)
    hiss = rng.standard_normal(samples) * _by_sample(tracks.hiss, samples)
    teeth = resonate(hiss.astype(np.float32), rate, ((4200, 1500), (6500, 2500)))
    loudest = max(float(np.max(np.abs(vowels), initial=0.0)), 1e-9)
    return np.asarray(vowels / loudest + 0.3 * teeth, dtype=np.float32)


def _chatter(length: int, rows: float, begins: float, rng: Rng) -> Tracks:
    """Phrases of three to eight syllables, one after the other."""
    pitch = rng.uniform(250, 380)
    empty = Tracks(
        rows,
        np.full(length, pitch),
        np.zeros(length),
        np.zeros(length),
        np.tile(np.array([500.0, 1800.0, 3400.0]), (length, 1)),
    )
    at = round(begins * rows)
    while at < length:
        calls = rng.random() < 0.3
        begin = at
        at = _phrase(empty, at, calls, rng)
        line = np.linspace(1.15, 0.85, at - begin) * (1.3 if calls else 1.0)
        line *= pitch * (1 + 0.06 * slow(at - begin, 1, 0.06, rng))
        empty.hertz[begin:at] = line[: max(0, length - begin)]
        at += round(rng.uniform(0.15, 0.8) * rows)
    return Tracks(
        rows,
        _smooth(empty.hertz, 0.04 * rows),
        _smooth(empty.voiced, 0.03 * rows),
        _smooth(empty.hiss, 3),
        np.stack([_smooth(row, 0.05 * rows) for row in empty.throat.T], axis=1),
    )


def _phrase(tracks: Tracks, at: int, calls: bool, rng: Rng) -> int:
    """Write a phrase into the tracks; where it ends. The last vowel of a call is held."""
    loud = rng.uniform(0.5, 1.0)
    syllables = int(rng.integers(3, 9))
    for left in range(syllables, 0, -1):
        at = _consonant(tracks, at, loud, rng)
        held = calls and left == 1
        seconds = rng.uniform(0.3, 0.7) if held else rng.uniform(0.07, 0.2)
        end = at + round(seconds * tracks.rows)
        vowel = VOWELS[int(rng.integers(len(VOWELS)))]
        tracks.throat[at:end] = np.array(vowel) * rng.uniform(0.95, 1.05)
        tracks.voiced[at:end] = loud * rng.uniform(0.7, 1.0)
        at = end
    return at


def _consonant(tracks: Tracks, at: int, loud: float, rng: Rng) -> int:
    """A stop with its burst, a hiss, or (as often as both) a murmur; where it ends."""
    kind = int(rng.integers(4))
    end = at + round(rng.uniform(0.04, 0.09) * tracks.rows)
    tracks.throat[at:end] = (300.0, PLACES[int(rng.integers(len(PLACES)))], 3400.0)
    if kind == 0:
        tracks.hiss[end - 2 : end] = loud
    elif kind == 1:
        tracks.hiss[at:end] = 0.6 * loud
    else:
        tracks.voiced[at:end] = 0.35 * loud
    return end


def _smooth(track: Floats, rows: float) -> Floats:
    from scipy.ndimage import uniform_filter1d

    return np.asarray(uniform_filter1d(track, max(1, round(rows))))


def _by_sample(track: Floats, samples: int) -> Floats:
    return np.interp(np.arange(samples) / HOP, np.arange(len(track)), track)


def _through(source: Floats, throat: Floats, rate: int) -> Floats:
    """The source through resonances that move, row by row."""
    from scipy.signal import istft, stft

    rows = {"nperseg": WINDOW, "noverlap": WINDOW - HOP}
    padded = np.pad(source, (0, max(0, WINDOW - len(source))))
    spectrum = stft(padded, rate, **rows)[2]
    delay = np.exp(-2j * np.pi * np.arange(WINDOW // 2 + 1) / WINDOW)
    gain = np.ones((spectrum.shape[1], len(delay)))
    for hertz in throat[: spectrum.shape[1]].T[:, :, None]:
        radius = np.exp(-np.pi * (60 + hertz / 16) / rate)
        turn = 2 * radius * np.cos(2 * np.pi * hertz / rate)
        pole = np.abs(1 - turn * delay + radius**2 * delay**2)
        gain[: len(hertz)] *= (1 - turn + radius**2) / pole
    made = istft(spectrum * gain.T, rate, **rows)[1]
    return np.asarray(made[: len(source)], dtype=np.float64)
