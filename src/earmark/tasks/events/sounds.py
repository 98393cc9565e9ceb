"""Six street sounds made from nothing, each plain enough that a listener names it.

Every sound is a source (pulses, tones, noise) with the envelope and resonances of the real thing.
Lengths and details are drawn, so that no two clips are alike.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from earmark.values import checks

Samples = NDArray[np.float32]
Rng = np.random.Generator

LENGTHS: Mapping[str, tuple[float, float]] = {
    "car_horn": (1.0, 5.0),
    "children_voices": (3.0, 20.0),
    "dog_bark": (1.0, 8.0),
    "engine_idling": (5.0, 30.0),
    "siren": (4.0, 25.0),
    "street_music": (6.0, 35.0),
}


def synthesise(label: str, seconds: float, *, rate: int, rng: Rng) -> Samples:
    """A sound of that label and length, scaled to a peak of 1."""
    make = SOUNDS[checks.one_of(label, SOUNDS, what="sound")]
    made = make(round(seconds * rate), rate, rng)
    loudest = float(np.max(np.abs(made), initial=0.0))
    return made / np.float32(loudest) if loudest else made


def _turns(hertz: Samples | float, samples: int, rate: int) -> Samples:
    """The phase of a tone, in turns, when its frequency is given for every sample."""
    steps = np.broadcast_to(np.asarray(hertz, dtype=np.float64) / rate, (samples,))
    return (np.cumsum(steps) % 1.0).astype(np.float32)


def _harmonics(turns: Samples, strengths: tuple[float, ...]) -> Samples:
    angle = turns * np.float32(2 * np.pi)
    made = np.zeros_like(turns)
    for k, strength in enumerate(strengths, start=1):
        made += np.float32(strength) * np.sin(np.float32(k) * angle)
    return made


def _resonate(source: Samples, rate: int, peaks: tuple[tuple[float, float], ...]) -> Samples:
    """The sum of two-pole resonators at (frequency, bandwidth); what lies too high is left out."""
    from scipy.signal import lfilter

    made = np.zeros_like(source)
    for hertz, width in peaks:
        if hertz < 0.45 * rate:
            radius = np.exp(-np.pi * width / rate)
            poles = [1.0, -2 * radius * np.cos(2 * np.pi * hertz / rate), radius * radius]
            made += lfilter([np.float32(1 - radius)], np.array(poles, dtype=np.float32), source)
    return made


def _swell(samples: int, rate: int, attack: float, release: float) -> Samples:
    """1 with a rise of `attack` and a fall of `release` seconds."""
    time = np.arange(samples, dtype=np.float32) / np.float32(rate)
    end = np.float32(samples / rate)
    sides = np.minimum(time / np.float32(attack), (end - time) / np.float32(release))
    return np.asarray(np.minimum(np.float32(1.0), sides), dtype=np.float32)


def _car_horn(samples: int, rate: int, rng: Rng) -> Samples:
    """Two reedy tones a third apart, in blasts."""
    low = rng.uniform(340, 440)
    made = np.zeros(samples, dtype=np.float32)
    start = 0
    while start < samples:
        length = min(samples - start, round(rng.uniform(0.25, 1.3) * rate))
        blast = np.zeros(length, dtype=np.float32)
        for hertz in (low, low * rng.uniform(1.18, 1.27)):
            turns = _turns(hertz, length, rate)
            blast += _harmonics(turns, (0.5, 0.8, 1.0, 0.8, 0.6, 0.45, 0.3, 0.2))
        made[start : start + length] = blast * _swell(length, rate, 0.02, 0.04)
        start += length + round(rng.uniform(0.12, 0.4) * rate)
        if samples - start < 0.2 * rate:
            break
    return made


VOWELS = (
    (950, 1500, 3300),
    (600, 2700, 3500),
    (450, 3100, 3900),
    (600, 1100, 3200),
    (800, 2100, 3400),
)


def _children_voices(samples: int, rate: int, rng: Rng) -> Samples:
    """Three children calling, chattering and laughing, each syllable a vowel of a small throat."""
    made = np.zeros(samples, dtype=np.float32)
    for voice in range(3):
        start = 0 if voice == 0 else round(rng.uniform(0, 0.8) * rate)
        pitch = rng.uniform(290, 430)
        while start < samples - 0.1 * rate:
            start = _phrase(made, start, rate, pitch, rng)
            start += round(rng.uniform(0.1, 0.7) * rate)
    return made


def _phrase(made: Samples, start: int, rate: int, pitch: float, rng: Rng) -> int:
    """Add a phrase to `made`; where it ends."""
    laughs = rng.random() < 0.25
    loud = np.float32(rng.uniform(0.5, 1.0))
    vowel = VOWELS[int(rng.integers(len(VOWELS)))]
    for syllable in range(int(rng.integers(3, 8))):
        length = round((0.13 if laughs else rng.uniform(0.13, 0.34)) * rate)
        length = min(length, len(made) - start)
        if length < 0.05 * rate:
            break
        if not laughs:
            vowel = VOWELS[int(rng.integers(len(VOWELS)))]
        bend = rng.uniform(0.85, 1.25, 2) * (1 - 0.03 * syllable)
        hertz = (pitch * np.linspace(bend[0], bend[1], length)).astype(np.float32)
        pulses = 1 - 2 * _turns(hertz, length, rate)
        breath = rng.standard_normal(length, dtype=np.float32)
        source = pulses * np.float32(0.9) + breath * np.float32(0.3 if laughs else 0.1)
        peaks = tuple((hertz * rng.uniform(0.95, 1.05), 90 + hertz / 14) for hertz in vowel)
        shaped = _resonate(source, rate, peaks) * _swell(length, rate, 0.03, 0.06)
        made[start : start + length] += shaped * loud
        start += length + round((0.07 if laughs else rng.uniform(0.0, 0.06)) * rate)
    return start


def _dog_bark(samples: int, rate: int, rng: Rng) -> Samples:
    """Barks: a hoarse pitch that jumps up and falls, in ones, twos and threes."""
    made = np.zeros(samples, dtype=np.float32)
    size = rng.uniform(0.7, 1.4)
    start = 0
    while start < samples - 0.08 * rate:
        for _ in range(int(rng.integers(1, 4))):
            length = min(round(rng.uniform(0.14, 0.24) * rate), samples - start)
            if length < 0.06 * rate:
                break
            made[start : start + length] = _bark(length, rate, size, rng)
            start += length + round(rng.uniform(0.12, 0.3) * rate)
        start += round(rng.uniform(0.1, 0.8) * rate)
    return made


def _bark(length: int, rate: int, size: float, rng: Rng) -> Samples:
    time = np.linspace(0, 1, length, dtype=np.float32)
    hertz = (260 + 420 * np.sin(np.pi * np.minimum(time * 1.25, 1.0) ** 0.7)) / size
    pulses = 1 - 2 * _turns(hertz.astype(np.float32), length, rate)
    source = pulses + 0.3 * rng.standard_normal(length, dtype=np.float32)
    peaks = tuple((hertz / size, width) for hertz, width in ((650, 180), (1250, 240), (2600, 500)))
    envelope = np.minimum(1, time / 0.08) * np.exp(-2.8 * time)
    return np.asarray(
        _resonate(source.astype(np.float32), rate, peaks) * envelope, dtype=np.float32
    )


def _engine_idling(samples: int, rate: int, rng: Rng) -> Samples:
    """A slow row of firings, never quite even, over the rattle of metal."""
    firing = rng.uniform(19, 30)
    wobble = _slow(samples, rate, 3.0, rng) * 0.03 + 1
    turns = _turns((firing * wobble).astype(np.float32), samples, rate)
    quarter = _turns((firing * wobble / 4).astype(np.float32), samples, rate)
    strokes = np.exp(-turns * 7) * (1 + 0.35 * np.sin(2 * np.pi * quarter))
    rough = rng.standard_normal(samples, dtype=np.float32)
    source = (strokes - strokes.mean() + 0.25 * strokes * rough).astype(np.float32)
    body = _resonate(source, rate, ((70, 50), (135, 60), (240, 90), (420, 150)))
    rattle = _resonate((strokes * rough).astype(np.float32), rate, ((1100, 500), (2300, 900)))
    return np.asarray(body + np.float32(0.35) * rattle, dtype=np.float32)


def _slow(samples: int, rate: int, hertz: float, rng: Rng) -> Samples:
    """A smooth random line that changes a few times a second."""
    knots = max(2, round(samples / rate * hertz) + 2)
    points = rng.standard_normal(knots)
    where = np.linspace(0, knots - 1, samples)
    return np.interp(where, np.arange(knots), points).astype(np.float32)


def _siren(samples: int, rate: int, rng: Rng) -> Samples:
    """Wail, yelp or two tones: a strong tone that goes up and down."""
    kind = int(rng.integers(3))
    time = np.arange(samples, dtype=np.float32) / np.float32(rate)
    if kind == 2:
        high = (time / np.float32(rng.uniform(0.45, 0.65))).astype(np.int64) % 2
        hertz = np.where(high == 0, 440.0, 585.0) * rng.uniform(0.95, 1.1)
    else:
        period = rng.uniform(3.5, 5.0) if kind == 0 else rng.uniform(0.28, 0.4)
        swing = 0.5 - 0.5 * np.cos(2 * np.pi * time / np.float32(period))
        hertz = 620 * (1 + 1.3 * swing**0.8) * rng.uniform(0.95, 1.1)
    turns = _turns(hertz.astype(np.float32), samples, rate)
    return _harmonics(turns, (1.0, 0.35, 0.3, 0.12, 0.08)) * _swell(samples, rate, 0.15, 0.3)


SCALE = (0, 2, 4, 7, 9, 12, 14, 16)
CHORDS = ((0, 4, 7), (-3, 0, 4), (-7, -3, 0), (-5, -1, 2))


def _street_music(samples: int, rate: int, rng: Rng) -> Samples:
    """A tune over chords, a bass and a drum, as a busker with a loop box plays."""
    made = np.zeros(samples, dtype=np.float32)
    beat = 60.0 / rng.uniform(96, 132)
    root = 220.0 * 2 ** (rng.integers(-4, 5) / 12)
    step, degree = 0, int(rng.integers(len(SCALE)))
    while round(step * beat / 2 * rate) < samples:
        start = round(step * beat / 2 * rate)
        chord = CHORDS[(step // 8) % len(CHORDS)]
        if step % 2 == 0:
            tone = root / 2 * 2 ** (chord[0] / 12)
            _pluck(made, start, rate, (tone, beat * 0.9, 0.8))
            _drum(made, start, rate, rng)
        if step % 4 == 2:
            for note in chord:
                _pluck(made, start, rate, (root * 2 ** (note / 12), beat, 0.3))
        degree = int(np.clip(degree + rng.integers(-2, 3), 0, len(SCALE) - 1))
        if rng.random() < 0.8:
            _pluck(made, start, rate, (2 * root * 2 ** (SCALE[degree] / 12), beat * 0.8, 0.7))
        step += 1
    return made


def _pluck(made: Samples, start: int, rate: int, note: tuple[float, float, float]) -> None:
    """Add a string's tone: (frequency, length, loudness)."""
    hertz, seconds, loud = note
    length = min(round(seconds * rate), len(made) - start)
    if length <= 0:
        return
    time = np.arange(length, dtype=np.float32) / np.float32(rate)
    angle = time * np.float32(2 * np.pi * hertz)
    decay = np.exp(-time * np.float32(3.0 / seconds)) * np.minimum(1, time / np.float32(0.005))
    tone = np.sin(angle) + 0.5 * np.sin(2 * angle) + 0.3 * np.sin(3 * angle)
    made[start : start + length] += np.float32(loud) * decay * tone


def _drum(made: Samples, start: int, rate: int, rng: Rng) -> None:
    length = min(round(0.09 * rate), len(made) - start)
    if length > 0:
        fall = np.exp(-np.arange(length, dtype=np.float32) / np.float32(0.018 * rate))
        made[start : start + length] += 0.5 * fall * rng.standard_normal(length, dtype=np.float32)


SOUNDS: Mapping[str, Callable[[int, int, Rng], Samples]] = {
    "car_horn": _car_horn,
    "children_voices": _children_voices,
    "dog_bark": _dog_bark,
    "engine_idling": _engine_idling,
    "siren": _siren,
    "street_music": _street_music,
}
