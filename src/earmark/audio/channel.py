"""What lies between a mouth and a file besides noise and rooms: narrow bands, codecs, other sounds.

All take and return mono samples; what is random takes a generator.
"""

import numpy as np

from earmark.arrays import Floats, Samples

# ITU-T G.711: the constant of mu-law companding, and its 8 bits.
MU = 255.0
CODE_STEPS = 128
# Short-time spectra of `with_spectral_holes`: 32 ms with half overlap, as in common codecs.
CODEC_WINDOW_SECONDS = 0.032
# Seconds of a note of `chords`, harmonics of a note, and notes of a chord. Chosen by hand.
NOTE_SECONDS = (0.18, 0.5)
HARMONICS = 5
NOTES = 3
# Semitones above the root in major and minor chords.
CHORDS = ((0, 4, 7), (0, 3, 7))
# Playing speeds of the talkers in `babble_of`. Chosen by hand.
TALKER_SPEEDS = (0.8, 1.25)


def band_limited(samples: Samples, rate: int, *, low: float, high: float) -> Samples:
    """Return the sound between two frequencies in hertz, by a Butterworth filter of order 4."""
    from scipy.signal import butter, sosfilt

    top = min(high, 0.49 * rate)
    sections = butter(4, (low, top), btype="bandpass", fs=rate, output="sos")
    return np.asarray(sosfilt(sections, samples), dtype=np.float32)


def companded(samples: Samples) -> Samples:
    """Return the sound after 8 bits of mu-law, which telephones use; values beyond 1 are cut."""
    clipped = np.clip(samples, -1.0, 1.0)
    code = np.sign(clipped) * np.log1p(MU * np.abs(clipped)) / np.log1p(MU)
    steps = np.rint(code * CODE_STEPS) / CODE_STEPS
    return np.asarray(np.sign(steps) * np.expm1(np.abs(steps) * np.log1p(MU)) / MU, np.float32)


def with_spectral_holes(samples: Samples, rate: int, *, depth_db: float) -> Samples:
    """Return the sound without what lies `depth_db` below each frame's peak, as codecs leave it."""
    from scipy.signal import istft, stft

    size = round(CODEC_WINDOW_SECONDS * rate)
    if len(samples) < size:
        return samples
    _, _, spectra = stft(samples, fs=rate, nperseg=size)  # (bins, frames)
    floor = np.abs(spectra).max(axis=0, keepdims=True) * 10 ** (-depth_db / 20)
    _, sound = istft(np.where(np.abs(spectra) < floor, 0, spectra), fs=rate, nperseg=size)
    return np.asarray(np.resize(sound, len(samples)), dtype=np.float32)


def babble_of(
    voices: list[Samples], size: int, *, rng: np.random.Generator, talkers: int = 6
) -> Samples:
    """Return a babble: recordings played backwards, at other speeds, on top of each other.

    Backwards there are no words in it, and at another speed no voice of the recordings.
    """
    total = np.zeros(size, dtype=np.float64)
    for _ in range(talkers):
        voice = voices[int(rng.integers(len(voices)))][::-1]
        if not len(voice):
            continue
        speed = float(rng.uniform(*TALKER_SPEEDS))
        places = np.arange(max(1, int(len(voice) / speed))) * speed
        played = np.interp(places, np.arange(len(voice)), voice)
        level = float(np.sqrt(np.mean(played**2))) or 1.0
        total += np.roll(np.resize(played / level, size), int(rng.integers(max(1, size))))
    return np.asarray(total, dtype=np.float32)


def chords(size: int, rate: int, *, rng: np.random.Generator) -> Samples:
    """Return music-like sound: chords of decaying harmonic tones over a beat of noise."""
    total = np.zeros(size)
    root = float(rng.uniform(110, 260))
    start = 0
    while start < size:
        length = min(size - start, round(float(rng.uniform(*NOTE_SECONDS)) * rate))
        total[start : start + length] += _chord(root, length, rate, rng)
        start += length
    return np.asarray(total, dtype=np.float32)


def _chord(root: float, length: int, rate: int, rng: np.random.Generator) -> Floats:
    time = np.arange(length) / rate
    step = int(rng.integers(-5, 7))
    tones = CHORDS[int(rng.integers(2))][:NOTES]
    pitches = [root * 2 ** ((step + tone) / 12) for tone in tones]
    sound = sum(
        (np.sin(2 * np.pi * pitch * k * time + rng.uniform(0, 6.3)) / k)
        for pitch in pitches
        for k in range(1, HARMONICS + 1)
    )
    beat = 0.5 * rng.standard_normal(length) * np.exp(-time / 0.03)
    return np.asarray(sound * np.exp(-time / 0.25) + beat)
