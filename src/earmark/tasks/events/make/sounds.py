"""Six street sounds by synthesis, each plain enough that a listener names it.

Every sound is a source (pulses, tones, noise) with the envelope and resonances of the real thing,
in a street whose walls throw some of it back. Lengths and details are drawn, so that no two clips
are alike. What the figures are taken from: horns have two discs tuned a third apart, near 400 and
500 Hz; a siren wails 10 to 30 times per minute or yelps 150 to 250 times (California Code of
Regulations 13, section 1028), and the European two-tone horn keeps to a fourth; four cylinders
that idle at 600 to 900 revolutions per minute fire 20 to 30 times per second; a bark lasts 0.1 to
0.25 s. All other figures were chosen by hand and checked by `python -m benchmarks.listeners`, which
measures what recognisers of real sounds call them.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from earmark.arrays import Samples
from earmark.tasks.events.make.sources import (
    Rng,
    drift,
    envelope,
    harmonics,
    in_street,
    phase_of,
    resonate,
    rumble,
)
from earmark.tasks.events.make.voices import voice
from earmark.values import checks

# Seconds of a clip, drawn uniformly; chosen by hand to be plausible for each sound.
LENGTHS: Mapping[str, tuple[float, float]] = {
    "car_horn": (1.0, 5.0),
    "children_voices": (3.0, 20.0),
    "dog_bark": (1.0, 8.0),
    "engine_idling": (5.0, 30.0),
    "siren": (4.0, 25.0),
    "street_music": (6.0, 35.0),
}


def synthesise(label: str, seconds: float, *, rate: int, rng: Rng) -> Samples:
    """Return a sound of that label and length, scaled to a peak of 1."""
    build = SOUNDS[checks.one_of(label, SOUNDS, what="sound")]
    sound = build(round(seconds * rate), rate, rng)
    loudest = float(np.max(np.abs(sound), initial=0.0))
    return sound / np.float32(loudest) if loudest else sound


def _car_horn(samples: int, rate: int, rng: Rng) -> Samples:
    """Return blasts of two steady, reedy tones a third apart."""
    low = rng.uniform(390, 440)
    third = rng.uniform(1.19, 1.26)
    sound = np.zeros(samples, dtype=np.float32)
    start = 0
    while start < samples:
        length = min(samples - start, round(rng.uniform(0.25, 1.3) * rate))
        blast = np.zeros(length, dtype=np.float32)
        for hertz in (low, low * third):
            strengths = (0.4, 0.6, 0.9, 1.0, 1.0, 0.8, 0.6, 0.45, 0.3, 0.2)
            blast += harmonics(phase_of(hertz, length, rate), strengths)
        sound[start : start + length] = blast * envelope(length, rate, 0.02, 0.04)
        start += length + round(rng.uniform(0.12, 0.4) * rate)
        if samples - start < 0.2 * rate:
            break
    return in_street(sound, rate, 0.3, rng)


def _children_voices(samples: int, rate: int, rng: Rng) -> Samples:
    """Return three children at play, one of them near."""
    sound = voice(samples, rate, 0.0, rng)
    for _ in range(2):
        begins, loud = rng.uniform(0, 0.5), np.float32(rng.uniform(0.3, 0.8))
        sound += loud * voice(samples, rate, begins, rng)
    return in_street(sound, rate, 0.3, rng)


def _dog_bark(samples: int, rate: int, rng: Rng) -> Samples:
    """Return barks in ones, twos and threes, each 0.1 to 0.25 s long."""
    sound = np.zeros(samples, dtype=np.float32)
    pitch = rng.uniform(250, 520)
    start = 0
    while start < samples - 0.08 * rate:
        for _ in range(int(rng.integers(1, 4))):
            length = min(round(rng.uniform(0.11, 0.24) * rate), samples - start)
            if length < 0.06 * rate:
                break
            sound[start : start + length] = _bark(length, rate, pitch, rng)
            start += length + round(rng.uniform(0.12, 0.3) * rate)
        start += round(rng.uniform(0.1, 0.8) * rate)
    return in_street(sound, rate, 0.5, rng)


def _bark(length: int, rate: int, pitch: float, rng: Rng) -> Samples:
    """Return one bark: a hoarse pitch that rises and falls, with its own octave below."""
    time = np.linspace(0, 1, length, dtype=np.float32)
    arch = 1 + 0.23 * (2 * np.sin(np.pi * time**0.8) - 1)
    hertz = pitch * rng.uniform(0.92, 1.08) * arch * (1 + 0.02 * drift(length, rate, 80, rng))
    pulses = 1 - 2 * phase_of(hertz.astype(np.float32), length, rate)
    below = 1 + 0.35 * np.sin(np.pi * np.cumsum(hertz / rate))
    source = pulses * below + 0.6 * rng.standard_normal(length, dtype=np.float32)
    throat = (pitch / 350) ** 0.4
    peaks = tuple(
        (hertz * throat * rng.uniform(0.95, 1.05), width)
        for hertz, width in ((900, 300), (1700, 500), (2900, 900))
    )
    shape = np.maximum(np.sin(np.pi * time**0.6), 0) ** 1.3 * rng.uniform(0.7, 1.0)
    return np.asarray(resonate(source.astype(np.float32), rate, peaks) * shape, dtype=np.float32)


def _engine_idling(samples: int, rate: int, rng: Rng) -> Samples:
    """Return firings of four cylinders, never quite alike, over noise that beats with them."""
    wobble = 1 + 0.02 * drift(samples, rate, 3.0, rng)
    fired = np.cumsum(rng.uniform(20, 30) * wobble / rate)
    cylinder = rng.uniform(0.7, 1.3, 4)[fired.astype(np.int64) % 4]
    strokes = (np.exp(-15 * (fired % 1.0)) * cylinder).astype(np.float32)
    rough = 1 + 0.25 * rng.standard_normal(samples, dtype=np.float32)
    peaks = ((130, 120), (300, 200), (700, 400), (1500, 800), (2800, 1200))
    body = resonate(strokes * rough - strokes.mean(), rate, peaks)
    breath = rumble(samples, rate, 4.5, rng) * (0.45 + 0.55 * strokes / strokes.mean())
    fan = harmonics(phase_of(rng.uniform(500, 900) * wobble, samples, rate), (1.0, 0.5, 0.3))
    sound = body / np.std(body) + 0.3 * breath / np.std(breath) + 0.06 * fan
    return in_street(sound.astype(np.float32), rate, 0.85, rng)


def _siren(samples: int, rate: int, rng: Rng) -> Samples:
    """Return a wail, a yelp or two tones: a strong tone that goes up and down."""
    kind = int(rng.integers(3))
    time = np.arange(samples, dtype=np.float32) / np.float32(rate)
    if kind == 2:
        high = (time / np.float32(rng.uniform(0.45, 0.65))).astype(np.int64) % 2
        hertz = np.where(high == 0, 440.0, 585.0) * rng.uniform(0.95, 1.1)
    else:
        period = rng.uniform(3.5, 5.0) if kind == 0 else rng.uniform(0.28, 0.4)
        swing = 0.5 - 0.5 * np.cos(2 * np.pi * time / np.float32(period))
        hertz = 620 * (1 + 1.3 * swing**0.8) * rng.uniform(0.95, 1.1)
    phase = phase_of(hertz.astype(np.float32), samples, rate)
    sound = harmonics(phase, (1.0, 0.35, 0.3, 0.12, 0.08)) * envelope(samples, rate, 0.15, 0.3)
    return in_street(sound, rate, 0.4, rng)


# In semitones over the root: a major pentatonic scale, and the chords I, vi, IV and V.
SCALE = (0, 2, 4, 7, 9, 12, 14, 16)
CHORDS = ((0, 4, 7), (-3, 0, 4), (-7, -3, 0), (-5, -1, 2))


def _street_music(samples: int, rate: int, rng: Rng) -> Samples:
    """Return a tune over chords, a bass and a drum, as a busker with a loop box plays."""
    sound = np.zeros(samples, dtype=np.float32)
    beat = 60.0 / rng.uniform(96, 132)
    root = 220.0 * 2 ** (rng.integers(-4, 5) / 12)
    step, degree = 0, int(rng.integers(len(SCALE)))
    while round(step * beat / 2 * rate) < samples:
        start = round(step * beat / 2 * rate)
        chord = CHORDS[(step // 8) % len(CHORDS)]
        if step % 2 == 0:
            tone = root / 2 * 2 ** (chord[0] / 12)
            _add_pluck(sound, start, rate, _Note(tone, beat * 0.9, 0.8))
            _add_drum(sound, start, rate, rng, low=step % 4 == 0)
        if step % 4 == 2:
            for note in chord:
                _add_pluck(sound, start, rate, _Note(root * 2 ** (note / 12), beat, 0.3))
        degree = int(np.clip(degree + rng.integers(-2, 3), 0, len(SCALE) - 1))
        if rng.random() < 0.8:
            melody = 2 * root * 2 ** (SCALE[degree] / 12)
            _add_pluck(sound, start, rate, _Note(melody, beat * 0.8, 0.7))
        step += 1
    return in_street(sound, rate, 0.2, rng)


class _Note(NamedTuple):
    """A note of the street music."""

    hertz: float
    seconds: float
    loudness: float


def _add_pluck(sound: Samples, start: int, rate: int, note: _Note) -> None:
    """Add a plucked string's tone to `sound` from sample `start` on."""
    length = min(round(note.seconds * rate), len(sound) - start)
    if length <= 0:
        return
    time = np.arange(length, dtype=np.float32) / np.float32(rate)
    decay = np.exp(-time * np.float32(2.0 / note.seconds)) * np.minimum(1, time / np.float32(0.005))
    angle, fading, tone = time * np.float32(2 * np.pi * note.hertz), decay, np.zeros_like(time)
    for k in range(1, 6):
        tone += fading * np.sin(k * angle) / np.float32(k)
        fading = fading * decay
    sound[start : start + length] += np.float32(note.loudness) * tone


def _add_drum(sound: Samples, start: int, rate: int, rng: Rng, *, low: bool) -> None:
    """Add a stroke to `sound`: the low drum, whose tone falls to 50 Hz, or the high, all noise."""
    length = min(round((0.2 if low else 0.12) * rate), len(sound) - start)
    if length <= 0:
        return
    time = np.arange(length, dtype=np.float32) / np.float32(rate)
    noise = rng.standard_normal(length, dtype=np.float32)
    if low:
        falling = (50 + 80 * np.exp(-time / 0.03)).astype(np.float32)
        sound[start : start + length] += np.exp(-time / np.float32(0.06)) * (
            harmonics(phase_of(falling, length, rate), (1.0,)) + np.float32(0.1) * noise
        )
    else:
        sound[start : start + length] += np.float32(0.4) * np.exp(-time / np.float32(0.03)) * noise


SOUNDS: Mapping[str, Callable[[int, int, Rng], Samples]] = {
    "car_horn": _car_horn,
    "children_voices": _children_voices,
    "dog_bark": _dog_bark,
    "engine_idling": _engine_idling,
    "siren": _siren,
    "street_music": _street_music,
}
