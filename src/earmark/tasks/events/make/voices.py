"""Children's voices by source and filter: pulses, a throat that moves, and the mouth's hiss.

A voice is drawn as tracks, one row every few milliseconds: pitch, three resonances of the throat,
how loud it is voiced and how loud it hisses. The resonances of the vowels are the means of the
children of Peterson and Barney (1952); their pitch was 250 to 275 Hz, at play it goes higher.
"""

from dataclasses import dataclass

import numpy as np

from earmark.arrays import Floats, Samples
from earmark.tasks.events.make.sources import Rng, drift, phase_of, resonate

# Samples per row of the tracks, and per spectrum: 6 and 23 ms at 22,050 samples per second.
HOP = 128
WINDOW = 512

# Three resonances (formants) of six vowels, in Hz: means of the children of Peterson and Barney.
VOWELS = (
    (370, 3200, 3730),
    (690, 2610, 3570),
    (1010, 2320, 3320),
    (1030, 1370, 3170),
    (680, 1060, 3180),
    (430, 1170, 3260),
)
# Second resonance in a consonant, in Hz, as lips, gums and palate have it; chosen by hand.
PLACES = (1100, 2000, 2800)
# Share of a period in which the vocal folds are open.
OPEN = 0.65


@dataclass(frozen=True, slots=True)
class Tracks:
    """What a voice does, row by row, `rate` rows per second."""

    rate: float
    hertz: Floats  # (rows,): pitch
    voiced: Floats  # (rows,): loudness of the pulses
    hiss: Floats  # (rows,): loudness of the noise
    throat: Floats  # (rows, 3): resonances in Hz


def voice(samples: int, rate: int, begins: float, rng: Rng) -> Samples:
    """Return one child chattering and calling, with pauses for breath, from second `begins` on."""
    tracks = _chatter(samples // HOP + 2, rate / HOP, begins, rng)
    pitch = _by_sample(tracks.hertz, samples) * (1 + 0.008 * drift(samples, rate, 60, rng))
    phase = phase_of(pitch.astype(np.float32), samples, rate)
    flow = np.where(phase < OPEN, phase**2 * (OPEN - phase), 0)
    pulses = np.diff(flow, prepend=flow[:1])
    breath = rng.standard_normal(samples) * 0.1
    source = (pulses / np.std(pulses) + breath) * _by_sample(tracks.voiced, samples)
    vowels = _through(source, tracks.throat, rate)
    hiss = rng.standard_normal(samples) * _by_sample(tracks.hiss, samples)
    teeth = resonate(hiss.astype(np.float32), rate, ((4200, 1500), (6500, 2500)))
    loudest = max(float(np.max(np.abs(vowels), initial=0.0)), 1e-9)
    return np.asarray(vowels / loudest + 0.3 * teeth, dtype=np.float32)


def _chatter(length: int, rate: float, begins: float, rng: Rng) -> Tracks:
    """Return phrases of three to eight syllables, one after the other, as `length` rows."""
    pitch = rng.uniform(250, 380)
    tracks = Tracks(
        rate,
        np.full(length, pitch),
        np.zeros(length),
        np.zeros(length),
        np.tile(np.array([500.0, 1800.0, 3400.0]), (length, 1)),
    )
    row = round(begins * rate)
    while row < length:
        calls = rng.random() < 0.3
        begin = row
        row = _add_phrase(tracks, row, calls, rng)
        line = np.linspace(1.15, 0.85, row - begin) * (1.3 if calls else 1.0)
        line *= pitch * (1 + 0.06 * drift(row - begin, 1, 0.06, rng))
        tracks.hertz[begin:row] = line[: max(0, length - begin)]
        row += round(rng.uniform(0.15, 0.8) * rate)
    return Tracks(
        rate,
        _smooth(tracks.hertz, 0.04 * rate),
        _smooth(tracks.voiced, 0.03 * rate),
        _smooth(tracks.hiss, 3),
        np.stack([_smooth(peak, 0.05 * rate) for peak in tracks.throat.T], axis=1),
    )


def _add_phrase(tracks: Tracks, row: int, calls: bool, rng: Rng) -> int:
    """Write a phrase into the tracks from a row on; return the row after it.

    The last vowel of a call is long.
    """
    loud = rng.uniform(0.5, 1.0)
    syllables = int(rng.integers(3, 9))
    for left in range(syllables, 0, -1):
        row = _add_consonant(tracks, row, loud, rng)
        long = calls and left == 1
        seconds = rng.uniform(0.3, 0.7) if long else rng.uniform(0.07, 0.2)
        end = row + round(seconds * tracks.rate)
        vowel = VOWELS[int(rng.integers(len(VOWELS)))]
        tracks.throat[row:end] = np.array(vowel) * rng.uniform(0.95, 1.05)
        tracks.voiced[row:end] = loud * rng.uniform(0.7, 1.0)
        row = end
    return row


def _add_consonant(tracks: Tracks, row: int, loud: float, rng: Rng) -> int:
    """Write a stop with its burst, a hiss, or (as often as both) a murmur; return its end."""
    kind = int(rng.integers(4))
    end = row + round(rng.uniform(0.04, 0.09) * tracks.rate)
    tracks.throat[row:end] = (300.0, PLACES[int(rng.integers(len(PLACES)))], 3400.0)
    if kind == 0:
        tracks.hiss[end - 2 : end] = loud
    elif kind == 1:
        tracks.hiss[row:end] = 0.6 * loud
    else:
        tracks.voiced[row:end] = 0.35 * loud
    return end


def _smooth(track: Floats, rows: float) -> Floats:
    from scipy.ndimage import uniform_filter1d

    return np.asarray(uniform_filter1d(track, max(1, round(rows))))


def _by_sample(track: Floats, samples: int) -> Floats:
    return np.interp(np.arange(samples) / HOP, np.arange(len(track)), track)


def _through(source: Floats, throat: Floats, rate: int) -> Floats:
    """Return the source filtered by resonances that move, row by row."""
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
    filtered = istft(spectrum * gain.T, rate, **rows)[1]
    return np.asarray(filtered[: len(source)], dtype=np.float64)
