"""What sounds are built from: tones, noise, resonances, envelopes, and the street around them."""

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]
Rng = np.random.Generator


def turns(hertz: Samples | float, samples: int, rate: int) -> Samples:
    """The phase of a tone, in turns, when its frequency is given for every sample."""
    steps = np.broadcast_to(np.asarray(hertz, dtype=np.float64) / rate, (samples,))
    return (np.cumsum(steps) % 1.0).astype(np.float32)


def harmonics(phase: Samples, strengths: tuple[float, ...]) -> Samples:
    """A tone and its overtones, each with its strength."""
    angle = phase * np.float32(2 * np.pi)
    made = np.zeros_like(phase)
    for k, strength in enumerate(strengths, start=1):
        made += np.float32(strength) * np.sin(np.float32(k) * angle)
    return made


def resonate(source: Samples, rate: int, peaks: tuple[tuple[float, float], ...]) -> Samples:
    """The sum of two-pole resonators at (frequency, bandwidth); what lies too high is left out."""
    from scipy.signal import lfilter

    made = np.zeros_like(source)
    for hertz, width in peaks:
        if hertz < 0.45 * rate:
            radius = np.exp(-np.pi * width / rate)
            poles = [1.0, -2 * radius * np.cos(2 * np.pi * hertz / rate), radius * radius]
            made += lfilter([np.float32(1 - radius)], np.array(poles, dtype=np.float32), source)
    return made


def swell(samples: int, rate: int, attack: float, release: float) -> Samples:
    """1 with a rise of `attack` and a fall of `release` seconds."""
    time = np.arange(samples, dtype=np.float32) / np.float32(rate)
    end = np.float32(samples / rate)
    sides = np.minimum(time / np.float32(attack), (end - time) / np.float32(release))
    return np.asarray(np.minimum(np.float32(1.0), sides), dtype=np.float32)


def slow(samples: int, rate: int, hertz: float, rng: Rng) -> Samples:
    """A random line that changes so many times a second."""
    knots = max(2, round(samples / rate * hertz) + 2)
    points = rng.standard_normal(knots)
    where = np.linspace(0, knots - 1, samples)
    return np.interp(where, np.arange(knots), points).astype(np.float32)


def rumble(samples: int, rate: int, fall: float, rng: Rng) -> Samples:
    """Noise that loses `fall` dB an octave above 60 Hz, of power 1."""
    from scipy.fft import irfft, next_fast_len, rfft

    length = next_fast_len(samples, real=True)
    spectrum = rfft(rng.standard_normal(length, dtype=np.float32))
    hertz = np.fft.rfftfreq(length, 1 / rate)
    gain = np.where(hertz < 30, 0, np.maximum(hertz, 60) ** (-fall / 6.02))
    made = irfft(spectrum * gain.astype(np.float32), length)[:samples]
    return np.asarray(made / np.std(made), dtype=np.float32)


def in_street(dry: Samples, rate: int, wet: float, rng: Rng) -> Samples:
    """The sound with what walls throw back: a tail of noise that dies within 0.4 s."""
    from scipy.signal import lfilter, oaconvolve

    length = round(0.4 * rate)
    fall = np.exp(np.linspace(0, -6.9, length))
    walls = lfilter([0.4], [1.0, -0.6], rng.standard_normal(length) * fall)
    walls *= wet / np.sqrt(np.sum(walls**2))
    walls[0] = 1.0
    heard = oaconvolve(dry, walls.astype(np.float32))[: len(dry)]
    return np.asarray(heard, dtype=np.float32)
